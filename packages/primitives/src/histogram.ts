import { ANY, requireArguments, requireType, type Wanted, whole } from "@groupwise/core/target";
import { type PipelineDefinition, pipeline, type ScalarType, type Scatter, u32 } from "@groupwise/dsl";
import { type ElementType, ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";
import { type HistogramRange, type RangeCounts, type RangedType, rangeHistogram } from "./histogram-range.ts";

const BINS: Wanted = /*@__PURE__*/ whole(0, 2 ** 32 - 1);

/**
 * The number of items in each bin, by the numbers of their bins.
 *
 * `x`: n items, the numbers of their bins; items with numbers of `bins` or more are ignored. `counts`: `bins`
 * numbers. Over no items: all 0. One pass; sums are modulo 2^32. Up to 2,048 bins are counted in work-group memory
 * first; with more bins, every item adds 1 to its bin in device memory.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { histogram } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(histogram(f32, { from: 0, to: 1, bins: 4 }));
 * const { counts, above } = await program.run({ x: Float32Array.of(0.1, 0.3, 0.35, 1, 7) });
 * console.log(counts); // [1, 2, 0, 1]
 * console.log(above); // [1]
 * ```
 */
export function histogram(
  bins: number,
): PipelineDefinition<{ readonly x: ScalarType<"u32"> }, { readonly counts: Scatter<"u32"> }>;
/**
 * The number of items in each of `bins` equal parts of a range, for floats and integers: items from an edge up to the next one, which only
 * the last bin includes, as in NumPy. Items outside and NaNs are counted apart.
 *
 * `x`: n items. `counts`: `bins` numbers; `below`, `above`, `nans`: one each. -0 equals +0. Over no items: all 0. Item x is in bin
 * floor((x - from) bins / (to - from)), exactly for integers. For floats it is (x - from) scale, in f32 (in f64 for f64), each operation and the scale
 * rounded: an item within roundings of an inner edge may be in the bin beside it; `histogramEdges` compares with the edges themselves. One pass; counts
 * as for numbers of bins. Of integers, each item compares with an edge for each bit of `bins`.
 * @throws GroupwiseError `bad-argument`; `bad-usage` for a range that is empty, or not of the type
 *
 * Source: `numpy.histogram` with `range`, `cub::DeviceHistogram::HistogramEven`, whose last bin does not include its upper edge.
 */
export function histogram<S extends RangedType>(
  type: ElementType<S>,
  range: HistogramRange<S>,
): PipelineDefinition<{ readonly x: TypeOf<S> }, RangeCounts>;
export function histogram(of: unknown, ...rest: readonly unknown[]): unknown {
  if (typeof of !== "number" || rest.length > 0) return rangeHistogram(of as ElementType, rest[0]);
  requireArguments(arguments, "histogram", { bins: BINS });
  return pipeline(`histogram-${of}`, { x: u32 }, ({ x }) => ({
    counts: u32(1)
      .perItem()
      .scatter({ to: x, where: x.lt(of), capacity: of, combine: "add" }),
  }));
}

/**
 * The sum of the weights of each bin, for integers, whose sums have the same bits in any order. For floats,
 * sort by bin and use `reduceByKey`.
 *
 * `x`: n items, the numbers of their bins; items with numbers of `bins` or more are ignored. `weights`: n
 * items. `sums`: `bins` numbers, modulo 2^32. Over no items: all 0.
 * @example
 * ```ts
 * import { u32 } from "@groupwise/dsl";
 * import { weightedHistogram } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(weightedHistogram(3, u32));
 * const { sums } = await program.run({ x: Uint32Array.of(0, 2, 0), weights: Uint32Array.of(5, 7, 1) });
 * console.log(sums); // [6, 0, 7]
 * ```
 */
export function weightedHistogram<S extends "i32" | "u32">(
  bins: number,
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: ScalarType<"u32">; readonly weights: TypeOf<S> },
  { readonly sums: Scatter<S> }
> {
  requireArguments(arguments, "weightedHistogram", { bins: BINS, type: ANY });
  requireType("weightedHistogram", type, (one) => one === "i32" || one === "u32");
  const inputs = { x: u32, weights: standIn(type) };
  const made = pipeline(`weighted-histogram-${bins}-${type.type}`, inputs, ({ x, weights }) => ({
    sums: weights.scatter({ to: x, where: x.lt(bins), capacity: bins, combine: "add" }),
  }));
  return ofTrueType(made);
}
