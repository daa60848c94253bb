/** The reader for `--input name=FILE[:type|:text]`. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { isNarrow, isScalar } from "@groupwise/core/target";
import { readBytes, STDIN } from "../base/files.ts";
import { badFile, badUsage } from "../base/problem.ts";
import { readBinary } from "./binary.ts";
import { formatOf } from "./file-name.ts";
import { gunzip } from "./gzip.ts";
import { readNpy } from "./npy.ts";
import { readNpz } from "./npz.ts";
import { isOther, isText, refused } from "./other-formats.ts";
import type { Reading } from "./reading.ts";
import { codePoints, textBytes } from "./text.ts";

interface Source extends Reading {
  readonly path: string;
  /** The text after the last colon. */
  readonly suffix: string | undefined;
  /** The input's type. */
  readonly type: ArrayType;
}

const NEEDS_TYPE: readonly string[] = [".bin", ".raw", ".dat"];
type Reader = (source: Source) => HostArray | Promise<HostArray>;
const BY_EXTENSION: Readonly<Record<string, Reader>> = {
  ".npy": (source) => npy(source),
  ".npz": ({ path, suffix, cwd, type }) => readNpz(path, cwd, suffix, type),
};

/**
 * Reads the file of an input of a type, which is no table.
 * @throws GroupwiseError through the promise: `missing-file`, `bad-file`, `bad-usage`
 */
export async function readInput(spec: string, type: ArrayType, reading: Reading): Promise<HostArray> {
  const { path, suffix } = splitSuffix(spec);
  const source = { ...reading, path, suffix, type };
  if (path === STDIN) return stdin(source);
  if (isRaw(suffix, reading)) return binary(source);
  const { extension } = formatOf(path);
  if (suffix === "text") return text(source);
  if (Object.hasOwn(BY_EXTENSION, extension)) return (BY_EXTENSION[extension] as Reader)(source);
  if (suffix !== undefined) return binary(source);
  if (isOther(extension) && !(isText(extension) && TEXTS[type])) throw refused(path, extension);
  if (NEEDS_TYPE.includes(extension)) {
    throw badUsage(`the element type of ${path} is unknown`, `write it after the name: ${path}:${type}`);
  }
  return text(source);
}

/** Whether `--raw` says that a file is of raw elements, whatever its name. */
export const isRaw = (suffix: string | undefined, { raw = false }: Pick<Reading, "raw">): boolean =>
  raw && (isScalar(suffix) || isNarrow(suffix));

/** Splits `data.bin:u32` in two; a drive letter or a folder is not a suffix. */
export function splitSuffix(spec: string): { path: string; suffix: string | undefined } {
  const at = spec.lastIndexOf(":");
  const suffix = spec.slice(at + 1);
  if ((at < 2 && spec.slice(0, at) !== STDIN) || suffix === "" || /[\\/]/.test(suffix))
    return { path: spec, suffix: undefined };
  return { path: spec.slice(0, at), suffix };
}

/** A table, and the column of it. */
export interface TableSpec {
  readonly path: string;
  readonly format: "csv" | "tsv" | "arrow";
  readonly column: string | undefined;
}

const TABLES: Readonly<Record<string, TableSpec["format"]>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".arrow": "arrow",
  ".arrows": "arrow",
  ".feather": "arrow",
};

/** The table and the column of `FILE.csv:column`, `-:csv:column`; undefined for other files. */
export function tableIn(spec: string, reading: Pick<Reading, "raw"> = {}): TableSpec | undefined {
  const piped = /^-:([ct])sv(?::(.+))?$/.exec(spec);
  if (piped) return { path: STDIN, format: piped[1] === "t" ? "tsv" : "csv", column: piped[2] };
  const { path, suffix: column } = splitSuffix(spec);
  const { extension } = formatOf(path);
  const format = Object.hasOwn(TABLES, extension) ? TABLES[extension] : undefined;
  if (!format || column === "text" || isRaw(column, reading)) return undefined;
  return { path, format, column };
}

/** The text after `-:` is the format of stdin: `npy`, `text`, or the type of raw elements. */
function stdin(source: Source): HostArray {
  if (source.suffix === "npy") return npy({ ...source, suffix: undefined });
  if (source.suffix === "text") return text(source);
  if (source.suffix !== undefined) return binary(source);
  throw badUsage("the format of stdin is unknown", `write -:csv, -:npy, -:${source.type} or -:text`, STDIN);
}

const npy = ({ path, suffix, cwd, type }: Source): HostArray =>
  readNpy(contentsOf(path, cwd), type, path, suffix);

/** The bytes of a file; without their compression where its name ends in .gz. */
function contentsOf(path: string, cwd: string): Uint8Array<ArrayBuffer> {
  const bytes = readBytes(path, cwd);
  return formatOf(path).isGzip ? gunzip(bytes, path) : bytes;
}

function binary({ path, suffix, cwd, type, raw }: Source): HostArray {
  const { extension } = formatOf(path);
  if (!raw && isOther(extension)) throw refused(path, extension);
  if (!isScalar(suffix) && !isNarrow(suffix)) {
    throw badUsage(
      `${JSON.stringify(suffix)} is not an element type`,
      `write ${path}:${type}, or ${path}:text for its characters`,
      path,
    );
  }
  if (suffix !== type) throw badFile(path, `the suffix says ${suffix}, but the input needs ${type}`);
  return readBinary(raw ? readBytes(path, cwd) : contentsOf(path, cwd), type, path);
}

/** The reader of a text, by the input's type. */
const TEXTS: Readonly<Partial<Record<ArrayType, (bytes: Uint8Array, path: string) => HostArray>>> = {
  u32: codePoints,
  u8: textBytes,
};

function text({ path, cwd, type }: Source): HostArray {
  const read = TEXTS[type];
  if (read) return read(contentsOf(path, cwd), path);
  throw badUsage(
    `the characters of ${path} are u32, or u8 in UTF-8, but the input needs ${type}`,
    `for raw binary write ${path}:${type}`,
    path,
  );
}
