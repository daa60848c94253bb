/** Formats of data that are not read: their bytes are no elements. */
import type { GroupwiseError } from "@groupwise/core";
import { badFile } from "../base/problem.ts";

const toNpy = "save each array as an .npy file, for example with numpy.save";
const toCsv = "save it as .csv";
const unpack = "unpack it first, or compress its files with gzip";

/** What to do with a file, by its extension. */
const OTHERS: Readonly<Record<string, string>> = {
  ".parquet":
    "write it as an Arrow file, for example: python -c \"import pandas as p; p.read_parquet('x.parquet').to_feather('x.arrow', compression='uncompressed')\"",
  ".orc": toCsv,
  ".avro": toCsv,
  ".json": toCsv,
  ".jsonl": toCsv,
  ".ndjson": toCsv,
  ".xls": toCsv,
  ".xlsx": toCsv,
  ".ods": toCsv,
  ".db": toCsv,
  ".duckdb": toCsv,
  ".sqlite": toCsv,
  ".h5": toNpy,
  ".hdf5": toNpy,
  ".nc": toNpy,
  ".mat": toNpy,
  ".pkl": toNpy,
  ".pickle": toNpy,
  ".pt": toNpy,
  ".safetensors": toNpy,
  ".zip": unpack,
  ".tar": unpack,
  ".tgz": unpack,
  ".7z": unpack,
  ".bz2": unpack,
  ".xz": unpack,
  ".zst": unpack,
  ".lz4": unpack,
};

export const isOther = (extension: string): boolean => Object.hasOwn(OTHERS, extension);

/** Whether the characters of such a file may be meant. */
export const isText = (extension: string): boolean => [".json", ".jsonl", ".ndjson"].includes(extension);

/** The error for a file of another format. */
export const refused = (path: string, extension: string): GroupwiseError =>
  badFile(
    path,
    `${extension} files are not read`,
    undefined,
    `${OTHERS[extension]}; if it holds raw elements in spite of its name, pass --raw`,
  );
