/** The interface of the emulated 64-bit types: replacements of their operators. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { bitcastValue } from "@groupwise/ir/tables/convert-value.js";
import { type BinaryOp, isCompare, type UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral, type Literal } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar, type ScalarsWith, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "../../language/build.ts";
import type { Expr } from "../../language/expr.ts";
import { call, u32 } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { magnitudeOf, SIGN } from "./base/define.ts";
import { INT64_FUNCTIONS } from "./base/int64.ts";
import { callPair, not, type Pair, wordsOf, xor } from "./base/pair.ts";
import { ADD_F64, ARITHMETIC64_FUNCTIONS, DIV_F64, MUL_F64 } from "./double/arithmetic.ts";
import { CONVERT64_FUNCTIONS } from "./double/convert.ts";
import { EQ_F64, LE_F64, LT_F64, MAX_F64, MIN_F64, ORDER_FUNCTIONS } from "./double/order.ts";
import { PACK_FUNCTIONS } from "./double/pack.ts";
import { GCD64_FUNCTIONS } from "./gcd.ts";
import { castWords } from "./wide-cast.ts";
import { INTEGER_BINARY, INTEGER_COMPARE, INTEGER_SHIFT, INTEGER_UNARY } from "./wide-int64.ts";

/** The types that are represented by two 32-bit words. */
export type Wide = ScalarsWith<{ readonly emulated: "words" }>;
export const isWide = (type: Scalar): type is Wide => SCALARS[type].emulated === "words";

/** The words of a constant. */
export function wideConst(type: Wide, value: Literal): Pair {
  const bits = BigInt(bitcastValue(type, "u64", decodeLiteral(type, value) as ScalarValue));
  return { lo: u32(Number(bits & 0xffffffffn)), hi: u32(Number(bits >> 32n)) };
}

const absent = (op: string, type: Wide): never => {
  throw errorOf("bad-kernel", { reason: `${op} is applied to ${type}` });
};

const none = undefined;
const DOUBLE_UNARY: Readonly<Record<UnaryOp, ((a: Pair) => Pair) | undefined>> = {
  not: none,
  popcount: none,
  clz: none,
  neg: ({ lo, hi }) => ({ lo, hi: xor(hi, SIGN) }),
  abs: ({ lo, hi }) => ({ lo, hi: magnitudeOf(hi) }),
};
type Double = (code: Code, a: Pair, b: Pair) => Pair | Expr;
const gives =
  (hint: string, fn: Fn): Double =>
  (code, a, b) =>
    callPair(code, hint, fn, wordsOf(a, b));
const asks =
  (fn: Fn): Double =>
  (_, a, b) =>
    call(fn.name, "bool", wordsOf(a, b));
const difference = (code: Code, a: Pair, b: Pair): Pair =>
  callPair(code, "difference", ADD_F64, wordsOf(a, { lo: b.lo, hi: xor(b.hi, SIGN) }));
const DOUBLE_BINARY: Readonly<Record<BinaryOp, Double | undefined>> = {
  rem: none,
  gcd: none,
  and: none,
  or: none,
  xor: none,
  shl: none,
  shr: none,
  add: gives("sum", ADD_F64),
  sub: difference,
  mul: gives("product", MUL_F64),
  div: gives("quotient", DIV_F64),
  min: gives("least", MIN_F64),
  max: gives("greatest", MAX_F64),
  absdiff: (code, a, b) => {
    const { lo, hi } = difference(code, a, b);
    return { lo, hi: magnitudeOf(hi) };
  },
  eq: asks(EQ_F64),
  ne: (_, a, b) => not(call(EQ_F64.name, "bool", wordsOf(a, b))),
  lt: asks(LT_F64),
  le: asks(LE_F64),
  gt: (_, a, b) => call(LT_F64.name, "bool", wordsOf(b, a)),
  ge: (_, a, b) => call(LE_F64.name, "bool", wordsOf(b, a)),
};

/** The result has the operand's type, for `popcount` and `clz` too. */
export function wideUnary(code: Code, op: UnaryOp, type: Wide, a: Pair): Pair {
  if (type !== "f64") return INTEGER_UNARY[op](code, a, type);
  return DOUBLE_UNARY[op]?.(a) ?? absent(op, type);
}

/**
 * The right side is a u32 for `shl` and `shr`, otherwise a pair; the result is a bool for comparisons, otherwise a
 * pair. Both words may read variables that the operands name: name both before assigning either.
 */
export function wideBinary(code: Code, op: BinaryOp, type: Wide, a: Pair, b: Pair | Expr): Pair | Expr {
  if (type === "f64") return DOUBLE_BINARY[op]?.(code, a, b as Pair) ?? absent(op, type);
  if (op === "shl" || op === "shr") return INTEGER_SHIFT[op](code, a, b as Expr, type);
  if (isCompare(op)) return INTEGER_COMPARE[op](code, a, b as Pair, type);
  return INTEGER_BINARY[op](code, a, b as Pair, type);
}

/**
 * Conversion as the Pipeline IR's cast. At least one of the types is wide, and its values are pairs; an
 * f16 is an f32 whose value is a half.
 */
export const wideCast = (code: Code, from: Scalar, to: Scalar, x: Pair | Expr): Pair | Expr =>
  castWords(code, from, to, x);

/** Every function that these may call, callees before callers; conversions to f16 call those of halves too. */
export const WIDE_FUNCTIONS: readonly Fn[] = [
  ...INT64_FUNCTIONS,
  ...GCD64_FUNCTIONS,
  ...PACK_FUNCTIONS,
  ...ARITHMETIC64_FUNCTIONS,
  ...ORDER_FUNCTIONS,
  ...CONVERT64_FUNCTIONS,
];
