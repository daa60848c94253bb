/** Makes expressions, with constant folding. */
import { BINARY, type BinaryOp, type UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import {
  type Builtin,
  type BuiltinExpr,
  type CallExpr,
  type ConstExpr,
  type Expr,
  type JoinExpr,
  type LoadExpr,
  type ParamExpr,
  type PermuteExpr,
  type Space,
  type UnaryExpr,
  WORDS,
  type WordExpr,
} from "./expr.ts";

/** A constant of the type. */
export const constant = (type: Scalar, value: ScalarValue): ConstExpr => ({
  kind: "const",
  type,
  value: encodeLiteral(type, value),
});
export const u32 = (value: number): ConstExpr => constant("u32", value);
/** A u32 that texts may name, where they have it several times. */
export const size = (name: string, value: number): ConstExpr => ({ ...u32(value), name });
/** An operand; a number is a u32. */
export type Operand = Expr | number;
export const operand = (value: Operand): Expr => (typeof value === "number" ? u32(value) : value);
export const bool = (value: boolean): ConstExpr => constant("bool", value);
/** The value of cleared memory. */
export const zeroOf = (type: Scalar): ConstExpr => constant(type, SCALARS[type].whole(0));
/** A launch scalar. */
export const param = (name: string, type: Scalar): ParamExpr => ({ kind: "param", name, type });
export const builtin = (name: Builtin): BuiltinExpr => ({ kind: "builtin", builtin: name, type: "u32" });
export const load = (space: Space, array: string, type: Scalar, index: Operand): LoadExpr => ({
  kind: "load",
  space,
  array,
  index: operand(index),
  type,
});
/** The width of a value of several operands. */
const wide = (...operands: readonly Expr[]): { readonly width?: number } => {
  const width = operands.find((one) => one.width !== undefined)?.width;
  return width === undefined ? {} : { width };
};
export const unary = (op: UnaryOp, of: Expr): UnaryExpr => ({
  kind: "unary",
  op,
  of,
  type: of.type,
  ...wide(of),
});
export function select(condition: Expr, yes: Operand, no: Operand): Expr {
  const [then, otherwise] = [operand(yes), operand(no)];
  if (condition.kind === "const") return condition.value ? then : otherwise;
  return { kind: "select", condition, then, otherwise, type: then.type, ...wide(condition, then, otherwise) };
}
export const cast = (type: Scalar, of: Expr): Expr =>
  of.type === type ? of : { kind: "cast", of, type, ...wide(of) };
export const bitcast = (type: Scalar, of: Expr): Expr =>
  of.type === type ? of : { kind: "bitcast", of, type, ...wide(of) };
export const word = (index: 0 | 1, of: Expr): WordExpr => ({ kind: "word", of, index, type: "u32" });
/** The number of words of a type for `word`; 0 for types whose bits `bitcast` reads as a word. */
export const wordsOf = (type: Scalar): number => WORDS[SCALARS[type].words];
export const join = (type: Scalar, words: readonly Expr[]): JoinExpr => ({ kind: "join", words, type });
export const call = (fn: string, type: Scalar, args: readonly Expr[]): CallExpr => ({
  kind: "call",
  fn,
  args,
  type,
});

/** See {@link PermuteExpr}. */
export const permute = (pattern: readonly number[], left: Expr, right?: Expr): PermuteExpr => ({
  kind: "permute",
  pattern,
  left,
  ...(right && { right }),
  type: left.type,
  ...(pattern.length > 1 && { width: pattern.length }),
});

/** Each element of a vector the same. */
export const repeated = (width: number, value: Expr): Expr =>
  value.kind === "const" ? { ...value, width } : permute(Array<number>(width).fill(0), value);
/** What replaces an expression: a vector where that is one. */
export const asWideAs = ({ width }: Expr, made: Expr): Expr =>
  width !== undefined && made.width === undefined ? repeated(width, made) : made;

/** See {@link BitmaskExpr}. */
export const bits = (of: Expr): Expr => ({ kind: "bits", of, type: "u32" });

/** `a op b`, without index arithmetic that changes nothing (adding 0, multiplying by 1). */
export function binary(op: BinaryOp, a: Operand, b: Operand): Expr {
  const [left, right] = [operand(a), operand(b)];
  const type = BINARY[op].compares ? "bool" : left.type;
  const made: Expr = { kind: "binary", op, left, right, type, ...wide(left, right) };
  const folded = left.type === "u32" ? foldU32(op, left, right) : undefined;
  return folded ? asWideAs(made, folded) : made;
}

/** The right operand that changes no u32, of the operators of index arithmetic. */
const NOTHING: Readonly<Record<BinaryOp, number | undefined>> = {
  add: 0,
  sub: 0,
  mul: 1,
  div: 1,
  rem: undefined,
  min: undefined,
  max: undefined,
  absdiff: 0,
  gcd: 0,
  and: undefined,
  or: undefined,
  xor: undefined,
  shl: 0,
  shr: 0,
  eq: undefined,
  ne: undefined,
  lt: undefined,
  le: undefined,
  gt: undefined,
  ge: undefined,
};

function foldU32(op: BinaryOp, left: Expr, right: Expr): Expr | undefined {
  if (right.kind === "const") {
    const value = Number(right.value);
    if (NOTHING[op] === value) return left;
    if (value === 0 && (op === "mul" || op === "and")) return u32(0);
    if (left.kind === "const" && !BINARY[op].compares)
      return u32(BINARY[op].apply("u32", Number(left.value), value) as number);
  }
  if (left.kind !== "const" || left.value !== 0) return undefined;
  return op === "add" ? right : op === "mul" ? left : undefined;
}

/** True for expressions that can be repeated: constants and names. */
export const isSimple = ({ kind }: Expr): boolean => ["const", "param", "var", "part"].includes(kind);

export const add = (a: Operand, b: Operand): Expr => binary("add", a, b);
/** The sum of two indexes that is an index too, so that it is below 2^32. */
export const indexSum = (a: Operand, b: Operand): Expr => {
  const sum = binary("add", a, b);
  return sum.kind === "binary" && sum.op === "add" ? { ...sum, inRange: true } : sum;
};
export const sub = (a: Operand, b: Operand): Expr => binary("sub", a, b);
export const mul = (a: Operand, b: Operand): Expr => binary("mul", a, b);
export const lt = (a: Operand, b: Operand): Expr => binary("lt", a, b);
export const eq = (a: Operand, b: Operand): Expr => binary("eq", a, b);
export const ne = (a: Operand, b: Operand): Expr => binary("ne", a, b);
export const and = (a: Operand, b: Operand): Expr => binary("and", a, b);
