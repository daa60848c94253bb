/**
 * Building blocks for libraries, composed from scans, each in a few lines of the DSL. Primitives of one step
 * are pipelines, which can be run, emitted and applied to values of other pipelines; those of several steps
 * are a {@link Primitive}.
 * @module
 */

export * from "./axis.ts";
export { type AxisSortNumbers, axisSort } from "./axis-sort.ts";
export type { ColumnScalars, ColumnScatters, Columns, ColumnTypes } from "./base/monoid.ts";
export { countsToOffsets } from "./base/offsets.ts";
export * from "./base/primitive.ts";
export type { ElementType, TypeOf } from "./base/stand-in.ts";
export { compact } from "./compact.ts";
export * from "./grid.ts";
export * from "./histogram.ts";
export { type HistogramRange, histogramEdges, type RangeCounts, type RangedType } from "./histogram-range.ts";
export { mergeCounts } from "./merge-counts.ts";
export { partition } from "./partition.ts";
export {
  argsort,
  type KeyTypes,
  type LexSort,
  type LexSortOptions,
  lexSort,
} from "./radix/argsort.ts";
export { type KeySort, type PairSort, type RadixSortOptions, radixSort } from "./radix/radix-sort.ts";
export {
  type SegmentedKeySort,
  type SegmentedPairSort,
  type SegmentedSortOptions,
  segmentedSort,
} from "./radix/segmented-sort.ts";
export {
  type PartialSort,
  partialSort,
  type SelectNumbers,
  type SelectOptions,
  selectNth,
  type TopNumbers,
  topK,
} from "./radix/select.ts";
export type { SortNumbers } from "./radix/windows.ts";
export { type ReduceByIndex, type ReduceByIndexOptions, reduceByIndex } from "./reduce-by-index.ts";
export * from "./reduce-by-key.ts";
export { runLengthDecode } from "./run-length-decode.ts";
export { runLengthEncode } from "./run-length-encode.ts";
export * from "./segmented.ts";
export { type KeyMerge, merge, type PairMerge } from "./sorted/merge.ts";
export type { SortedOptions } from "./sorted/order.ts";
export { type SearchOptions, searchSorted } from "./sorted/search.ts";
export {
  type SetOperation,
  setDifference,
  setIntersection,
  setSymmetricDifference,
  setUnion,
} from "./sorted/sets.ts";
export { type NumericScalar, spmv } from "./spmv.ts";
export { unique } from "./unique.ts";
