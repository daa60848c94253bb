/** Opens the sources of a stream. */
import { open } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { errorOf } from "@groupwise/core/target";
import { STDIN, takeStdin } from "../../base/files.ts";
import { badUsage } from "../../base/problem.ts";
import { reasonOf } from "../../base/reasons.ts";
import type { Bound } from "../../values/bind.ts";
import { splitSuffix, tableIn } from "../../values/input.ts";
import { CsvSource } from "./csv-source.ts";
import { FileSource } from "./file-source.ts";
import { PipeSource } from "./pipe-source.ts";
import { closeAll, type Elements, type Source } from "./source.ts";

/**
 * Opens the sources of inputs. Columns of one file have one source, which reads it once.
 * @param isShared whether elements of files and pipes are read into memory that threads share
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function openSources(
  inputs: readonly Bound[],
  cwd: string,
  isShared: boolean = false,
): Promise<Source[]> {
  const sources: Source[] = [];
  const tables = new Map<string, CsvSource>();
  try {
    for (const input of inputs) {
      const found = tableIn(input.spec);
      if (!found) {
        const { path, suffix } = splitSuffix(input.spec);
        sources.push(await elementsOf({ ...input, path, isShared }, suffix, cwd));
        continue;
      }
      const full = resolve(cwd, found.path);
      const table = tables.get(full) ?? new CsvSource({ ...found, cwd });
      if (!tables.has(full)) sources.push(table);
      tables.set(full, table);
      table.add({ ...input, column: found.column });
    }
    return sources;
  } catch (error) {
    await closeAll(sources);
    throw error;
  }
}

async function elementsOf(
  { name, type, path, spec, isShared }: Bound & Pick<Elements, "path" | "isShared">,
  suffix: string | undefined,
  cwd: string,
): Promise<Source> {
  const isStdin = path === STDIN;
  const isNpy = isStdin ? suffix === "npy" : extname(path).toLowerCase() === ".npy";
  if (isNpy && !isStdin ? suffix !== undefined : !isNpy && suffix !== type)
    throw badUsage(
      `${spec} cannot be read in chunks`,
      `pass an .npy file, a column of a .csv file, raw elements as FILE:${type}, or stdin as -:csv, -:${type} or -:npy`,
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
