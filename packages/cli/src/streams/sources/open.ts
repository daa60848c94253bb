/** Opens the sources of a stream. */
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { errorOf } from "@groupwise/core/target";
import { STDIN, takeStdin } from "../../base/files.ts";
import { badUsage } from "../../base/problem.ts";
import { reasonOf } from "../../base/reasons.ts";
import type { BoundInput } from "../../values/bind.ts";
import { formatOf } from "../../values/file-name.ts";
import { gunzipped } from "../../values/gzip.ts";
import { isRaw, splitSuffix, tableIn } from "../../values/input.ts";
import { openMember } from "../../values/npz.ts";
import { isOther } from "../../values/other-formats.ts";
import type { Reading } from "../../values/reading.ts";
import { ArrowSource } from "./arrow-source.ts";
import { CsvSource } from "./csv-source.ts";
import { FileSource } from "./file-source.ts";
import { PipeSource } from "./pipe-source.ts";
import { closeAll, type FileElements, type Source } from "./source.ts";

/** Bytes of compressed files that are made at once. */
const PIECE = 2 ** 20;

/**
 * Opens the sources of inputs. Columns of one file have one source, which reads it once.
 * @param isShared whether elements of files and pipes are read into memory that threads share
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function openSources(
  inputs: readonly BoundInput[],
  reading: Reading,
  isShared: boolean = false,
): Promise<Source[]> {
  const { cwd } = reading;
  const sources: Source[] = [];
  const tables = new Map<string, ArrowSource | CsvSource>();
  try {
    for (const input of inputs) {
      const found = tableIn(input.spec, reading);
      if (!found) {
        sources.push(await elementsOf({ ...input, isShared }, reading));
        continue;
      }
      const { path, format, column } = found;
      const full = resolve(cwd, path);
      const table =
        tables.get(full) ??
        (format === "arrow"
          ? await ArrowSource.open(path, reading)
          : new CsvSource({ ...reading, path, isTsv: format === "tsv" }));
      if (!tables.has(full)) sources.push(table);
      tables.set(full, table);
      table.add({ ...input, column });
    }
    return sources;
  } catch (error) {
    await closeAll(sources);
    throw error;
  }
}

async function elementsOf(
  { name, type, spec, isShared }: BoundInput & Pick<FileElements, "isShared">,
  reading: Reading,
): Promise<Source> {
  const { path, suffix } = splitSuffix(spec);
  const { cwd } = reading;
  const isStdin = path === STDIN;
  const { extension, isGzip } = isRaw(suffix, reading) ? { extension: "", isGzip: false } : formatOf(path);
  const isNpy = isStdin ? suffix === "npy" : extension === ".npy" || extension === ".npz";
  if ((!isNpy && suffix !== type) || isOther(extension))
    throw badUsage(
      `${spec} cannot be read in chunks`,
      `pass an .npy file, a column of a .csv or .arrow file, raw elements as FILE:${type}, or stdin as -:csv, -:${type} or -:npy`,
    );
  const elements = { name, type, path, isNpy, isShared };
  if (isStdin) {
    takeStdin();
    return PipeSource.open(elements, process.stdin);
  }
  if (extension === ".npz") return PipeSource.open(elements, (await openMember(path, cwd, suffix)).stream);
  try {
    const file = await open(resolve(cwd, path));
    const stats = await file.stat();
    if (stats.isFile() && !isGzip)
      return await FileSource.open({ ...elements, ...(isNpy && { field: suffix }) }, file, stats.size);
    if (stats.isDirectory()) await file.close();
    else {
      const stream = file.createReadStream();
      return await PipeSource.open(elements, isGzip ? gunzipped(stream, PIECE) : stream);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
  throw errorOf("missing-file", { path, reason: "it is a directory" }, path);
}
