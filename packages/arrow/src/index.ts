/**
 * Pipelines over Apache Arrow columns. Values of primitive columns reach a runtime without a copy, validity bitmaps become masks (a
 * null is the identity of a collective), chunked columns give the bits of one array, and results are Arrow vectors.
 * @module
 */

export { type Bitmap, type BitmapNames, type Masked, type OutputValidity, withBitmaps } from "./masked.ts";
export { type ColumnProgram, overColumns, type ProgramOptions } from "./program.ts";
export type {
  AnyColumn,
  ArrowTypes,
  ColumnOf,
  ColumnOptions,
  ColumnResults,
  ColumnValues,
  ResultOf,
} from "./types.ts";
export type { ArrowLibrary, DataLike, VectorLike } from "./vectors.ts";
