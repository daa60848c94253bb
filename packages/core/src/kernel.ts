/**
 * For authors of targets: the Kernel IR, what checks and walks it, and the parts that printers share.
 * Who declares, emits or runs pipelines needs none of it. Lowerings build the IR; targets only read it.
 * @module
 */
export * from "./emit/c-family.ts";
export * from "./emit/text.ts";
export { wordOf } from "./ir/expr-op.ts";
export { Names } from "./kernel/build.ts";
export {
  type BinaryExpr,
  type BitcastExpr,
  type Builtin,
  type BuiltinExpr,
  type CallExpr,
  type CastExpr,
  type ConstExpr,
  type Expr,
  type JoinExpr,
  type LoadExpr,
  mapParts,
  type ParamExpr,
  type PartExpr,
  partsOf,
  type SelectExpr,
  type Space,
  type UnaryExpr,
  type VarExpr,
  type WordExpr,
} from "./kernel/expr.ts";
export * from "./kernel/memory.ts";
export * from "./kernel/stmt.ts";
export { verify, verifyLibrary } from "./kernel/verify.ts";
export * from "./library/functions.ts";
export { type LibraryOptions, libraryOf } from "./library/lower.ts";
export { type Split, splitArrays } from "./lower/legalise/split.ts";
export { FUNCTIONS } from "./lower/legalise.ts";
export { lower, splitPlan } from "./lower/lower.ts";
export { STRATEGIES, type Strategy } from "./lower/strategies.ts";
export { type ManifestParts, manifestOf } from "./manifest.ts";
