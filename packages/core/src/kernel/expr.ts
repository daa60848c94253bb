/** Expressions of the Kernel IR: typed, pure, plain data. */
import type { BinaryOp, UnaryOp } from "../ir/expr-op.ts";
import { BINARY } from "../ir/expr-op.ts";
import { encodeLiteral, type Literal } from "../literal.ts";
import { SCALARS, type Scalar, type ScalarValue } from "../scalar.ts";
import type { Memory } from "./memory.ts";

/** Where an array lives: device memory, the work-group's memory, or one work-item's own. */
export type Space = "storage" | "work-group" | "private";

/**
 * `local-id`: the work-item's place in its group; `group-id`: the group's number in the dispatch; `group-size`:
 * the work-items of the group, at least 1, where only the launch tells them; `subgroup-size`: the most work-items
 * of a subgroup in this launch, at least 1; `cell`: a gather pass's output index.
 */
export type Builtin = "local-id" | "group-id" | "group-size" | "subgroup-size" | "cell";

interface Typed {
  readonly type: Scalar;
}
/** A constant, in the exact written form of a literal. */
export interface ConstExpr extends Typed {
  readonly kind: "const";
  readonly value: Literal;
}
/** A let, a var, a loop variable or a function's parameter. */
export interface VarExpr extends Typed {
  readonly kind: "var";
  readonly name: string;
}
/** A launch scalar: the number of items, or a parameter of the pipeline. */
export interface ParamExpr extends Typed {
  readonly kind: "param";
  readonly name: string;
}
/** Where the work-item stands; the type is u32. */
export interface BuiltinExpr extends Typed {
  readonly kind: "builtin";
  readonly builtin: Builtin;
}
/** An element of an array; the index is u32. */
export interface LoadExpr extends Typed {
  readonly kind: "load";
  readonly space: Space;
  readonly array: string;
  readonly index: Expr;
  /** Where the array's elements are not of the type that is loaded. */
  readonly memory?: Memory;
}
/** An element-wise operator of one operand. */
export interface UnaryExpr extends Typed {
  readonly kind: "unary";
  readonly op: UnaryOp;
  readonly of: Expr;
}
/** An element-wise operator of two operands. `type` is the result's; the operands' is `left.type`. */
export interface BinaryExpr extends Typed {
  readonly kind: "binary";
  readonly op: BinaryOp;
  readonly left: Expr;
  readonly right: Expr;
}
/** Both choices may be evaluated. */
export interface SelectExpr extends Typed {
  readonly kind: "select";
  readonly condition: Expr;
  readonly then: Expr;
  readonly otherwise: Expr;
}
/** Conversion of the value to `type`, as the Pipeline IR's cast. */
export interface CastExpr extends Typed {
  readonly kind: "cast";
  readonly of: Expr;
}
/** The same bits read as `type`, of the same width. */
export interface BitcastExpr extends Typed {
  readonly kind: "bitcast";
  readonly of: Expr;
}
/** 32 of the bits of a 64-bit value, word 0 the low ones; of an f16 its 16 bits, as word 0. The type is u32. */
export interface WordExpr extends Typed {
  readonly kind: "word";
  readonly of: Expr;
  readonly index: 0 | 1;
}
/** The value that has these words: what `word` takes apart. */
export interface JoinExpr extends Typed {
  readonly kind: "join";
  readonly words: readonly Expr[];
}
/** A call of one of the module's functions. */
export interface CallExpr extends Typed {
  readonly kind: "call";
  readonly fn: string;
  readonly args: readonly Expr[];
}

/** One of the values that a call statement named; see `CallStmt`. */
export interface PartExpr extends Typed {
  readonly kind: "part";
  readonly of: string;
  readonly index: number;
}

/** Any expression. It is pure: evaluating it twice, or not at all, changes nothing. */
export type Expr =
  | ConstExpr
  | VarExpr
  | ParamExpr
  | BuiltinExpr
  | LoadExpr
  | UnaryExpr
  | BinaryExpr
  | SelectExpr
  | CastExpr
  | BitcastExpr
  | WordExpr
  | JoinExpr
  | CallExpr
  | PartExpr;

/** A constant of the type. */
export const constant = (type: Scalar, value: ScalarValue): ConstExpr => ({
  kind: "const",
  type,
  value: encodeLiteral(type, value),
});
export const u32 = (value: number): ConstExpr => constant("u32", value);
export const bool = (value: boolean): ConstExpr => constant("bool", value);
/** The value that memory is cleared to. */
export const zeroOf = (type: Scalar): ConstExpr =>
  constant(type, SCALARS[type].wrap(SCALARS[type].bits === 64 && SCALARS[type].kind !== "float" ? 0n : 0));
/** A launch scalar. */
export const param = (name: string, type: Scalar): ParamExpr => ({ kind: "param", name, type });
export const builtin = (name: Builtin): BuiltinExpr => ({ kind: "builtin", builtin: name, type: "u32" });
export const load = (space: Space, array: string, type: Scalar, index: Expr): LoadExpr => ({
  kind: "load",
  space,
  array,
  index,
  type,
});
export const unary = (op: UnaryOp, of: Expr): UnaryExpr => ({ kind: "unary", op, of, type: of.type });
export const select = (condition: Expr, then: Expr, otherwise: Expr): Expr =>
  condition.kind === "const"
    ? condition.value
      ? then
      : otherwise
    : { kind: "select", condition, then, otherwise, type: then.type };
export const cast = (type: Scalar, of: Expr): Expr => (of.type === type ? of : { kind: "cast", of, type });
export const bitcast = (type: Scalar, of: Expr): Expr =>
  of.type === type ? of : { kind: "bitcast", of, type };
export const word = (index: 0 | 1, of: Expr): WordExpr => ({ kind: "word", of, index, type: "u32" });
/** How many words a type's bits are; none for types that are a word as they stand. */
export const wordsOf = (type: Scalar): number => ({ 64: 2, 16: 1, 32: 0, 1: 0 })[SCALARS[type].bits];
export const join = (type: Scalar, words: readonly Expr[]): JoinExpr => ({ kind: "join", words, type });
export const call = (fn: string, type: Scalar, args: readonly Expr[]): CallExpr => ({
  kind: "call",
  fn,
  args,
  type,
});

/** `left op right`, leaving out index arithmetic that changes nothing (adding 0, times 1). */
export function binary(op: BinaryOp, left: Expr, right: Expr): Expr {
  if (left.type === "u32" && right.kind === "const") {
    const folded = foldU32(op, left, Number(right.value));
    if (folded) return folded;
  }
  if (left.type === "u32" && left.kind === "const" && left.value === 0) {
    if (op === "add") return right;
    if (op === "mul") return left;
  }
  return { kind: "binary", op, left, right, type: BINARY[op].compares ? "bool" : left.type };
}

const NOTHING: Readonly<Partial<Record<BinaryOp, number>>> = {
  add: 0,
  sub: 0,
  mul: 1,
  div: 1,
  shl: 0,
  shr: 0,
};

function foldU32(op: BinaryOp, left: Expr, right: number): Expr | undefined {
  if (NOTHING[op] === right) return left;
  if (right === 0 && (op === "mul" || op === "and")) return u32(0);
  if (left.kind !== "const" || BINARY[op].compares) return undefined;
  return u32(BINARY[op].apply("u32", Number(left.value), right) as number);
}

export const add = (a: Expr, b: Expr): Expr => binary("add", a, b);
export const sub = (a: Expr, b: Expr): Expr => binary("sub", a, b);
export const mul = (a: Expr, b: Expr): Expr => binary("mul", a, b);
export const lt = (a: Expr, b: Expr): Expr => binary("lt", a, b);
export const eq = (a: Expr, b: Expr): Expr => binary("eq", a, b);
export const ne = (a: Expr, b: Expr): Expr => binary("ne", a, b);
export const and = (a: Expr, b: Expr): Expr => binary("and", a, b);

/** The direct parts of an expression. */
export function partsOf(expr: Expr): readonly Expr[] {
  return (PARTS[expr.kind] as (expr: Expr) => readonly Expr[])(expr);
}

/** The expression with its direct parts replaced. */
export function mapParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  return (MAP[expr.kind] as (expr: Expr, change: (part: Expr) => Expr) => Expr)(expr, change);
}

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;
const leaf = (): readonly Expr[] => [];
const PARTS: { readonly [K in Expr["kind"]]: (expr: Of<K>) => readonly Expr[] } = {
  const: leaf,
  var: leaf,
  param: leaf,
  builtin: leaf,
  load: (e) => [e.index],
  unary: (e) => [e.of],
  binary: (e) => [e.left, e.right],
  select: (e) => [e.condition, e.then, e.otherwise],
  cast: (e) => [e.of],
  bitcast: (e) => [e.of],
  word: (e) => [e.of],
  join: (e) => e.words,
  call: (e) => e.args,
  part: leaf,
};

const itself = (expr: Expr): Expr => expr;
const MAP: { readonly [K in Expr["kind"]]: (expr: Of<K>, change: (part: Expr) => Expr) => Expr } = {
  const: itself,
  var: itself,
  param: itself,
  builtin: itself,
  load: (e, f) => ({ ...e, index: f(e.index) }),
  unary: (e, f) => ({ ...e, of: f(e.of) }),
  binary: (e, f) => ({ ...e, left: f(e.left), right: f(e.right) }),
  select: (e, f) => ({ ...e, condition: f(e.condition), then: f(e.then), otherwise: f(e.otherwise) }),
  cast: (e, f) => ({ ...e, of: f(e.of) }),
  bitcast: (e, f) => ({ ...e, of: f(e.of) }),
  word: (e, f) => ({ ...e, of: f(e.of) }),
  join: (e, f) => ({ ...e, words: e.words.map(f) }),
  call: (e, f) => ({ ...e, args: e.args.map(f) }),
  part: itself,
};
