/**
 * Mean and variance of every group of rows, in one pass and without cancellation.
 *
 *   npm run example -- welford-by-key
 *   npm run example -- welford-by-key FILE.csv:COLUMN --target wgsl
 *
 * The rows of a group are consecutive: here those of a month, identified by the first seven characters of the first column,
 * such as 2012-01 of 2012-01-31.
 *
 * Why a segmented reduce: the formula E[x²] - E[x]² subtracts two large numbers that are nearly equal, and loses the
 * digits that matter. Welford's operator instead combines (count, mean, sum of squared differences) of any two parts to
 * those of both. With `keys` the collective starts again wherever the key changes, so groups of all lengths, across
 * work-groups and tiles, take one pass over the data.
 *
 * Shapes: in, `x`, f32, and `key`, u32, one for each row. Out, one for each group: `first`, u32, the row it begins
 * with, `count`, u32, `mean` and `variance`, f32; and `groups`, u32, one: the number of groups.
 *
 * Look at: the mean follows the seasons, and September 2013 has the largest variance.
 *
 * Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances" (1979);
 * segments as in Blelloch, "Prefix sums and their applications" (1990), 1.5.
 */
import { f32, operators, pipeline, u32 } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const byKey = pipeline("welford-by-key", { x: f32, key: u32 }, ({ x, key }, { index }) => {
  const group = operators.welford(f32).reduce(operators.moments(x), { keys: key });

  // One item of each group has the result: the first.
  const isFirst = index()
    .eq(0)
    .or(key.ne(key.at(index().sub(1))));
  const { before, total } = isFirst.toU32().scanWithTotal("add");
  const place = { to: before, where: isFirst, length: total };
  return {
    first: index().scatter(place),
    count: group.count.scatter(place),
    mean: group.mean.scatter(place),
    variance: operators.sampleVariance(group).scatter(place),
    groups: total,
  };
});
export default byKey;

export const source = "data/seattle-weather.csv:temp_max";

/** The results of a group of consecutive rows. */
export interface Group {
  readonly name: string;
  /** Its first row, counted from 0 below the headings. */
  readonly first: number;
  readonly count: number;
  readonly mean: number;
  /** The sample variance; NaN for a single row. */
  readonly variance: number;
}

export async function main(session: Session): Promise<readonly Group[]> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const names = columns.texts(columns.names[0] ?? "").map((text) => text.slice(0, 7));
  const numbers = new Map([...new Set(names)].map((name, i) => [name, i]));
  const key = Uint32Array.from(names, (name) => numbers.get(name) ?? 0);

  const { first, count, mean, variance } = await run(session.runtime, byKey, { x, key });
  const groups = Array.from(first, (row, i) => ({
    name: names[row] ?? "",
    first: row,
    count: count[i] ?? 0,
    mean: mean[i] ?? 0,
    variance: variance[i] ?? 0,
  }));
  session.print(`${session.column} of ${x.length} rows in ${groups.length} groups:`);
  for (const { name, count: rows, mean: middle, variance } of groups.slice(0, 40)) {
    session.print(
      `  ${name.padEnd(8)}${String(rows).padStart(4)} rows ${middle.toFixed(2).padStart(7)} ± ${Math.sqrt(variance).toFixed(2)}`,
    );
  }
  return groups;
}
