/** Reading and writing files: typed errors, and nothing partly written. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorOf } from "@groupwise/core";

/** Why a file cannot be read, for people. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  ENOTDIR: "a part of its path is a file",
  EACCES: "access is denied",
  EPERM: "access is denied",
  EEXIST: "a file of that name is in the way",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
};

export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ""] ?? message;
}

/** The bytes of a file. @throws GroupwiseError `missing-file` */
export function readBytes(path: string, cwd: string): Uint8Array<ArrayBuffer> {
  try {
    // A copy with a buffer of its own: typed arrays can be laid over it.
    return new Uint8Array(readFileSync(resolve(cwd, path)));
  } catch (error) {
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
}

/** @throws GroupwiseError `missing-file` */
export function requireFile(path: string, cwd: string): string {
  const full = resolve(cwd, path);
  try {
    if (statSync(full).isFile()) return full;
  } catch (error) {
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
  throw errorOf("missing-file", { path, reason: "it is no file" }, path);
}

/** A path as others can use it: relative with forward slashes; only the name where it lies elsewhere. */
export function portablePath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  const isInside = inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
  return (isInside ? inside : (path.split(/[\\/]/).pop() ?? "")).replaceAll(sep, "/");
}

export interface NewFile {
  /** Name without folders. */
  readonly path: string;
  readonly data: string | Uint8Array;
}

/**
 * Writes files so that each is either whole or as before, and none is changed where one cannot be written.
 * It runs to its end without a pause: a signal comes before or after it.
 * @returns their paths, below `directory` as it was given
 * @throws GroupwiseError `bad-usage`, `bad-file`
 */
export function writeFiles(directory: string, files: readonly NewFile[], cwd: string): string[] {
  const target = resolve(cwd, directory);
  const fresh = files.map(({ path }) => join(target, `.${path}.${process.pid}.tmp`));
  const made: string[] = [];
  try {
    makeDirectory(target, made);
    files.forEach(({ path, data }, i) => {
      if (statSync(join(target, path), { throwIfNoEntry: false })?.isDirectory()) {
        throw Object.assign(new Error(), { message: `a directory is named ${path}` });
      }
      writeFileSync(fresh[i] as string, data);
    });
    files.forEach(({ path }, i) => {
      renameSync(fresh[i] as string, join(target, path));
    });
  } catch (error) {
    const reason = `cannot write there: ${reasonOf(error)}`;
    if (made.length > 0 || existsSync(target)) for (const path of fresh) remove(path);
    removeEmpty(made);
    throw errorOf("bad-file", { path: directory, reason }, directory, error);
  }
  return files.map(({ path }) => join(directory, path));
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // what stands in the way is no folder: nothing was written
  }
}

/** Makes a directory and those above it, noting what is new. Node's own recursive mkdir never ends below /proc. */
function makeDirectory(directory: string, made: string[]): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), made);
  mkdirSync(directory);
  made.push(directory);
}

/** Removes the directories that were made for nothing. */
function removeEmpty(made: readonly string[]): void {
  try {
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {
    // something else was put there meanwhile: it stays
  }
}
