/** The table of hashes, one line for each pipeline and length, and how much of the matrix there is. */
import { markdownTable, type Table, textTable } from "../print/tables.ts";
import { DEFAULTS, jobsOf } from "./plan.ts";
import { type Covered, coverageOf, type Hashes, leftOf, type Result } from "./result.ts";

/** The results of one pipeline and length. */
export interface HashRow {
  readonly pipeline: string;
  readonly n: number;
  readonly hash: string;
  readonly results: number;
  /** The computations whose results have other hashes. */
  readonly different: readonly string[];
}

/** One row for each pipeline and length; the others must equal the first result. */
export function rowsOf(results: readonly Result[]): readonly HashRow[] {
  const rows = new Map<string, HashRow>();
  for (const { pipeline, n, hash, how } of results) {
    const key = `${pipeline} ${n}`;
    const row = rows.get(key) ?? { pipeline, n, hash, results: 0, different: [] };
    const different = row.hash === hash ? row.different : [...row.different, ...how];
    rows.set(key, { ...row, results: row.results + how.length, different });
  }
  return [...rows.values()];
}

/** True if something was computed, and no pipeline has two hashes. */
export const isOneHash = ({ results }: Pick<Hashes, "results">): boolean =>
  results.length > 0 && rowsOf(results).every(({ different }) => different.length === 0);

/** A row for each library or device: the cells that have results, of all of the matrix. */
function coverageTable(covered: readonly Covered[]): Table {
  const columns = [...new Set(covered.map(({ job }) => job.column))];
  const rows = [...new Set(covered.map(({ job }) => job.by))];
  return [
    ["results of all", ...columns],
    ...rows.map((by) => [
      by,
      ...columns.map((column) => {
        const cell = covered.find(({ job }) => job.by === by && job.column === column);
        return cell ? `${cell.done} of ${cell.job.cells.length}` : "";
      }),
    ]),
  ];
}

export function printHashes(result: Hashes, isMarkdown: boolean): string {
  const { surroundings, versions, results, jobs, absent } = result;
  const table = (rows: Table): string => (isMarkdown ? markdownTable(rows) : textTable(rows));
  const rows = rowsOf(results);
  const differences = rows.flatMap(({ pipeline, n, different }) =>
    different.map((how) => `- DIFFERENT: ${pipeline}, ${n} items: ${how}`),
  );
  const covered = coverageOf(jobsOf(DEFAULTS), results);
  const left = leftOf(covered);
  const total = rows.reduce((sum, row) => sum + row.results, 0);
  return `${[
    `${total} results, ${differences.length} different; ${surroundings.cpu}; ${surroundings.commit}; ${surroundings.date}`,
    ...differences,
    table([
      ["pipeline", "items", "SHA-256 of all outputs", "results", "different"],
      ...rows.map(({ pipeline, n, hash, results: count, different }) => [
        pipeline,
        String(n),
        hash,
        String(count),
        String(different.length),
      ]),
    ]),
    table(coverageTable(covered.filter(({ job }) => job.place.kind === "ranks"))),
    table(coverageTable(covered.filter(({ job }) => job.place.kind === "device"))),
    left.length === 0 ? "Of the matrix nothing was left out." : "Not run:",
    left.map((line) => `- ${line}`).join("\n"),
    absent.map(({ name, reason }) => `- ${name}: ${reason}`).join("\n"),
    table([
      ["computed by", "results", "seconds", "begun"],
      ...jobs.map((job) => [job.what, String(job.results), job.seconds.toFixed(1), job.begun]),
    ]),
    table([
      ["what", "version"],
      ...Object.entries({ ...surroundings, ...versions }).map(([name, value]) => [name, String(value)]),
    ]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")}\n`;
}
