/**
 * The core of groupwise: element types and operators as tables, the Pipeline IR with its rules and its
 * reference interpreter, the interfaces of targets, artifacts and runtimes, manifests, and errors as data. The entry
 * `@groupwise/core/kernel` has the Kernel IR and shared code of printers, `@groupwise/core/schema` has JSON
 * documents.
 * @module
 */

export { ERROR_CODES, type ErrorCode, GroupwiseError } from "@groupwise/ir/base/errors.js";
export { evaluate, type Formula } from "@groupwise/ir/base/formula.js";
export { type Checked, check, problemsOf } from "@groupwise/ir/document/check.js";
export { LIMITS } from "@groupwise/ir/document/limits.js";
export type { NodeId, Pipeline, PipelineNode, Scope } from "@groupwise/ir/document/node.js";
export type { Operator } from "@groupwise/ir/document/operator.js";
export { type ReferenceOutputs, reference } from "@groupwise/ir/reference/reference.js";
export type { Literal } from "@groupwise/ir/tables/literal.js";
export type { ArrayType, Narrow } from "@groupwise/ir/tables/narrow.js";
export { OP_NAMES, type Op } from "@groupwise/ir/tables/op.js";
export { type HostArray, SCALAR_NAMES, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
export type { Capabilities, VectorLoop, Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
export type { Plan } from "@groupwise/lower/lower.js";
export type { DeviceArray, DeviceCount } from "@groupwise/runtime/api/device-array.js";
export { type Float16View, float16Of } from "@groupwise/runtime/api/halves.js";
export type {
  CompileOptions,
  DeviceInfo,
  DeviceTime,
  Executable,
  LoadedProgram,
  ProbedRow,
  ProbeReport,
  Recorder,
  RunOptions,
  Runtime,
  RuntimeStats,
  SmallRuns,
  StepOptions,
  WaitFor,
} from "@groupwise/runtime/api/runtime.js";
export {
  type Artifact,
  type EmitOptions,
  emit,
  type PipelineSource,
  plan,
  type SourceFile,
  type Target,
} from "@groupwise/runtime/api/target.js";
export type {
  HostArrays,
  HostScalars,
  InferInputs,
  InferOutputs,
  InferParams,
  InferTables,
  InferValues,
  ResultArrays,
  RunOutputs,
  RunValues,
  TypedPipeline,
} from "@groupwise/runtime/api/typed.js";
export type { Range } from "@groupwise/runtime/checks/range.js";
export { explain } from "@groupwise/runtime/plan/explain.js";
export type { ExplainOptions, Explanation } from "@groupwise/runtime/plan/explanation.js";
export {
  type Binding,
  type CallArgument,
  type CallArray,
  type CallScalar,
  type Manifest,
  type ManifestCall,
  type ManifestParam,
  type ParamBlock,
  type Pass,
  printManifest,
} from "@groupwise/runtime/plan/manifest.js";
export type { PassUse } from "@groupwise/runtime/plan/parts-of-arrays.js";
export { printExplanation } from "@groupwise/runtime/plan/print-explanation.js";
export { type SmallOption, smallRuns } from "@groupwise/runtime/run/small.js";
export type { Tuning } from "@groupwise/runtime/tuning/tuning.js";
