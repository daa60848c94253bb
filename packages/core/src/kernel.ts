/**
 * For authors of targets: the Kernel IR, its verifier and traversal, and the parts that printers share.
 * Declaring, emitting and running pipelines needs none of it. Lowerings build the IR; targets only read it.
 * @module
 */

export { bare } from "@groupwise/ir/base/formula.js";
export { Names } from "@groupwise/ir/base/names.js";
export { halfFormOf } from "@groupwise/kernel/capabilities/half-conversions.js";
export { followDefinitions } from "@groupwise/kernel/follow/follow.js";
export type {
  BinaryExpr,
  BitcastExpr,
  BitmaskExpr,
  Builtin,
  BuiltinExpr,
  CallExpr,
  CastExpr,
  ComposedOp,
  ConstExpr,
  Expr,
  HeldArray,
  JoinExpr,
  LoadExpr,
  ParamExpr,
  PartExpr,
  PermuteExpr,
  PrintedOp,
  SelectExpr,
  SharedSpace,
  Space,
  UnaryExpr,
  VarExpr,
  WordExpr,
} from "@groupwise/kernel/language/expr.js";
export { isSameName } from "@groupwise/kernel/language/fold-expr.js";
export type { Interval } from "@groupwise/kernel/language/interval.js";
export * from "@groupwise/kernel/language/intrinsics.js";
export { mapParts, partsOf } from "@groupwise/kernel/language/map-expr.js";
export * from "@groupwise/kernel/language/memory.js";
export * from "@groupwise/kernel/language/module.js";
export * from "@groupwise/kernel/language/stmt.js";
export * from "@groupwise/kernel/language/uses.js";
export { verify } from "@groupwise/kernel/language/verify.js";
export * from "@groupwise/kernel/language/walk.js";
export { convertsHalves, type HalfConversion } from "@groupwise/kernel/library/types/half-names.js";
export type { InPlaceOutputs } from "@groupwise/kernel/passes/base/pass.js";
export { FUNCTIONS } from "@groupwise/kernel/passes/functions.js";
export * from "@groupwise/kernel/print/c-family.js";
export * from "@groupwise/kernel/print/c-helpers.js";
export * from "@groupwise/kernel/print/c-literals.js";
export * from "@groupwise/kernel/print/c-operators.js";
export { CONSTANTS_HERE } from "@groupwise/kernel/print/constants.js";
export {
  type Bounds,
  type Dialect,
  type IntrinsicCall,
  inVectors,
  movedBy,
  type VectorDialect,
  type Written,
  type WrittenAs,
  withoutGroupFunctions,
  withoutLookBack,
  withoutSubgroups,
} from "@groupwise/kernel/print/dialect.js";
export * from "@groupwise/kernel/print/fast.js";
export * from "@groupwise/kernel/print/functions.js";
export { withGuardClause } from "@groupwise/kernel/print/guard-clause.js";
export {
  argumentsOfKernel,
  type KernelArgument,
  type KernelUses,
} from "@groupwise/kernel/print/kernel-arguments.js";
export { fixed, marked, spellNames, structOf, unmarked, wordsIn } from "@groupwise/kernel/print/names.js";
export { isOffset } from "@groupwise/kernel/print/offset.js";
export * from "@groupwise/kernel/print/text.js";
export { assumedBy, trusts } from "@groupwise/kernel/probe/uses.js";
export { shareArrays, sharedArrays } from "@groupwise/kernel/routines/arrays.js";
export { outline } from "@groupwise/kernel/routines/outline.js";
export { type Taken, takenBy, takenNames } from "@groupwise/kernel/routines/taken.js";
export * from "@groupwise/lower/library/functions.js";
export { type LibraryOptions, libraryOf } from "@groupwise/lower/library/lower.js";
export { lower } from "@groupwise/lower/lower.js";
export type { Lowered, Lowering, Strategy } from "@groupwise/lower/parts/strategy.js";
export { STRATEGIES } from "@groupwise/lower/strategies.js";
export { subnormalsIn } from "@groupwise/runtime/plan/explain-use.js";
export { headOf } from "@groupwise/runtime/plan/head.js";
export { type ManifestParts, manifestOf } from "@groupwise/runtime/plan/manifest.js";
