/** Opens the sources of a stream. */
import { open } from "node:fs/promises";
import { extname, resolve } from "node:path";
import type { ArrayType } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { STDIN, takeStdin } from "../../base/files.ts";
import { badUsage } from "../../base/problem.ts";
import { reasonOf } from "../../base/reasons.ts";
import { splitSuffix } from "../../values/input.ts";
import { CsvSource } from "./csv-source.ts";
import { FileSource } from "./file-source.ts";
import { PipeSource } from "./pipe-source.ts";
import { closeAll, type Elements, type Source } from "./source.ts";

/** An input and where it comes from. */
export interface Wanted {
  readonly name: string;
  readonly type: ArrayType;
  /** `FILE[:column|:type]`, or `-:type` for stdin. */
  readonly spec: string;
}

/**
 * Opens the sources of inputs. Columns of one file have one source, which reads it once.
 * @param isShared whether elements of files and pipes are read into memory that threads share
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function openSources(
  inputs: readonly Wanted[],
  cwd: string,
  isShared: boolean = false,
): Promise<Source[]> {
  const sources: Source[] = [];
  const tables = new Map<string, CsvSource>();
  try {
    for (const input of inputs) {
      const { path, suffix } = splitSuffix(input.spec);
      if (!isTable(path, suffix)) {
        sources.push(await elementsOf({ ...input, path, isShared }, suffix, cwd));
        continue;
      }
      const full = resolve(cwd, path);
      const table = tables.get(full) ?? new CsvSource(path, cwd);
      if (!tables.has(full)) sources.push(table);
      tables.set(full, table);
      table.add(input.name, input.type, suffix);
    }
    return sources;
  } catch (error) {
    await closeAll(sources);
    throw error;
  }
}

const isTable = (path: string, suffix: string | undefined): boolean =>
  [".csv", ".tsv"].includes(extname(path).toLowerCase()) && suffix !== "text";

async function elementsOf(
  { name, type, path, spec, isShared }: Wanted & Pick<Elements, "path" | "isShared">,
  suffix: string | undefined,
  cwd: string,
): Promise<Source> {
  const isStdin = path === STDIN;
  const isNpy = isStdin ? suffix === "npy" : extname(path).toLowerCase() === ".npy";
  if (isNpy && !isStdin ? suffix !== undefined : !isNpy && suffix !== type)
    throw badUsage(
      `${spec} cannot be read in chunks`,
      `pass an .npy file, a column of a .csv file, raw elements as FILE:${type}, or stdin as -:${type} or -:npy`,
    );
  const elements = { name, type, path, isNpy, isShared };
  if (isStdin) {
    takeStdin();
    return PipeSource.open(elements, process.stdin);
  }
  try {
    const file = await open(resolve(cwd, path));
    const stats = await file.stat();
    if (stats.isFile()) return await FileSource.open(elements, file, stats.size);
    if (stats.isDirectory()) await file.close();
    else return await PipeSource.open(elements, file.createReadStream());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  }
  throw errorOf("missing-file", { path, reason: "it is a directory" }, path);
}
