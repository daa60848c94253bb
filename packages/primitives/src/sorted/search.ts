import type { ArrayType } from "@groupwise/core";
import { BOOLEAN, oneOf, optionsOf, whole } from "@groupwise/core/target";
import { type PipelineDefinition, pipeline, type TableType, table, type U32Value, u32 } from "@groupwise/dsl";
import { type ElementType, ofTrueType, standIn, type TypeOf } from "../base/stand-in.ts";
import { greatest, type SortedOptions, sortedOrder } from "./order.ts";

/** Options of a search. */
export interface SearchOptions extends SortedOptions {
  /**
   * `lower`, the default: the number of elements before a value, which is the first place where it can be inserted. `upper`: of those that are
   * not after it, the last such place.
   */
  readonly bound?: "lower" | "upper";
  /** Only so many elements of the table are searched, from its first; default: all. A search takes a read for each bit of this number. */
  readonly most?: number;
}

const MOST = 2 ** 32 - 1;
const OPTIONS = {
  ...{ descending: BOOLEAN, bound: /*@__PURE__*/ oneOf("lower", "upper") },
  most: /*@__PURE__*/ whole(1, MOST),
};

/**
 * Where values belong in a sorted table: the lower or the upper bound of each.
 *
 * `x`: n items, in any order. `sorted`: m elements, which do not descend (with `descending`, do not ascend). `places`: n numbers from 0 to m.
 * -0 equals +0; NaNs equal one another and are last, in either direction. In an empty table every place is 0. One pass; each item reads the
 * table 32 times, or once for each bit of `most`. Of a table that is not sorted, places are some numbers from 0 to m.
 *
 * Source: `thrust::lower_bound` and `upper_bound` of many values; `numpy.searchsorted` with `side` "left" and "right".
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { searchSorted } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(searchSorted(f32, { bound: "upper" }));
 * const { places } = await program.run({ x: Float32Array.of(2, 0, 9), sorted: Float32Array.of(1, 2, 2, 5) });
 * console.log(places); // [3, 0, 4]
 * ```
 */
export function searchSorted<S extends ArrayType>(
  type: ElementType<S>,
  options?: SearchOptions,
): PipelineDefinition<
  { readonly x: TypeOf<S>; readonly sorted: TableType<S> },
  { readonly places: U32Value }
> {
  const read = optionsOf(options, OPTIONS, "the options of searchSorted") as SearchOptions;
  const { bound = "lower", most = MOST, descending } = read;
  const order = sortedOrder("searchSorted", type, { descending });
  const bits = 32 - Math.clz32(most);
  const inputs = { x: standIn(type), sorted: table(standIn(type)) };
  const name = ["search-sorted", bound, order.name, ...(most < MOST ? [most] : [])].join("-");
  const made = pipeline(name, inputs, ({ x, sorted }) => ({
    places: greatest(bits, sorted.length.min(u32(most)), (count) => {
      const last = sorted.at(count.sub(1));
      return bound === "lower" ? order.isBefore(last, x) : order.isBefore(x, last).not();
    }),
  }));
  return ofTrueType(made);
}
