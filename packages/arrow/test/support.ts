/** Columns of random chunks, slices and nulls, as plain lists and as vectors. */
import type { DataType } from "apache-arrow";
import { Vector, vectorFromArray } from "apache-arrow";
import fc from "fast-check";

/** A list with nulls, and where chunks end. */
export interface Plan<T> {
  readonly items: readonly (T | null)[];
  readonly cuts: readonly number[];
  /** Items before and after it in the buffers of each chunk, which slices leave out. */
  readonly margin: number;
}

/** Lists of up to `most` items with nulls, in up to five chunks, empty ones too. */
export const plans = <T>(item: fc.Arbitrary<T>, most = 70): fc.Arbitrary<Plan<T>> =>
  fc.record({
    items: fc.array(fc.option(item, { nil: null, freq: 3 }), { maxLength: most }),
    cuts: fc.array(fc.nat(most), { maxLength: 4 }),
    margin: fc.nat(11),
  });

/** The vector of a plan: each chunk is a slice of a longer one. */
export function vectorOf<D extends DataType>({ items, cuts, margin }: Plan<unknown>, type: D): Vector<D> {
  const ends = [...cuts.map((cut) => Math.min(cut, items.length)), items.length].sort((a, b) => a - b);
  const filler = items.length > 0 ? Array.from({ length: margin }, (_, i) => items[i % items.length]) : [];
  const chunks = ends.map((end, i) => {
    const own = items.slice(ends[i - 1] ?? 0, end);
    const longer = vectorFromArray([...filler, ...own, ...filler], type) as Vector<D>;
    return longer.slice(filler.length, filler.length + own.length);
  });
  return new Vector(chunks.flatMap(({ data }) => data)) as Vector<D>;
}

/** What a vector holds, item by item. */
export const listOf = (vector: Vector): unknown[] =>
  Array.from({ length: vector.length }, (_, i) => vector.get(i));
