/**
 * For authors of targets: the Kernel IR, its verifier and traversal, and the parts that printers share.
 * Declaring, emitting and running pipelines needs none of it. Lowerings build the IR; targets only read it.
 * @module
 */

export { halfFormOf } from "./compiler/capabilities/half-conversions.ts";
export { followDefinitions } from "./compiler/follow/follow.ts";
export type {
  BinaryExpr,
  BitcastExpr,
  Builtin,
  BuiltinExpr,
  CallExpr,
  CastExpr,
  ComposedOp,
  ConstExpr,
  Expr,
  JoinExpr,
  LoadExpr,
  ParamExpr,
  PartExpr,
  PrintedOp,
  SelectExpr,
  SharedSpace,
  Space,
  UnaryExpr,
  VarExpr,
  WordExpr,
} from "./compiler/kernel/expr.ts";
export { mapParts, partsOf } from "./compiler/kernel/map-expr.ts";
export * from "./compiler/kernel/memory.ts";
export * from "./compiler/kernel/module.ts";
export * from "./compiler/kernel/stmt.ts";
export * from "./compiler/kernel/uses.ts";
export { verify, verifyLibrary } from "./compiler/kernel/verify.ts";
export * from "./compiler/kernel/walk.ts";
export * from "./compiler/library/functions.ts";
export { type LibraryOptions, libraryOf } from "./compiler/library/lower.ts";
export { lower, splitPlan } from "./compiler/lower.ts";
export type { Lowered, Lowering, Strategy } from "./compiler/parts/strategy.ts";
export type { Split } from "./compiler/passes/base/pass.ts";
export { FUNCTIONS } from "./compiler/passes/functions.ts";
export { useRanges } from "./compiler/passes/ranges.ts";
export * from "./compiler/print/c-family.ts";
export {
  type Dialect,
  inVectors,
  type Written,
  type WrittenAs,
  withoutGroupFunctions,
  withoutLookBack,
  withoutSubgroups,
} from "./compiler/print/dialect.ts";
export { withGuardClause } from "./compiler/print/guard-clause.ts";
export { fixed, marked, spellNames, structOf, unmarked, wordsIn } from "./compiler/print/names.ts";
export { isOffset } from "./compiler/print/offset.ts";
export * from "./compiler/print/text.ts";
export { shareArrays, sharedArrays } from "./compiler/routines/arrays.ts";
export { outline } from "./compiler/routines/outline.ts";
export { type Taken, takenBy, takenNames } from "./compiler/routines/taken.ts";
export { convertsHalves, type HalfConversion } from "./compiler/soft/half-names.ts";
export { flushedIn } from "./compiler/soft/subnormal-names.ts";
export { STRATEGIES } from "./compiler/strategies.ts";
export { subnormalsIn } from "./host/plan/explain-use.ts";
export { type ManifestParts, manifestOf } from "./host/plan/manifest.ts";
export { bare } from "./ir/base/formula.ts";
export { Names } from "./ir/base/names.ts";
export { wordOf } from "./ir/tables/convert-value.ts";
