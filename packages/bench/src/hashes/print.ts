/** The table of hashes, one line for each pipeline and length. */
import { markdownTable, type Table, textTable } from "../print/tables.ts";
import type { Hashes, Run } from "./hashes.ts";

/** The results of one pipeline and length. */
export interface HashRow {
  readonly pipeline: string;
  readonly n: number;
  readonly hash: string;
  readonly runs: number;
  /** The computations whose results have other hashes. */
  readonly different: readonly string[];
}

/** One row for each pipeline and length; the others must equal the first result. */
export function rowsOf(runs: readonly Run[]): readonly HashRow[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = `${run.pipeline} ${run.n}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const [{ pipeline, n, hash }] = group as [Run, ...Run[]];
    const different = group.filter((run) => run.hash !== hash).map(({ how }) => how);
    return { pipeline, n, hash, runs: group.length, different };
  });
}

/** True if something was computed, and no pipeline has two hashes. */
export const isOneHash = ({ runs }: Pick<Hashes, "runs">): boolean =>
  runs.length > 0 && rowsOf(runs).every(({ different }) => different.length === 0);

export function printHashes(
  { surroundings, versions, runs, jobs, absent }: Hashes,
  isMarkdown: boolean,
): string {
  const table = (rows: Table): string => (isMarkdown ? markdownTable(rows) : textTable(rows));
  const rows = rowsOf(runs);
  const differences = rows.flatMap(({ pipeline, n, different }) =>
    different.map((how) => `DIFFERENT: ${pipeline}, ${n} items: ${how}`),
  );
  return `${[
    table([
      ["pipeline", "items", "SHA-256 of all outputs", "results", "different"],
      ...rows.map(({ pipeline, n, hash, runs: count, different }) => [
        pipeline,
        String(n),
        hash,
        String(count),
        String(different.length),
      ]),
    ]),
    ...differences,
    "",
    table([
      ["computed by", "results", "seconds"],
      ...jobs.map(({ what, runs: count, seconds }) => [what, String(count), seconds.toFixed(1)]),
    ]),
    ...absent.map(({ name, reason }) => `${name}: ${reason}`),
    "",
    table([
      ["what", "version"],
      ...Object.entries({ ...surroundings, ...versions }).map(([name, value]) => [name, String(value)]),
    ]),
  ].join("\n")}\n`;
}
