/**
 * The core of groupwise: element types and operators as tables, the Pipeline IR with its rules and its
 * reference interpreter, the interfaces of targets, artifacts and runtimes, manifests, and errors as data. The entry
 * `@groupwise/core/kernel` has the Kernel IR and shared code of printers, `@groupwise/core/schema` has JSON
 * documents.
 * @module
 */
export type { Capabilities } from "./compiler/capabilities/capabilities.ts";

export type { Plan } from "./compiler/lower.ts";

export type { DeviceArray, DeviceCount } from "./host/api/device-array.ts";
export type {
  CompileOptions,
  DeviceInfo,
  DeviceTime,
  Executable,
  LoadedProgram,
  Recorder,
  RunOptions,
  Runtime,
  StepOptions,
  WaitFor,
} from "./host/api/runtime.ts";
export {
  type Artifact,
  type EmitOptions,
  emit,
  type PipelineSource,
  plan,
  type SourceFile,
  type Target,
} from "./host/api/target.ts";
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
} from "./host/api/typed.ts";

export type { Range } from "./host/checks/range.ts";
export { explain } from "./host/plan/explain.ts";
export type { ExplainOptions, Explanation } from "./host/plan/explanation.ts";
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
} from "./host/plan/manifest.ts";
export { printExplanation } from "./host/plan/print-explanation.ts";

export type { Tuning } from "./host/tuning/tuning.ts";
export { ERROR_CODES, type ErrorCode, GroupwiseError } from "./ir/base/errors.ts";
export { evaluate, type Formula } from "./ir/base/formula.ts";
export { type Checked, check, problemsOf } from "./ir/document/check.ts";
export { LIMITS } from "./ir/document/limits.ts";
export type { NodeId, Pipeline, PipelineNode, Scope } from "./ir/document/node.ts";
export type { Operator } from "./ir/document/operator.ts";
export { type ReferenceOutputs, reference } from "./ir/reference/reference.ts";
export type { Literal } from "./ir/tables/literal.ts";
export type { ArrayType, Narrow } from "./ir/tables/narrow.ts";
export { OP_NAMES, type Op } from "./ir/tables/op.ts";
export { type HostArray, SCALAR_NAMES, type Scalar, type ScalarValue } from "./ir/tables/scalar.ts";
