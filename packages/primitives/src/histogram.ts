import { requireArgument, requireType, type Wanted, whole } from "@groupwise/core/target";
import { type PipelineDefinition, pipeline, type ScalarType, type Scatter, u32 } from "@groupwise/dsl";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";

const BINS: Wanted = /*@__PURE__*/ whole(0, 2 ** 32 - 1);

/**
 * The number of items in each bin.
 *
 * `x`: n items, the numbers of their bins; items with numbers of `bins` or more are ignored. `counts`: `bins`
 * numbers. Over no items: all 0. One pass; sums are modulo 2^32. Up to 2,048 bins are counted in work-group memory
 * first; with more bins, every item adds 1 to its bin in device memory.
 */
export function histogram(
  bins: number,
): PipelineDefinition<{ readonly x: ScalarType<"u32"> }, { readonly counts: Scatter<"u32"> }> {
  requireArgument(bins, BINS, "bins of histogram");
  return pipeline(`histogram-${bins}`, { x: u32 }, ({ x }) => ({
    counts: u32(1)
      .perItem()
      .scatter({ to: x, where: x.lt(bins), capacity: bins, combine: "add" }),
  }));
}

/**
 * The sum of the weights of each bin, for integers, whose sums have the same bits in any order. For floats,
 * sort by bin and use `reduceByKey`.
 *
 * `x`: n items, the numbers of their bins; items with numbers of `bins` or more are ignored. `weights`: n
 * items. `sums`: `bins` numbers, modulo 2^32. Over no items: all 0.
 */
export function weightedHistogram<S extends "i32" | "u32">(
  bins: number,
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: ScalarType<"u32">; readonly weights: TypeOf<S> },
  { readonly sums: Scatter<S> }
> {
  requireArgument(bins, BINS, "bins of weightedHistogram");
  requireType("weightedHistogram", type, (one) => one === "i32" || one === "u32");
  const inputs = { x: u32, weights: standIn(type) };
  const made = pipeline(`weighted-histogram-${bins}-${type.type}`, inputs, ({ x, weights }) => ({
    sums: weights.scatter({ to: x, where: x.lt(bins), capacity: bins, combine: "add" }),
  }));
  return ofTrueType(made);
}
