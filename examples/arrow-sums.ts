/**
 * The running sum of an Arrow column with nulls, in the chunks of its file.
 *
 *   npm run example -- arrow-sums
 *   npm run example -- arrow-sums FILE.arrow:COLUMN --target wgsl
 *
 * The file is an Arrow IPC file or stream, and the column is one of 64-bit floats.
 *
 * Why a scan: a running sum is the model of all scans. Tables add nulls: here a null is the identity of the sum, so the
 * kernel reads a bit for each item, and neither values nor bitmaps are copied on the host.
 *
 * Shapes: in, `x`, a Vector<Float64> in any chunks. Out, `sums`, a Vector<Float64> in the same chunks, null where `x` is,
 * as `cumulative_sum` of Arrow with `skip_nulls`; `count`, the number of values that are not null; `mean`, their mean.
 * Chunks run one after the other, and the result has the bits of one array.
 *
 * Look at: the networks report few stations for recent earthquakes, so most of the column is null.
 *
 * Source: Apache Arrow, "Columnar format", validity bitmaps; Blelloch, "Prefix sums and their applications" (1990).
 */
import { overColumns } from "@groupwise/arrow";
import { f64, pipeline, scalar } from "@groupwise/dsl";
import { tableFromIPC, type Vector } from "apache-arrow";
import type { Session } from "./support/program.ts";

const runningSums = pipeline("arrow-sums", { x: f64 }, ({ x }) => {
  const count = x.eq(x).or(x.ne(x)).toU32().reduce("add"); // a comparison with null is null
  return {
    sums: x.scanInclusive("add"),
    count: scalar(count),
    mean: scalar(x.reduce("add").div(count.toF64())),
  };
});
export default runningSums;

export const source = "data/earthquakes.arrow:nst";

export interface Sums {
  /** Null where the column is. */
  readonly sums: readonly (number | null)[];
  readonly chunks: readonly number[];
  readonly count: number | null;
  readonly mean: number | null;
}

export async function main({ runtime, bytes, column, print }: Session): Promise<Sums> {
  const table = tableFromIPC(bytes);
  const x = table.getChild(column);
  const names = table.schema.fields.map(({ name }) => name).join(", ");
  if (x === null) throw new Error(`there is no column ${column}; there are: ${names}`);

  const program = overColumns(runtime, runningSums);
  const { sums, count, mean } = await program.run({ x }, { nullWhere: { sums: "x" } });
  program.dispose();
  print(
    `${column}: ${count} values, ${x.length - (count ?? 0)} nulls in ${x.data.length} chunks, mean ${mean?.toFixed(2)}`,
  );
  for (let i = 0; i < x.length; i += 20) print(`${String(i).padStart(6)} ${shown(x, i)} ${shown(sums, i)}`);
  return { sums: listOf(sums), chunks: sums.data.map(({ length }) => length), count, mean };
}

const listOf = (vector: Vector): (number | null)[] =>
  Array.from({ length: vector.length }, (_, i) => vector.get(i) as number | null);
const shown = (vector: Vector, i: number): string =>
  (vector.get(i) === null ? "null" : String(vector.get(i))).padStart(8);
