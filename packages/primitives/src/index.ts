/**
 * What libraries are made of, composed from scans: each a few lines of the DSL, to use and to learn from. Those of one
 * step are pipelines, to run, to emit and to apply to values of other pipelines; those of several are a {@link Primitive}.
 * @module
 */
export { compact } from "./compact.ts";
export * from "./grid.ts";
export * from "./histogram.ts";
export { mergeCounts } from "./merge-counts.ts";
export type { ColumnScalars, ColumnScatters, Columns, ColumnTypes } from "./monoid.ts";
export { countsToOffsets } from "./offsets.ts";
export { partition } from "./partition.ts";
export * from "./primitive.ts";
export {
  type KeySort,
  type PairSort,
  type RadixSortOptions,
  radixSort,
  type SortNumbers,
} from "./radix/radix-sort.ts";
export { type SelectNumbers, type SelectOptions, selectNth, type TopNumbers, topK } from "./radix/select.ts";
export * from "./reduce-by-key.ts";
export { runLengthDecode } from "./run-length-decode.ts";
export { runLengthEncode } from "./run-length-encode.ts";
export { endsRun, startsRun } from "./runs.ts";
export * from "./segmented.ts";
export { type NumericScalar, spmv } from "./spmv.ts";
export type { TypeOf } from "./stand-in.ts";
export { unique } from "./unique.ts";
