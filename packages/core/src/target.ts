/**
 * For authors of targets, runtimes and tools: the tables of types and operators, the nodes of documents, capabilities, formulas, and
 * the checks and parts that runtimes share. The Kernel IR is in `@groupwise/core/kernel`.
 * @module
 */

export type {
  KindTiles,
  LookBack,
  LookBackShape,
  LookBackTraits,
  RoutineArrays,
  Subgroups,
  TileKind,
  TilesByKind,
} from "./compiler/capabilities/capabilities.ts";
export {
  debugging,
  type Execution,
  type Expansion,
  GROUP_FEATURES,
  type GroupFeature,
  hasSiblings,
  hasWideSubgroups,
  isSupported,
  lackingSubgroups,
  lookBackFor,
  type Quirk,
  quicklyCompiled,
  type Support,
  type TileSize,
  type Unsupported,
} from "./compiler/capabilities/capabilities.ts";
export { type CoreChunks, chunksFor } from "./compiler/capabilities/chunks.ts";
export {
  HALF_FORMS,
  HALF_REQUIREMENTS,
  type HalfConversions,
  halfFormOf,
  withHalfConversions,
} from "./compiler/capabilities/half-conversions.ts";
export {
  allowingFlush,
  flushing,
  type ShortFloat,
  SUBNORMAL_REQUIREMENTS,
  type Subnormals,
} from "./compiler/capabilities/subnormals.ts";
export type { LookBackSize, Tiles } from "./compiler/capabilities/tiles.ts";
export type { HostForm, Memory, MemoryType } from "./compiler/kernel/memory.ts";
export { splitPlan } from "./compiler/lower.ts";
export type { OutputFacts } from "./compiler/parts/lengths.ts";
export type { Split } from "./compiler/passes/base/pass.ts";
export { preferredStrategy } from "./compiler/strategies.ts";
export { HALF_ROUNDS, HALF_STEP, HALF_WORDS, HalfTest, OTHER_HALVES } from "./host/api/half-conversions.ts";
export { kindOf } from "./host/api/host-view.ts";
export type { UntypedCompile } from "./host/api/runtime.ts";
export { type SubgroupTrials, subgroupProblem, trySubgroups } from "./host/api/subgroups.ts";
export { GENERATOR, pipelineOf, planTried, type Trial } from "./host/api/target.ts";
export {
  type DeviceFacts,
  type DeviceSurvey,
  type FormWriter,
  type FoundDevice,
  firstLine,
  type HeaderChoices,
  type HeaderOption,
  type HeaderWriter,
  type HostWriter,
  loadFailure,
  type MachineFacts,
  type MissingPart,
  type OpenOptions,
  surveyMissing,
  type TargetTools,
} from "./host/api/tools.ts";
export type {
  ArrayTypesByName,
  InferOutputArrays,
  InPlace,
  NoNames,
  RunArrays,
  RunResults,
  SharedNames,
  StepArrays,
  TypesByName,
} from "./host/api/typed.ts";
export { ARTIFACT, compileOptionsOf, foreignExecutable, RECORDER, RUNTIME } from "./host/checks/arguments.ts";
export type { NewArray } from "./host/checks/checks.ts";
export { newArray, sliceOf, writable } from "./host/checks/checks.ts";
export { contentKey } from "./host/checks/content-key.ts";
export {
  checkDivisors,
  elementsOf,
  inputsOf,
  type Launch,
  mostElements,
  type Prepared,
  prepareLaunch,
  prepareRun,
  tablesOf,
  withItems,
} from "./host/checks/host.ts";
export { checkedItems, checkedSides, type Lengths } from "./host/checks/range.ts";
export {
  checkStatus,
  finishRun,
  fromDevice,
  type InMemory,
  statusError,
  toDevice,
} from "./host/checks/results.ts";
export { requireType } from "./host/checks/types.ts";
export { checkNames, userParams } from "./host/checks/user-values.ts";
export type { ExplainedOperator, NativeUse, SubgroupUse } from "./host/plan/explain.ts";
export type { ExplainedArray, ExplainedFast, ExplainedPass, Size } from "./host/plan/explanation.ts";
export {
  type ArrayRules,
  alignedBytes,
  LEAST_SUBGROUP,
  MANIFEST_VERSION,
  OWN_ARRAYS,
  requireVersion,
  SCRATCH_ALIGNMENT,
} from "./host/plan/manifest.ts";
export {
  type ArrayMemory,
  ArrayProgram,
  type ArrayProgramParts,
  type Call,
} from "./host/run/array-program.ts";
export { type CacheRules, type Lease, MOST_UNUSED, SharedCache } from "./host/run/cache.ts";
export { type InspectRun, inspectorOf } from "./host/run/debug.ts";
export { type Host, HostDeviceArray, hostZeros } from "./host/run/host-array.ts";
export { HostDevice, type HostProgram, type HostStep } from "./host/run/host-device.ts";
export { type Hosted, type HostedParts, hostedRuntime } from "./host/run/hosted.ts";
export { type Layout, layoutOf } from "./host/run/layout.ts";
export { NOTHING_COMPILED, OWN_SCRATCH, withoutArrays } from "./host/run/none.ts";
export { readOf, type StepUse, submitted, useOf, written } from "./host/run/outcomes.ts";
export { overlap } from "./host/run/overlap.ts";
export type { OwnArray } from "./host/run/own-array.ts";
export { type ShapeResults, shapeOf } from "./host/run/scalar-outputs.ts";
export type { ScratchOptions } from "./host/run/scratch.ts";
export { isOptional, type ScratchPlan, scratchPlan } from "./host/run/scratch.ts";
export { prepareStep, type Step, type StepChecks } from "./host/run/step.ts";
export { requireTunedFor } from "./host/tuning/select.ts";
export {
  ANY,
  BOOLEAN,
  FUNCTION,
  having,
  LIST,
  NUMBER,
  OBJECT,
  oneOf,
  optionsOf,
  recordOf,
  requireArgument,
  required,
  type Schema,
  shaped,
  TEXT,
  TEXTS,
  type Wanted,
  whole,
} from "./ir/base/arguments.ts";
export type { ErrorDetails } from "./ir/base/errors.ts";
export { errorOf, type Wording } from "./ir/base/errors.ts";
export type { Extent, Sides } from "./ir/base/formula.ts";
export {
  countOf,
  extentOf,
  type FormulaOp,
  type FormulaScalar,
  type FormulaScalars,
  type FormulaVariable,
  formula,
  itemsIn,
  partsOfFormula,
  printFormula,
  SIDES,
  sumOf,
} from "./ir/base/formula.ts";
export { choiceOf, nearestName, unknownFunction } from "./ir/base/near-names.ts";
export { printable } from "./ir/base/quote.ts";
export {
  COLLECTIVES,
  type CollectiveSpec,
  formOf,
  isCollective,
  isMonoid,
  isPerItem,
  isPick,
  isScan,
} from "@groupwise/ir/document/collectives.js";
export { type FastUse, fastUseOf } from "@groupwise/ir/document/fast.js";
export { COMBINES } from "@groupwise/ir/document/limits.js";
export {
  type AllNode,
  type AnyNode,
  type BinaryNode,
  type BitcastNode,
  type BroadcastNode,
  type CastNode,
  type CollectiveForm,
  type CollectiveNode,
  type ConstNode,
  type ExclusiveScanNode,
  FORMAT_VERSION,
  type FunctionNode,
  type GatherNode,
  type InclusiveScanNode,
  type InputNode,
  type MonoidCollective,
  type NodeKind,
  type Order,
  type OutputNode,
  type ParamNode,
  type PickCollective,
  type QueryNode,
  type RankNode,
  type ReduceNode,
  type ScanNode,
  type ScatterCombine,
  type ScatterNode,
  type SelectNode,
  type SinkNode,
  type SpreadNode,
  type TableLengthNode,
  type TableNode,
  type UnaryNode,
  type UserCollectiveNode as FoldNode,
  type UserScanNode as ScanFoldNode,
  type ValueNode,
  type VoteNode,
} from "@groupwise/ir/document/node.js";
export { groupSizeOf, isSink, mapOperands, operandsOf } from "@groupwise/ir/document/operands.js";
export type { OperatorNode } from "@groupwise/ir/document/operator.js";
export {
  type LeftNode,
  OPERATOR_LIMITS,
  type OperatorField,
  type OperatorNodeKind,
  type RightNode,
  typesOfOperator,
} from "@groupwise/ir/document/operator.js";
export { applierOf, applyOperator, identityOf } from "@groupwise/ir/document/operator-apply.js";
export { LAST_DIMENSION, QUERIES, type Query, type QuerySpec } from "@groupwise/ir/document/query.js";
export { HOST_OPS, type HostOp } from "@groupwise/ir/document/rules.js";
export { typeOfSink } from "@groupwise/ir/document/sink-type.js";
export {
  atMost,
  SCOPE_UNIFORMITY,
  type Uniformity,
  uniformityOf,
} from "@groupwise/ir/document/uniformity.js";
export { FUNCTION_ROWS, isElementary } from "@groupwise/ir/functions/functions.js";
export {
  type BinaryElementary,
  type BitFunction,
  type ElementaryFunction,
  type FunctionName,
  type FunctionSpec,
  type IntegerFunction,
  isOn,
  type NumericFunction,
  type OwnOr,
  type RoundingFunction,
  resolved,
  type UnaryElementary,
} from "@groupwise/ir/functions/spec.js";
export type { ReferenceRun } from "@groupwise/ir/reference/reference.js";
export { bitcastValue, castValue, wordOf } from "@groupwise/ir/tables/convert-value.js";
export {
  type ArithmeticOp,
  BINARY,
  type BinaryOp,
  type BinarySpec,
  type CompareOp,
  type IntegerOp,
  isCompare,
  UNARY,
  type UnaryOp,
  type UnarySpec,
} from "@groupwise/ir/tables/expr-op.js";
export { decodeLiteral, encodeLiteral, sameValue } from "@groupwise/ir/tables/literal.js";
export {
  ARRAY_TYPES,
  type ArraySpec,
  arraySpec,
  bfloatToNumber,
  isNarrow,
  NARROW,
  NARROW_NAMES,
  type NarrowHostArray,
  type NarrowSpec,
  numberToBfloat,
  storedValue,
  valueTypeOf,
} from "@groupwise/ir/tables/narrow.js";
export {
  isLogical,
  normalisedValue,
  normalises,
  OPS,
  type OpFor,
  type OpSpec,
  opExists,
} from "@groupwise/ir/tables/op.js";
export {
  type FloatScalar,
  halfToNumber,
  type IntegerScalar,
  isFloat,
  isScalar,
  numberToHalf,
  SCALARS,
  type ScalarKind,
  type ScalarSpec,
  type ScalarsWith,
  type Traits,
  type WordForm,
} from "@groupwise/ir/tables/scalar.js";
export type {
  KindTiles,
  LookBack,
  LookBackShape,
  LookBackTraits,
  RoutineArrays,
  Subgroups,
  TileKind,
  TilesByKind,
} from "@groupwise/kernel/capabilities/capabilities.js";
export {
  debugging,
  type Execution,
  type Expansion,
  GROUP_FEATURES,
  type GroupFeature,
  hasSiblings,
  hasWideSubgroups,
  isSupported,
  lackingSubgroups,
  lookBackFor,
  type Quirk,
  quicklyCompiled,
  type Support,
  type TileSize,
  type Unsupported,
} from "@groupwise/kernel/capabilities/capabilities.js";
export { type CoreChunks, chunksFor } from "@groupwise/kernel/capabilities/chunks.js";
export {
  HALF_FORMS,
  HALF_REQUIREMENTS,
  type HalfConversions,
  halfFormOf,
  withHalfConversions,
} from "@groupwise/kernel/capabilities/half-conversions.js";
export {
  allowingFlush,
  flushing,
  type ShortFloat,
  SUBNORMAL_REQUIREMENTS,
  type Subnormals,
} from "@groupwise/kernel/capabilities/subnormals.js";
export type { LookBackSize, Tiles } from "@groupwise/kernel/capabilities/tiles.js";
export type { HostForm, Memory, MemoryType } from "@groupwise/kernel/language/memory.js";
export type { Split } from "@groupwise/kernel/passes/base/pass.js";
export { splitPlan } from "@groupwise/lower/lower.js";
export type { OutputFacts } from "@groupwise/lower/parts/lengths.js";
export { preferredStrategy } from "@groupwise/lower/strategies.js";
export {
  HALF_ROUNDS,
  HALF_STEP,
  HALF_WORDS,
  HalfTest,
  OTHER_HALVES,
} from "@groupwise/runtime/api/half-conversions.js";
export { kindOf } from "@groupwise/runtime/api/host-view.js";
export type { UntypedCompile } from "@groupwise/runtime/api/runtime.js";
export { type SubgroupTrials, subgroupProblem, trySubgroups } from "@groupwise/runtime/api/subgroups.js";
export { GENERATOR, pipelineOf, planTried, type Trial } from "@groupwise/runtime/api/target.js";
export {
  type DeviceFacts,
  type DeviceSurvey,
  type FormWriter,
  type FoundDevice,
  firstLine,
  type HeaderChoices,
  type HeaderOption,
  type HeaderWriter,
  type HostWriter,
  loadFailure,
  type MachineFacts,
  type MissingPart,
  type OpenOptions,
  surveyMissing,
  type TargetTools,
} from "@groupwise/runtime/api/tools.js";
export type {
  ArrayTypesByName,
  InferOutputArrays,
  InPlace,
  NoNames,
  RunArrays,
  RunResults,
  SharedNames,
  StepArrays,
  TypesByName,
} from "@groupwise/runtime/api/typed.js";
export {
  compileOptionsOf,
  foreignExecutable,
  optionsOf,
  recordOf,
} from "@groupwise/runtime/checks/arguments.js";
export type { NewArray } from "@groupwise/runtime/checks/checks.js";
export { newArray, sliceOf, writable } from "@groupwise/runtime/checks/checks.js";
export { contentKey } from "@groupwise/runtime/checks/content-key.js";
export {
  elementsOf,
  inputsOf,
  type Launch,
  mostElements,
  type Prepared,
  prepareLaunch,
  prepareRun,
  tablesOf,
  withItems,
} from "@groupwise/runtime/checks/host.js";
export { checkedItems, checkedSides, type Lengths } from "@groupwise/runtime/checks/range.js";
export {
  checkStatus,
  finishRun,
  fromDevice,
  type InMemory,
  toDevice,
} from "@groupwise/runtime/checks/results.js";
export { checkNames, userParams } from "@groupwise/runtime/checks/user-values.js";
export type { ExplainedOperator, NativeUse, SubgroupUse } from "@groupwise/runtime/plan/explain.js";
export type {
  ExplainedArray,
  ExplainedFast,
  ExplainedPass,
  Size,
} from "@groupwise/runtime/plan/explanation.js";
export {
  type ArrayRules,
  alignedBytes,
  LEAST_SUBGROUP,
  MANIFEST_VERSION,
  OWN_ARRAYS,
  requireVersion,
  SCRATCH_ALIGNMENT,
} from "@groupwise/runtime/plan/manifest.js";
export {
  type ArrayMemory,
  ArrayProgram,
  type ArrayProgramParts,
  type Call,
} from "@groupwise/runtime/run/array-program.js";
export { type Lease, SharedCache } from "@groupwise/runtime/run/cache.js";
export { type InspectRun, inspectorOf } from "@groupwise/runtime/run/debug.js";
export { type Host, HostDeviceArray, hostZeros } from "@groupwise/runtime/run/host-array.js";
export { HostDevice, type HostProgram, type HostStep } from "@groupwise/runtime/run/host-device.js";
export { type Hosted, type HostedParts, hostedRuntime } from "@groupwise/runtime/run/hosted.js";
export { type Layout, layoutOf } from "@groupwise/runtime/run/layout.js";
export { OWN_SCRATCH, withoutArrays } from "@groupwise/runtime/run/none.js";
export { overlap } from "@groupwise/runtime/run/overlap.js";
export type { OwnArray } from "@groupwise/runtime/run/own-array.js";
export { type ShapeResults, shapeOf } from "@groupwise/runtime/run/scalar-outputs.js";
export type { ScratchOptions } from "@groupwise/runtime/run/scratch.js";
export { isOptional, type ScratchPlan, scratchPlan } from "@groupwise/runtime/run/scratch.js";
export { prepareStep, type Step, type StepChecks } from "@groupwise/runtime/run/step.js";
export { requireTunedFor } from "@groupwise/runtime/tuning/select.js";
