/**
 * The greatest and the least value of a column, and their rows.
 *
 *   npm run example -- argmax
 *   npm run example -- argmax FILE.csv:COLUMN --target wgsl
 *
 * Why a reduce of records: `max` does not return the index. The operator `argmax` combines pairs of a value and an index and
 * keeps the better pair. Of equal values it keeps the one with the lower index, so it is commutative and every order of
 * combining gives the same result. Both ends are computed in one pass over the data.
 *
 * Shapes: in, `x`, f32, one for each row. Out, one of each: `greatest_value`, f32, `greatest_index`, u32, and `least_…`.
 *
 * Look at: the whole row of the strongest earthquake of the week, found through its index. Two earthquakes had magnitude
 * 6.2; the result is the first one in the file.
 *
 * Source: the operators are ready-made, `argmax` and `argmin` of @groupwise/dsl; MPI has the pair as MPI_MAXLOC.
 */
import { f32, operators, outputs, pipeline } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const extremes = pipeline("extremes", { x: f32 }, ({ x }, { index }) => {
  const here = { value: x, index: index() };
  return outputs({
    greatest: operators.argmax(f32).reduce(here),
    least: operators.argmin(f32).reduce(here),
  });
});
export default extremes;

export const source = "data/earthquakes.csv:mag";

/** A value and its row, counted from 0 below the headings. */
export interface Found {
  readonly value: number;
  readonly row: number;
}

export async function main(session: Session): Promise<{ greatest: Found; least: Found }> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const ends = await run(session.runtime, extremes, { x });
  const found = (value: Float32Array, index: Uint32Array): Found => ({
    value: value[0] ?? 0,
    row: index[0] ?? 0,
  });
  const greatest = found(ends.greatest_value, ends.greatest_index);
  const least = found(ends.least_value, ends.least_index);
  for (const [what, { value, row }] of Object.entries({ greatest, least })) {
    session.print(`${what} ${session.column} of ${x.length}: ${Number(value.toPrecision(7))}, row ${row}`);
    if (row < columns.length) session.print(`  ${columns.row(row)}`);
  }
  return { greatest, least };
}
