/**
 * Declares pipelines: typed, immutable values that become the Pipeline IR.
 * @module
 */

export { packBits, unpackBits } from "./base/bitmaps.ts";
export { type BitsOutput, type BitsType, type BitTable, type BitTableType, bits } from "./declare/bits.ts";
export { type Compaction, compaction } from "./declare/compaction.ts";
export type { Context } from "./declare/context.ts";
export {
  type AnyNarrowType,
  bf16,
  i8,
  i16,
  type NarrowOperands,
  type NarrowOptions,
  type NarrowType,
  u8,
  u16,
} from "./declare/narrow.ts";
export { ends, starts } from "./declare/neighbours.ts";
export {
  type OperatorDefinition,
  type OperatorRules,
  operator,
  type RecordCollectiveOptions,
} from "./declare/operator.ts";
export { pipeline } from "./declare/pipeline.ts";
export {
  type ArrayOf,
  arrayOf,
  fields,
  type OutputsOf,
  outputs,
  type RecordHost,
  type RecordOf,
  type RecordOperand,
  type RecordResult,
  type RecordType,
  type RecordTypeOf,
} from "./declare/record.ts";
export {
  type AnyScalarType,
  bool,
  constant,
  f16,
  f32,
  f64,
  i32,
  i64,
  type ParamOptions,
  type ParamType,
  param,
  type ScalarType,
  scalar,
  select,
  type TableType,
  table,
  u32,
  u64,
} from "./declare/scalar-type.ts";
export type {
  AnyBitsType,
  Applied,
  Arguments,
  Handles,
  HostArrays,
  InferInputs,
  InferOutputs,
  InferParams,
  InferTables,
  InferValues,
  InputTypes,
  Outputs,
  OutputTypes,
  ParamTypes,
  PipelineDefinition,
  PipelineOptions,
  ScalarTypes,
  Signature,
  TableTypes,
  WorkGroupSize,
} from "./declare/signature.ts";
export * from "./operators/index.ts";
/** The ready-made operators under one name: `operators.argmax(f32)`. */
export * as operators from "./operators/index.ts";
export type {
  ElementaryFunctions,
  FastOptions,
  FloatFunctions,
  IntegerFunctions,
  NumericFunctions,
} from "./values/functions.ts";
export type * from "./values/value.ts";
