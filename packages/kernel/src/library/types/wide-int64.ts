/** The operators of 64-bit integers on words: inline if they are short, otherwise as calls. */
import type { BinaryOp, CompareOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { ScalarsWith } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { ConstExpr, Expr } from "../../language/expr.ts";
import { add, and, eq, lt, ne, select, u32, unary } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { SIGN } from "./base/define.ts";
import { DIV_I64, DIV_U64, MUL_U64, REM_I64, REM_U64, SHL_U64, SHR_I64, SHR_U64 } from "./base/int64.ts";
import {
  addPair,
  below,
  callPair,
  choose,
  clzPair,
  each,
  named,
  namedPair,
  negPair,
  not,
  or,
  type Pair,
  shlBy,
  shr,
  shrBy,
  shrSigned,
  subPair,
  wordsOf,
  xor,
} from "./base/pair.ts";
import { GCD_I64, GCD_U64 } from "./gcd.ts";

export type Integer64 = ScalarsWith<{ readonly kind: "int" | "uint"; readonly emulated: "words" }>;
type Unary = (code: Code, a: Pair, type: Integer64) => Pair;
type Binary = (code: Code, a: Pair, b: Pair, type: Integer64) => Pair;

const counted = (count: Expr): Pair => ({ lo: count, hi: u32(0) });

export const INTEGER_UNARY: Readonly<Record<UnaryOp, Unary>> = {
  neg: negPair,
  abs: (code, a, type) => {
    if (type === "u64") return a;
    const x = namedPair(code, "value", a);
    return choose(code, "positive", lt(x.hi, SIGN), x, negPair(code, x));
  },
  not: (_, { lo, hi }) => ({ lo: not(lo), hi: not(hi) }),
  popcount: (_, { lo, hi }) => counted(add(unary("popcount", lo), unary("popcount", hi))),
  clz: (code, a) => counted(clzPair(code, a)),
};

/** Signed order becomes unsigned order where both signs are flipped. */
const flipped = ({ lo, hi }: Pair, type: Integer64): Pair =>
  type === "i64" ? { lo, hi: xor(hi, SIGN) } : { lo, hi };
const less = (code: Code, op: "lt" | "le", a: Pair, b: Pair, type: Integer64): Expr =>
  below(code, op, flipped(a, type), flipped(b, type));

const extreme =
  (op: "min" | "max"): Binary =>
  (code, a, b, type) => {
    const [x, y] = [namedPair(code, "a", a), namedPair(code, "b", b)];
    return op === "min"
      ? choose(code, "less", less(code, "lt", y, x, type), y, x)
      : choose(code, "less", less(code, "lt", x, y, type), y, x);
  };
const called =
  (hint: string, fns: Readonly<Record<Integer64, Fn>>): Binary =>
  (code, a, b, type) =>
    callPair(code, hint, fns[type], wordsOf(a, b));

type Arithmetic = Exclude<BinaryOp, "shl" | "shr" | CompareOp>;
export const INTEGER_BINARY: Readonly<Record<Arithmetic, Binary>> = {
  add: addPair,
  sub: subPair,
  mul: called("product", { i64: MUL_U64, u64: MUL_U64 }),
  div: called("quotient", { i64: DIV_I64, u64: DIV_U64 }),
  rem: called("remainder", { i64: REM_I64, u64: REM_U64 }),
  min: extreme("min"),
  max: extreme("max"),
  absdiff: (code, a, b, type) => {
    const [x, y] = [namedPair(code, "a", a), namedPair(code, "b", b)];
    const difference = namedPair(code, "difference", subPair(code, x, y));
    return choose(code, "less", less(code, "lt", x, y, type), negPair(code, difference), difference);
  },
  gcd: called("divisor", { i64: GCD_I64, u64: GCD_U64 }),
  and: (_, a, b) => each(and, a, b),
  or: (_, a, b) => each(or, a, b),
  xor: (_, a, b) => each(xor, a, b),
};

type Compare = (code: Code, a: Pair, b: Pair, type: Integer64) => Expr;
export const INTEGER_COMPARE: Readonly<Record<CompareOp, Compare>> = {
  eq: (_, a, b) => and(eq(a.lo, b.lo), eq(a.hi, b.hi)),
  ne: (_, a, b) => or(ne(a.lo, b.lo), ne(a.hi, b.hi)),
  lt: (code, a, b, type) => less(code, "lt", a, b, type),
  le: (code, a, b, type) => less(code, "le", a, b, type),
  gt: (code, a, b, type) => less(code, "lt", b, a, type),
  ge: (code, a, b, type) => less(code, "le", b, a, type),
};

const known = (by: Expr): by is ConstExpr => by.kind === "const";
type Shift = (code: Code, a: Pair, by: Expr, type: Integer64) => Pair;
export const INTEGER_SHIFT: Readonly<Record<"shl" | "shr", Shift>> = {
  shl: (code, a, by) =>
    known(by) ? shlBy(code, a, Number(by.value) % 64) : callPair(code, "shifted", SHL_U64, [a.lo, a.hi, by]),
  shr: (code, a, by, type) => {
    if (known(by)) return shrBy(code, a, Number(by.value) % 64, type === "i64" ? shrSigned : shr);
    return callPair(code, "shifted", type === "i64" ? SHR_I64 : SHR_U64, [a.lo, a.hi, by]);
  },
};

/** The words of i32 or u32, with the sign above. */
export function ofWord(code: Code, word: Expr, isSigned: boolean): Pair {
  if (!isSigned) return { lo: word, hi: u32(0) };
  const lo = named(code, "word", word);
  return { lo, hi: shrSigned(lo, 31) };
}
/** 0 or 1. */
export const ofBool = (x: Expr): Pair => counted(select(x, 1, 0));
