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
export { compileOptionsOf, foreignExecutable, optionsOf, recordOf } from "./host/checks/arguments.ts";
export type { NewArray } from "./host/checks/checks.ts";
export { newArray, sliceOf, writable } from "./host/checks/checks.ts";
export { contentKey } from "./host/checks/content-key.ts";
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
} from "./host/checks/host.ts";
export { checkedItems, checkedSides, type Lengths } from "./host/checks/range.ts";
export { checkStatus, finishRun, fromDevice, type InMemory, toDevice } from "./host/checks/results.ts";
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
export { type Lease, SharedCache } from "./host/run/cache.ts";
export { type InspectRun, inspectorOf } from "./host/run/debug.ts";
export { type Host, HostDeviceArray, hostZeros } from "./host/run/host-array.ts";
export { HostDevice, type HostProgram, type HostStep } from "./host/run/host-device.ts";
export { type Hosted, type HostedParts, hostedRuntime } from "./host/run/hosted.ts";
export { type Layout, layoutOf } from "./host/run/layout.ts";
export { OWN_SCRATCH, withoutArrays } from "./host/run/none.ts";
export { overlap } from "./host/run/overlap.ts";
export type { OwnArray } from "./host/run/own-array.ts";
export { type ShapeResults, shapeOf } from "./host/run/scalar-outputs.ts";
export type { ScratchOptions } from "./host/run/scratch.ts";
export { isOptional, type ScratchPlan, scratchPlan } from "./host/run/scratch.ts";
export { prepareStep, type Step, type StepChecks } from "./host/run/step.ts";
export { requireTunedFor } from "./host/tuning/select.ts";
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
export { unknownFunction } from "./ir/base/near-names.ts";
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
} from "./ir/document/collectives.ts";
export { type FastUse, fastUseOf } from "./ir/document/fast.ts";
export { COMBINES } from "./ir/document/limits.ts";
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
} from "./ir/document/node.ts";
export { groupSizeOf, isSink, mapOperands, operandsOf } from "./ir/document/operands.ts";
export type { OperatorNode } from "./ir/document/operator.ts";
export {
  type LeftNode,
  OPERATOR_LIMITS,
  type OperatorField,
  type OperatorNodeKind,
  type RightNode,
  typesOfOperator,
} from "./ir/document/operator.ts";
export { applierOf, applyOperator, identityOf } from "./ir/document/operator-apply.ts";
export { LAST_DIMENSION, QUERIES, type Query, type QuerySpec } from "./ir/document/query.ts";
export { HOST_OPS, type HostOp } from "./ir/document/rules.ts";
export { typeOfSink } from "./ir/document/sink-type.ts";
export { atMost, SCOPE_UNIFORMITY, type Uniformity, uniformityOf } from "./ir/document/uniformity.ts";
export { FUNCTION_ROWS, isElementary } from "./ir/functions/functions.ts";
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
} from "./ir/functions/spec.ts";
export type { ReferenceRun } from "./ir/reference/reference.ts";
export { bitcastValue, castValue, wordOf } from "./ir/tables/convert-value.ts";
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
} from "./ir/tables/expr-op.ts";
export { decodeLiteral, encodeLiteral, sameValue } from "./ir/tables/literal.ts";
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
} from "./ir/tables/narrow.ts";
export {
  isLogical,
  normalisedValue,
  normalises,
  OPS,
  type OpFor,
  type OpSpec,
  opExists,
} from "./ir/tables/op.ts";
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
} from "./ir/tables/scalar.ts";
