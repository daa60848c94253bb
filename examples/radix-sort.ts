/**
 * The rows of a table in the order of a column, the greatest first.
 *
 *   npm run example -- radix-sort
 *   npm run example -- radix-sort FILE.csv:COLUMN --target all
 *
 * Why a scan: a radix sort processes the digits of the keys, starting with the lowest. In each pass an item moves after all
 * items of a smaller digit and all earlier items of its own, and their number is an exclusive sum of counts. Equal keys keep
 * their order, so the passes together sort the keys. Floats sort like integers once some bits are inverted: all bits of
 * negative numbers, and the sign of others.
 *
 * Shapes: in, `keys`, f32, and `values`, u32, the row numbers, one for each row. Out, `sorted` and `moved`, the same in
 * the new order. The passes are many runs of a few pipelines, in one recording. Nothing is read back between them.
 *
 * Look at: the strongest earthquakes of the week; of equal ones the latest is first, as in the file.
 *
 * Source: Zagha, Blelloch, "Radix sort for vector multiprocessors" (1991). The sort is ready-made in @groupwise/primitives.
 */
import { f32, u32 } from "@groupwise/dsl";
import { radixSort } from "@groupwise/primitives";
import { columnsOf } from "./support/columns.ts";
import type { Session } from "./support/program.ts";

const sort = radixSort(f32, { pairs: u32, descending: true });

export const source = "data/earthquakes.csv:mag";
const SHOWN = 12;

/** Keys in their order, and the rows they come from, counted from 0 below the headings. */
export interface Sorted {
  readonly keys: Float32Array;
  readonly rows: Uint32Array;
}

export async function main(session: Session): Promise<Sorted> {
  const columns = await columnsOf(session);
  const keys = columns.numbers(session.column);
  const values = Uint32Array.from(keys, (_, row) => row);
  const { sorted, moved } = await sort.runOn(session.runtime, { keys, values });

  session.print(`the first ${Math.min(SHOWN, keys.length)} of ${keys.length} by ${session.column}:`);
  for (const row of moved.subarray(0, SHOWN)) session.print(`  ${columns.row(row)}`);
  return { keys: sorted, rows: moved };
}
