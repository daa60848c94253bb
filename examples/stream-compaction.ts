/**
 * The values above a limit, without gaps and in their order, and the rows they come from.
 *
 *   npm run example -- stream-compaction
 *   npm run example -- stream-compaction FILE.csv:COLUMN --target all
 *
 * Why a scan: the index of a kept item is the number of earlier items that are kept. The exclusive sum of the condition
 * gives every item its index, and a scatter writes it there. Sorting, partitioning and parsing use the same step.
 *
 * Shapes: in, `x`, f32, one for each row, and the parameter `limit`, f32. Out, `kept`, f32, and `rows`, u32, one for each
 * kept item, and `count`, u32, one: their number. On a device the arrays are as long as the input, and the next step can use
 * `count` without reading it back.
 *
 * Look at: the days with more than an inch of rain in Seattle; almost all are from October to March.
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.3; Horn, "Stream reduction operations for GPGPU
 * applications", GPU Gems 2 (2005), 36. @groupwise/primitives has it ready-made.
 */
import { f32, param, pipeline } from "@groupwise/dsl";
import { columnsOf } from "./support/columns.ts";
import { run, type Session } from "./support/program.ts";

const compaction = pipeline("stream-compaction", { x: f32, limit: param(f32) }, ({ x, limit }, { index }) => {
  const stays = x.gt(limit);
  const { before, total } = stays.toU32().scanWithTotal("add");
  const place = { to: before, where: stays, length: total };
  return { kept: x.scatter(place), rows: index().scatter(place), count: total };
});
export default compaction;

export const source = "data/seattle-weather.csv:precipitation";
const INCH = 25.4;

/** What stays, and the rows it comes from, counted from 0 below the headings. */
export interface Kept {
  readonly kept: Float32Array;
  readonly rows: Uint32Array;
}

export async function main(session: Session): Promise<Kept> {
  const columns = await columnsOf(session);
  const x = columns.numbers(session.column);
  const { kept, rows, count } = await run(session.runtime, compaction, { x, limit: INCH });
  session.print(`${count[0]} of ${x.length} have a ${session.column} above ${INCH}:`);
  for (const row of rows.subarray(0, 40)) session.print(`  ${columns.row(row)}`);
  return { kept, rows };
}
