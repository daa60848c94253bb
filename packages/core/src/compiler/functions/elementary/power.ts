/** x^y = 2^(y log2 x). */
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, and, eq, lt, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import {
  ge,
  i32,
  infinity,
  leadingZeros,
  not,
  or,
  type Parts,
  returnNaN,
  SINGLE,
  shl,
  shr,
} from "../format.ts";
import { powerOfTwo } from "./exponential.ts";
import { logarithmOf, reduced } from "./logarithm.ts";
import {
  asI32,
  bitsOf,
  down,
  type Fill,
  float,
  formatOf,
  give,
  high,
  numberOf,
  operand,
  positive,
  type Rounding,
  u64,
} from "./words.ts";

/** Whether a number that is not 0 is whole, and odd: its lowest digit that is set is that of 1. */
function parityOf(code: Code, y: Parts): { readonly isWhole: Expr; readonly isOdd: Expr } {
  const exponent = code.let("y_biased", shr(y.magnitude, SINGLE.digits));
  const digits = or(and(y.magnitude, u32(0x7fffff)), u32(0x800000));
  const isFraction = lt(exponent, u32(SINGLE.bias));
  const isFar = ge(exponent, u32(SINGLE.bias + 24));
  // Digits from that of 1/2 down at the top.
  const moved = code.let("y_moved", shl(digits, and(sub(exponent, u32(SINGLE.bias - 8)), u32(31))));
  const isInside = code.let("y_inside", not(or(isFraction, isFar)));
  return {
    isWhole: code.let("y_whole", or(isFar, and(isInside, eq(shl(moved, 1), u32(0))))),
    isOdd: code.let("y_odd", and(isInside, eq(moved, u32(0x80000000)))),
  };
}

/** IEEE 754-2019, 9.2.1: 1 for x = 1 or y = 0, whatever the other is. */
function specials(code: Code, to: Rounding, x: Expr, y: Expr, a: Parts, b: Parts, sign: Expr): void {
  code.if(or(eq(a.bits, bitsOf(to, 1)), b.isZero), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(a.isNaN, (then) => then.return(x));
  code.if(b.isNaN, (then) => then.return(y));
  code.if(and(eq(a.magnitude, bitsOf(to, 1)), b.isInfinite), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(or(or(a.isZero, a.isInfinite), b.isInfinite), (then) => {
    const isLarge = ge(a.magnitude, bitsOf(to, 1));
    then.return(float(to, or(sign, select(ne(isLarge, b.isNegative), infinity(formatOf(to)), positive(to)))));
  });
}

export const pow: Fill = (code, to, x, y) => {
  const [a, b] = [operand(code, to, x, "x_"), operand(code, to, y, "y_")];
  const { isWhole, isOdd } = parityOf(code, b);
  const sign = code.let("sign", select(isOdd, a.sign, u32(0)));
  specials(code, to, x, y, a, b, sign);
  code.if(and(a.isNegative, not(isWhole)), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(a.magnitude, bitsOf(to, 1)), (then) => then.return(float(to, or(sign, bitsOf(to, 1)))));
  const log = logarithmOf(code, reduced(code, numberOf(code, to, a, "x_")), true);
  const zeros = code.let("zeros", leadingZeros(log.digits));
  const factor = numberOf(code, to, b, "y_");
  const whole = code.let("whole", high(shl(log.digits, zeros), factor.digits));
  const lead = code.let("lead", leadingZeros(whole));
  const product = code.let("product", shl(whole, lead));
  const lost = asI32(sub(add(zeros, lead), u32(1)));
  const power = code.let("power", sub(add(log.exponent, factor.exponent), lost));
  const isNegative = code.let("negative", ne(log.isNegative, b.isNegative));
  // 192 and more, or less than its opposite
  const isFar = or(ge(power, i32(8)), ge(down(product, sub(i32(7), power)), u64(192n << 56n)));
  code.if(isFar, (then) =>
    then.return(float(to, or(sign, select(isNegative, positive(to), infinity(formatOf(to)))))),
  );
  const { k, power: digits } = powerOfTwo(code, to, { digits: product, exponent: power }, isNegative);
  // An exact result has no digits there, and one that is halfway between two floats neither.
  const kept = and(add(digits, u64(1n << 8n)), not(u64((1n << 9n) - 1n)));
  give(code, to, sign, add(k, i32(1)), kept);
};
