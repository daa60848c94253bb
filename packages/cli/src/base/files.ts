/** Reading and writing files: typed errors, and no partly written files. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorOf } from "@groupwise/core/target";
import { badFile, badUsage } from "./problem.ts";
import { reasonOf, TOO_LARGE } from "./reasons.ts";
import { unbroken } from "./signals.ts";

/** The bytes of a file or of stdin (`-`), in a buffer of their own, so that typed arrays can be views of it. @throws GroupwiseError `missing-file`, `bad-file` */
export function readBytes(path: string, cwd: string): Uint8Array<ArrayBuffer> {
  if (path === STDIN) return readStdin();
  try {
    return readWhole(resolve(cwd, path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === TOO_LARGE)
      throw badFile(path, reasonOf(error), error, "`groupwise run --stream` reads files in chunks");
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
}

/** The name of stdin, in place of a file to read. */
export const STDIN = "-";
/** The name of stdout, in place of a file to write to. */
export const STDOUT = "-";
let isStdinTaken = false;

/** Must be called before stdin is read. @throws GroupwiseError `bad-usage` if it was called before */
export function takeStdin(): void {
  if (isStdinTaken) throw badUsage("stdin is read twice", "pass `-` once, and files for the others", STDIN);
  isStdinTaken = true;
}

/** @throws GroupwiseError `bad-usage`, `missing-file` */
function readStdin(): Uint8Array<ArrayBuffer> {
  takeStdin();
  try {
    return new Uint8Array(readFileSync(0));
  } catch (error) {
    throw errorOf("missing-file", { path: "stdin", reason: reasonOf(error) }, STDIN, error);
  }
}

/** Bytes of one read: the system does not read 2 GiB at once. */
const PIECE = 2 ** 30;

function readWhole(path: string): Uint8Array<ArrayBuffer> {
  const file = openSync(path, "r");
  try {
    const stats = fstatSync(file);
    // Pipes and devices do not report their length.
    if (!stats.isFile() || stats.size === 0) return new Uint8Array(readFileSync(file));
    const bytes = allocate(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(file, bytes, length, Math.min(PIECE, bytes.length - length), null);
      if (count === 0) return bytes.slice(0, length); // the file has been truncated
      length += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (error) {
    throw Object.assign(new Error("too large", { cause: error }), { code: TOO_LARGE });
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
  throw errorOf("missing-file", { path, reason: "it is not a file" }, path);
}

/** A path that is the same on every machine: relative to `cwd` with forward slashes, or only the file's name if it is outside of `cwd`. */
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
 * Writes files atomically: each is either complete or unchanged, and none is changed if one cannot be written. Signals
 * that end the process take effect before or after the call.
 * @returns their paths, below `directory` as it was given
 * @throws GroupwiseError `bad-usage`, `bad-file`
 */
export function writeFiles(directory: string, files: readonly NewFile[], cwd: string): string[] {
  const target = resolve(cwd, directory);
  const made: string[] = [];
  const fresh: string[] = [];
  const write = (): void => {
    makeDirectory(target, made);
    for (const { path, data } of files) {
      if (statSync(join(target, path), { throwIfNoEntry: false })?.isDirectory()) {
        throw Object.assign(new Error(), { message: `a directory is named ${path}` });
      }
      fresh.push(writeFresh(target, path, data));
    }
    for (const [i, { path }] of files.entries()) renameSync(fresh[i] as string, join(target, path));
  };
  unbroken(() => {
    try {
      write();
    } catch (error) {
      const reason = `cannot write there: ${reasonOf(error)}`;
      for (const path of fresh) remove(path);
      removeEmpty(made);
      throw errorOf("bad-file", { path: directory, reason }, directory, error);
    }
  });
  return files.map(({ path }) => join(directory, path));
}

/** Writes a new file under a name that does not exist, so that no symbolic link is followed. */
function writeFresh(directory: string, name: string, data: string | Uint8Array): string {
  const path = join(directory, `.${name}.${randomUUID()}.tmp`);
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, data);
  } catch (error) {
    remove(path);
    throw error;
  } finally {
    closeSync(file);
  }
  return path;
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // the existing entry is not a folder: nothing was written
  }
}

/** Makes a directory and its parents, and adds the new ones to a list. Node's own recursive mkdir never ends below /proc. */
function makeDirectory(directory: string, made: string[]): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(directory) !== directory) makeDirectory(dirname(directory), made);
  mkdirSync(directory);
  made.push(directory);
}

/** Removes the new directories, unless they have contents. */
function removeEmpty(made: readonly string[]): void {
  try {
    for (const path of made.toReversed()) rmdirSync(path);
  } catch {
    // another process has written into it meanwhile
  }
}
