/** The reader for `--input name=FILE[:type|:text]`. */
import { extname } from "node:path";
import type { ArrayType, HostArray } from "@groupwise/core";
import { isNarrow, isScalar } from "@groupwise/core/target";
import { readBytes, STDIN } from "../base/files.ts";
import { badFile, badUsage } from "../base/problem.ts";
import { readBinary } from "./binary.ts";
import { readNpy } from "./npy.ts";
import { codePoints, textBytes } from "./text.ts";

interface Source {
  readonly path: string;
  /** The text after the last colon. */
  readonly suffix: string | undefined;
  readonly cwd: string;
  /** The input's type. */
  readonly type: ArrayType;
}

const NEEDS_TYPE: readonly string[] = [".bin", ".raw", ".dat"];
type Reader = (source: Source) => HostArray;
const BY_EXTENSION: Readonly<Record<string, Reader>> = {
  ".npy": npy,
  ".npz": npz,
};

/** Reads the file of an input of a type, which is no table. @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage` */
export function readInput(spec: string, type: ArrayType, cwd: string): HostArray {
  const { path, suffix } = splitSuffix(spec);
  const source = { path, suffix, cwd, type };
  if (path === STDIN) return stdin(source);
  const extension = extname(path).toLowerCase();
  if (suffix === "text") return text(source);
  const byExtension = Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined;
  if (byExtension) return byExtension(source);
  if (suffix !== undefined) return binary(source);
  if (NEEDS_TYPE.includes(extension)) {
    throw badUsage(`the element type of ${path} is unknown`, `write it after the name: ${path}:${type}`);
  }
  return text(source);
}

/** Splits `data.bin:u32` in two; a drive letter or a folder is not a suffix. */
export function splitSuffix(spec: string): { path: string; suffix: string | undefined } {
  const at = spec.lastIndexOf(":");
  const suffix = spec.slice(at + 1);
  if ((at < 2 && spec.slice(0, at) !== STDIN) || suffix === "" || /[\\/]/.test(suffix))
    return { path: spec, suffix: undefined };
  return { path: spec.slice(0, at), suffix };
}

/** The table and the column of `FILE.csv:column`, `-:csv:column`; undefined for other files. */
export function tableIn(
  spec: string,
): { path: string; isTsv: boolean; column: string | undefined } | undefined {
  const piped = /^-:([ct])sv(?::(.+))?$/.exec(spec);
  if (piped) return { path: STDIN, isTsv: piped[1] === "t", column: piped[2] };
  const { path, suffix: column } = splitSuffix(spec);
  const extension = extname(path).toLowerCase();
  const isTsv = extension === ".tsv";
  return column !== "text" && (isTsv || extension === ".csv") ? { path, isTsv, column } : undefined;
}

/** The text after `-:` is the format of stdin: `npy`, `text`, or the type of raw elements. */
function stdin(source: Source): HostArray {
  if (source.suffix === "npy") return npy({ ...source, suffix: undefined });
  if (source.suffix === "text") return text(source);
  if (source.suffix !== undefined) return binary(source);
  throw badUsage("the format of stdin is unknown", `write -:csv, -:npy, -:${source.type} or -:text`, STDIN);
}

function npy({ path, suffix, cwd, type }: Source): HostArray {
  if (suffix !== undefined) throw badUsage("an .npy file contains its type", `write ${path} alone`, path);
  return readNpy(readBytes(path, cwd), type, path);
}

function npz({ path, type }: Source): never {
  const hint = `save one of its arrays: numpy.save("${type}.npy", numpy.load("${path}")[NAME])`;
  throw badFile(path, "it is an archive of .npy files", undefined, hint);
}

function binary({ path, suffix, cwd, type }: Source): HostArray {
  if (!isScalar(suffix) && !isNarrow(suffix)) {
    throw badUsage(
      `${JSON.stringify(suffix)} is not an element type`,
      `write ${path}:${type}, or ${path}:text for its characters`,
      path,
    );
  }
  if (suffix !== type) throw badFile(path, `the suffix says ${suffix}, but the input needs ${type}`);
  return readBinary(readBytes(path, cwd), type, path);
}

/** The reader of a text, by the input's type. */
const TEXTS: Readonly<Partial<Record<ArrayType, (bytes: Uint8Array, path: string) => HostArray>>> = {
  u32: codePoints,
  u8: textBytes,
};

function text({ path, cwd, type }: Source): HostArray {
  const read = TEXTS[type];
  if (read) return read(readBytes(path, cwd), path);
  throw badUsage(
    `the characters of ${path} are u32, or u8 in UTF-8, but the input needs ${type}`,
    `for raw binary write ${path}:${type}`,
    path,
  );
}
