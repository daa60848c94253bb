/**
 * For authors of targets, runtimes and tools: the tables of types and operators, the nodes of documents, capabilities, formulas, and
 * the checks and parts that runtimes share. The Kernel IR is in `@groupwise/core/kernel`.
 * @module
 */

export {
  ANY,
  BOOLEAN,
  FUNCTION,
  having,
  LIST,
  NUMBER,
  OBJECT,
  oneOf,
  optional,
  optionsOf,
  recordOf,
  requireArgument,
  requireArguments,
  required,
  type Schema,
  shaped,
  TEXT,
  TEXTS,
  type Wanted,
  whole,
} from "@groupwise/ir/base/arguments.js";
export type { ErrorDetails } from "@groupwise/ir/base/errors.js";
export { errorOf, type Wording } from "@groupwise/ir/base/errors.js";
export type { Extent, Sides } from "@groupwise/ir/base/formula.js";
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
} from "@groupwise/ir/base/formula.js";
export { nearestName, unknownFunction } from "@groupwise/ir/base/near-names.js";
export { printable } from "@groupwise/ir/base/quote.js";
export {
  isCollective,
  isMonoid,
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
export {
  type NewNode,
  NodeList,
  type NodeWithout,
  PipelineNodes,
} from "@groupwise/ir/document/nodes.js";
export {
  ELEMENTWISE,
  isSink,
  mapOperands,
  operandsOf,
} from "@groupwise/ir/document/operands.js";
export type { OperatorNode } from "@groupwise/ir/document/operator.js";
export {
  type LeftNode,
  OPERATOR_LIMITS,
  type OperatorField,
  type RightNode,
  typesOfOperator,
} from "@groupwise/ir/document/operator.js";
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
export { type DecimalType, nearestFloat } from "@groupwise/ir/tables/decimal.js";
export {
  type ArithmeticOp,
  BINARY,
  type BinaryOp,
  type BinarySpec,
  type CompareOp,
  UNARY,
  type UnaryOp,
  type UnarySpec,
} from "@groupwise/ir/tables/expr-op.js";
export { decodeLiteral, encodeLiteral } from "@groupwise/ir/tables/literal.js";
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
export { ONE_THREAD } from "@groupwise/kernel/capabilities/one-thread.js";
export { allowingFlush, type Subnormals } from "@groupwise/kernel/capabilities/subnormals.js";
export type { LookBackSize, Tiles } from "@groupwise/kernel/capabilities/tiles.js";
export type { Split } from "@groupwise/kernel/passes/base/pass.js";
export { tableDigest } from "@groupwise/kernel/probe/digest.js";
export { type Remedy, withRemedies } from "@groupwise/kernel/probe/remedies.js";
export { splitPlan } from "@groupwise/lower/lower.js";
export type { OutputFacts } from "@groupwise/lower/parts/lengths.js";
export { preferredStrategy } from "@groupwise/lower/strategies.js";
export { withoutUnread } from "@groupwise/lower/unread.js";
export {
  HALF_ROUNDS,
  HALF_STEP,
  HALF_WORDS,
  HalfTest,
  OTHER_HALVES,
} from "@groupwise/runtime/api/half-conversions.js";
export { hostView, kindOf } from "@groupwise/runtime/api/host-view.js";
export type { UntypedCompile } from "@groupwise/runtime/api/runtime.js";
export { type SubgroupTrials, subgroupProblem, trySubgroups } from "@groupwise/runtime/api/subgroups.js";
export { GENERATOR, pipelineOf, planTried, type Trial } from "@groupwise/runtime/api/target.js";
export {
  type DeviceFacts,
  type DeviceSurvey,
  type FormWriter,
  type FoundDevice,
  type HeaderChoices,
  type HeaderOption,
  type HeaderWriter,
  type HostWriter,
  loadFailure,
  type MachineFacts,
  type MissingPart,
  type OpenOptions,
  reasonOf,
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
  ARTIFACT,
  artifactOf,
  compileOptionsOf,
  foreignExecutable,
  RECORDER,
  RUNTIME,
} from "@groupwise/runtime/checks/arguments.js";
export type { NewArray } from "@groupwise/runtime/checks/checks.js";
export { newArray, sliceOf, writable } from "@groupwise/runtime/checks/checks.js";
export { contentKey } from "@groupwise/runtime/checks/content-key.js";
export {
  checkDivisors,
  divisorError,
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
export { checkedItems, checkedRange, checkedSides, type Lengths } from "@groupwise/runtime/checks/range.js";
export {
  finishRun,
  fromDevice,
  type InMemory,
  statusError,
  toDevice,
} from "@groupwise/runtime/checks/results.js";
export { requireArrayType, requireType } from "@groupwise/runtime/checks/types.js";
export { checkNames, userParams } from "@groupwise/runtime/checks/user-values.js";
export { engine } from "@groupwise/runtime/modules/engine.js";
export type { EntryArray, EntryCall } from "@groupwise/runtime/modules/entry.js";
export { hostType, printEntry } from "@groupwise/runtime/modules/entry.js";
export { formulaInModule } from "@groupwise/runtime/modules/formula.js";
export { type ModuleHelper, moduleHelpers } from "@groupwise/runtime/modules/helpers.js";
export { withKernelCall } from "@groupwise/runtime/modules/kernel-call.js";
export { isReservedInModule } from "@groupwise/runtime/modules/keywords.js";
export { printModuleHead, printModuleTypes } from "@groupwise/runtime/modules/types.js";
export {
  type FormulaFunction,
  formulaInC,
  functionsOf,
  scalarOf,
  scalarsOf,
  sidesOf,
  sizesOf,
  variablesOf,
} from "@groupwise/runtime/plan/c-formula.js";
export {
  type Refusal,
  type RefusalSpelling,
  refusalsOf,
  tooManyItems,
} from "@groupwise/runtime/plan/c-refusals.js";
export type { ExplainedOperator, NativeUse, SubgroupUse } from "@groupwise/runtime/plan/explain.js";
export type {
  ExplainedArray,
  ExplainedFast,
  ExplainedMemory,
  ExplainedPass,
  Size,
} from "@groupwise/runtime/plan/explanation.js";
export {
  type ArrayRules,
  LEAST_SUBGROUP,
  MANIFEST_VERSION,
  OWN_ARRAYS,
  requireVersion,
  SCRATCH_ALIGNMENT,
} from "@groupwise/runtime/plan/manifest.js";
export {
  Answers,
  Earned,
  earnedTrials,
  PROBED,
  type RunProbe,
  reportOf,
  requireEarned,
} from "@groupwise/runtime/probe/earned.js";
export { type PythonBackend, type PythonOption, pythonModule } from "@groupwise/runtime/python/module.js";
export { argumentInPython } from "@groupwise/runtime/python/names.js";
export { PYTHON_CACHE, PYTHON_PASS, passesInPython } from "@groupwise/runtime/python/parts.js";
export { tupleInPython } from "@groupwise/runtime/python/tables.js";
export {
  type ArrayMemory,
  ArrayProgram,
  type ArrayProgramParts,
  type Call,
} from "@groupwise/runtime/run/array-program.js";
export { type CacheRules, type Lease, SharedCache } from "@groupwise/runtime/run/cache.js";
export { type InspectRun, inspectorOf } from "@groupwise/runtime/run/debug.js";
export {
  copyOf,
  type Host,
  HostDeviceArray,
  hostZeros,
  type ViewedMemory,
  type Zeros,
} from "@groupwise/runtime/run/host-array.js";
export { HostDevice, type HostProgram } from "@groupwise/runtime/run/host-device.js";
export { type Hosted, type HostedParts, hostedRuntime } from "@groupwise/runtime/run/hosted.js";
export { type Layout, layoutOf } from "@groupwise/runtime/run/layout.js";
export { loadedProgram } from "@groupwise/runtime/run/loaded.js";
export { type Marks, marks } from "@groupwise/runtime/run/marks.js";
export { NOTHING_COMPILED, OWN_SCRATCH, withoutArrays } from "@groupwise/runtime/run/none.js";
export {
  readOf,
  type StepPart,
  type StepUse,
  submitted,
  useOf,
  written,
} from "@groupwise/runtime/run/outcomes.js";
export type { OwnArray } from "@groupwise/runtime/run/own-array.js";
export { Owned } from "@groupwise/runtime/run/owned.js";
export { type ShapeResults, shapeOf } from "@groupwise/runtime/run/scalar-outputs.js";
export { isOptional } from "@groupwise/runtime/run/scratch.js";
export type { Small, SmallPipeline } from "@groupwise/runtime/run/small.js";
export { prepareStep, type Step, type StepChecks } from "@groupwise/runtime/run/step.js";
export { requireTunedFor } from "@groupwise/runtime/tuning/select.js";
export { type LoopCode, WorkerPool } from "@groupwise/streams/host/threads/pool.js";
export {
  coresHere,
  type Listener,
  MOST_WORKERS,
  noThreadsHere,
  type OpenPort,
  type Port,
  portsHere,
} from "@groupwise/streams/host/threads/port.js";
export { type WorkerAnswer, type WorkerMessage, workerText } from "@groupwise/streams/host/threads/text.js";
