/** x^y = 2^(y log2 x). */

import { LN2 } from "@groupwise/ir/functions/digits/fixed.js";
import { over } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  cast,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import {
  type Format,
  fractionMask,
  ge,
  hiddenBit,
  i32,
  infinity,
  leadingZeros,
  not,
  or,
  type Parts,
  returnNaN,
  shl,
  shr,
  signBit,
  wordOf,
} from "../format.ts";
import { powerOfFraction, powerOfTwo } from "./exponential.ts";
import { gapOf, logarithmOf, type ReducedLogarithm, reduced } from "./logarithm.ts";
import { partOf, reciprocalOf } from "./series.ts";
import {
  asI32,
  bitsOf,
  down,
  type FillBody,
  float,
  formatOf,
  give,
  high,
  type Number64,
  numberOf,
  one,
  operand,
  pick,
  positive,
  type Rounding,
  u64,
} from "./words.ts";

// x^y of doubles: y log2 x has 11 digits before the point, so that the logarithm has 128.
// Unsigned numbers of 128 bits, as two words.
interface WidePair {
  readonly upper: Expr;
  readonly lower: Expr;
}
const named = (code: Code, hint: string, upper: Expr, lower: Expr): WidePair => ({
  upper: code.let(hint, upper),
  lower: code.let(`${hint}_low`, lower),
});
const pairOf = (upper: bigint, lower: bigint): WidePair => ({ upper: u64(upper), lower: u64(lower) });

function addPair(code: Code, a: WidePair, b: WidePair): WidePair {
  const lower = code.let("sum_low", add(a.lower, b.lower));
  return { upper: code.let("sum", add(add(a.upper, b.upper), cast("u64", lt(lower, a.lower)))), lower };
}
const subPair = (code: Code, a: WidePair, b: WidePair): WidePair =>
  named(
    code,
    "difference",
    sub(sub(a.upper, b.upper), cast("u64", lt(a.lower, b.lower))),
    sub(a.lower, b.lower),
  );
/** @param by an i32 that is not negative; 127 means any larger shift */
function downPair(code: Code, { upper, lower }: WidePair, by: Expr): WidePair {
  const places = code.let("places", bitcast("u32", binary("min", by, i32(127))));
  const isShort = code.let("short", lt(places, 64));
  // A shift by 64 would be one by 0.
  const carried = shl(shl(upper, 1), sub(63, places));
  return named(
    code,
    "moved",
    select(isShort, shr(upper, places), u64(0n)),
    select(isShort, or(shr(lower, places), carried), shr(upper, sub(places, 64))),
  );
}
/** The upper 128 bits of a product with a word. */
const timesWord = (code: Code, { upper, lower }: WidePair, by: Expr): WidePair =>
  addPair(
    code,
    { upper: high(upper, by), lower: code.let("product_low", mul(upper, by)) },
    { upper: u64(0n), lower: high(lower, by) },
  );
/** Those of a product with a pair, without the product of the lower halves. */
const timesPair = (code: Code, a: WidePair, b: WidePair): WidePair =>
  addPair(code, timesWord(code, a, b.upper), { upper: u64(0n), lower: high(a.upper, b.lower) });

/** Digits * 2^(exponent - 127). */
interface WideNumber extends WidePair, Pick<Number64, "exponent"> {}
/** The top digit set. @param x its upper word is not 0 */
function normalPair(code: Code, { upper, lower, exponent }: WideNumber): WideNumber {
  const zeros = code.let("zeros", leadingZeros(upper));
  const carried = shr(shr(lower, 1), sub(63, zeros));
  return {
    ...named(code, "normal", or(shl(upper, zeros), carried), shl(lower, zeros)),
    exponent: code.let("normal_power", sub(exponent, asI32(zeros))),
  };
}

const P = 128;
const LOG2E = over(1n << BigInt(P), LN2, P) >> 1n;
const WORD = (1n << 64n) - 1n;
const FAR = 1100n;

/** (m - 1) / (m + 1) * 2^-up with 119 digits: a quotient of one word, and what it leaves. */
function quotientOf(code: Code, { m, isBelow }: ReducedLogarithm, gap: Number64): WidePair {
  const sum = code.let("sum_of_m", shl(add(m, one(62)), cast("u32", isBelow)));
  const inverse = code.let("inverse", reciprocalOf(sum));
  const quotient = code.let("quotient", high(gap.digits, inverse));
  const product = { upper: high(quotient, sum), lower: code.let("back", mul(quotient, sum)) };
  const left = subPair(code, { upper: shr(gap.digits, 1), lower: shl(gap.digits, 63) }, product);
  const last = code.let("last", high(or(shl(left.upper, 60), shr(left.lower, 4)), inverse));
  return { upper: code.let("s", add(quotient, shr(last, 59))), lower: code.let("s_low", shl(last, 5)) };
}
/** log2 m = 2 / log 2 * s (1 + u rest(u)), u = s². */
function logOf(code: Code, x: ReducedLogarithm, gap: Number64): WideNumber {
  const s = quotientOf(code, x, gap);
  const up = code.let("up", add(gap.exponent, select(x.isBelow, i32(1), i32(0))));
  const u = downPair(code, timesPair(code, s, s), shl(sub(i32(0), up), 1));
  const rest = timesWord(code, u, code.let("rest_of_log", partOf("log_rest", u.upper)));
  const half: WidePair = {
    upper: code.let("half", shr(s.upper, 1)),
    lower: code.let("half_low", or(shr(s.lower, 1), shl(s.upper, 63))),
  };
  const natural = addPair(code, half, timesPair(code, half, rest));
  const log = timesPair(code, natural, pairOf(LOG2E >> 64n, LOG2E & WORD));
  return { ...log, exponent: add(up, i32(2)) };
}

interface SignedWide extends WideNumber {
  readonly isNegative: Expr;
}
/** The logarithm to base 2 of a number other than 1. */
function log2Of(code: Code, number: Number64): SignedWide {
  const x = reduced(code, number);
  const upper = code.var("log", u64(0n));
  const lower = code.var("log_low", u64(0n));
  const exponent = code.var("log_power", i32(0));
  const sign = code.var("log_sign", cast("u32", x.isBelow));
  const assign = (at: Code, value: WideNumber): void => {
    at.assign(upper, value.upper);
    at.assign(lower, value.lower);
    at.assign(exponent, value.exponent);
  };
  code.if(ne(x.rest, u64(0n)), (then) => assign(then, logOf(then, x, gapOf(then, x.rest))));
  code.if(ne(x.e, i32(0)), (then) => {
    const isNegative = then.let("negative", lt(x.e, i32(0)));
    const size = then.let("size", bitcast("u32", select(isNegative, sub(i32(0), x.e), x.e)));
    const before = then.let("before", sub(33, leadingZeros(size)));
    const whole: WidePair = {
      upper: then.let("wide", shl(cast("u64", size), sub(64, before))),
      lower: u64(0n),
    };
    const power = then.let("power", sub(asI32(before), i32(1)));
    const least = downPair(then, { upper, lower }, sub(power, exponent));
    const [more, less] = [addPair(then, whole, least), subPair(then, whole, least)];
    const isSame = then.let("same", eq(cast("u32", isNegative), cast("u32", x.isBelow)));
    assign(then, {
      upper: then.let("chosen", select(isSame, more.upper, less.upper)),
      lower: then.let("chosen_low", select(isSame, more.lower, less.lower)),
      exponent: power,
    });
    then.assign(sign, cast("u32", isNegative));
  });
  return { upper, lower, exponent, isNegative: eq(sign, 1) };
}

/** x^y as 2^(k + 1) * digits / 2^63, where the exponent of both is not far. */
interface DoublePower {
  readonly isNegative: Expr;
  /** Whether y log2 x is 1100 at least, or at most its opposite: no double is that large or small. */
  readonly isFar: Expr;
  readonly k: Expr;
  readonly power: Expr;
}
function doublePowerOf(code: Code, x: Number64, y: Number64, isOpposite: Expr): DoublePower {
  const log = log2Of(code, x);
  const normal = normalPair(code, log);
  const exponent = add(normal.exponent, add(y.exponent, i32(1)));
  const product = normalPair(code, { ...timesWord(code, normal, y.digits), exponent });
  const isNegative = code.let("opposite", ne(log.isNegative, isOpposite));
  const fixed = downPair(code, product, sub(i32(10), product.exponent));
  const k = code.let("k", asI32(cast("u32", shr(add(fixed.upper, one(52)), 53))));
  const fraction = or(shl(fixed.upper, 11), shr(fixed.lower, 53));
  return {
    isNegative,
    isFar: or(ge(product.exponent, i32(11)), ge(fixed.upper, u64(FAR << 53n))),
    k: code.let("powers", select(isNegative, sub(i32(0), k), k)),
    power: powerOfFraction(code, fraction, isNegative),
  };
}

/** Whether a number that is not 0 is whole, and odd: its lowest digit that is set is that of 1. */
function parityOf(code: Code, f: Format, y: Parts): { readonly isWhole: Expr; readonly isOdd: Expr } {
  const exponent = code.let("y_biased", cast("u32", shr(y.magnitude, f.digits)));
  const digits = or(and(y.magnitude, fractionMask(f)), hiddenBit(f));
  const isFraction = lt(exponent, f.bias);
  const isFar = ge(exponent, u32(f.bias + f.digits + 1));
  // Digits from that of 1/2 down at the top.
  const spare = f.width - 1 - f.digits;
  const moved = code.let("y_moved", shl(digits, and(sub(exponent, f.bias - spare), f.width - 1)));
  const isInside = code.let("y_inside", not(or(isFraction, isFar)));
  return {
    isWhole: code.let("y_whole", or(isFar, and(isInside, eq(shl(moved, 1), wordOf(f, 0n))))),
    isOdd: code.let("y_odd", and(isInside, eq(moved, signBit(f)))),
  };
}

/** x and y, the parts of each, and the sign of the result. */
interface Operands {
  readonly x: Expr;
  readonly y: Expr;
  readonly a: Parts;
  readonly b: Parts;
  readonly sign: Expr;
}
/** IEEE 754-2019, 9.2.1: 1 for x = 1 or y = 0, whatever the other is. */
function specials(code: Code, to: Rounding, { x, y, a, b, sign }: Operands): void {
  code.if(or(eq(a.bits, bitsOf(to, 1)), b.isZero), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(a.isNaN, (then) => then.return(x));
  code.if(b.isNaN, (then) => then.return(y));
  code.if(and(eq(a.magnitude, bitsOf(to, 1)), b.isInfinite), (then) => then.return(float(to, bitsOf(to, 1))));
  code.if(or(or(a.isZero, a.isInfinite), b.isInfinite), (then) => {
    const isLarge = ge(a.magnitude, bitsOf(to, 1));
    then.return(float(to, or(sign, select(ne(isLarge, b.isNegative), infinity(formatOf(to)), positive(to)))));
  });
}

type Power = (code: Code, x: Number64, y: Number64, isOpposite: Expr) => DoublePower;
const singlePowerOf: Power = (code, x, factor, isOpposite) => {
  const log = logarithmOf(code, reduced(code, x), true);
  const zeros = code.let("zeros", leadingZeros(log.digits));
  const whole = code.let("whole", high(shl(log.digits, zeros), factor.digits));
  const lead = code.let("lead", leadingZeros(whole));
  const product = code.let("product", shl(whole, lead));
  const lost = asI32(sub(add(zeros, lead), 1));
  const power = code.let("power", sub(add(log.exponent, factor.exponent), lost));
  const isNegative = code.let("negative", ne(log.isNegative, isOpposite));
  // 192 and more, or less than its opposite
  const isFar = or(ge(power, i32(8)), ge(down(product, sub(i32(7), power)), u64(192n << 56n)));
  return { isNegative, isFar, ...powerOfTwo(code, "f32", { digits: product, exponent: power }, isNegative) };
};
/** An exact result has no digits there, and one that is halfway between two floats neither. */
const kept = (digits: Expr): Expr => and(add(digits, u64(1n << 8n)), not(u64((1n << 9n) - 1n)));

export const pow: FillBody = (code, to, x, y) => {
  const [a, b] = [operand(code, to, x, "x_"), operand(code, to, y, "y_")];
  const { isWhole, isOdd } = parityOf(code, formatOf(to), b);
  const sign = code.let("sign", select(isOdd, a.sign, positive(to)));
  specials(code, to, { x, y, a, b, sign });
  code.if(and(a.isNegative, not(isWhole)), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(a.magnitude, bitsOf(to, 1)), (then) => then.return(float(to, or(sign, bitsOf(to, 1)))));
  const powerOf = pick(to, singlePowerOf, doublePowerOf);
  const [base, exponent] = [numberOf(code, to, a, "x_"), numberOf(code, to, b, "y_")];
  const { isNegative, isFar, k, power } = powerOf(code, base, exponent, b.isNegative);
  code.if(isFar, (then) =>
    then.return(float(to, or(sign, select(isNegative, positive(to), infinity(formatOf(to)))))),
  );
  give(code, to, sign, add(k, i32(1)), pick(to, kept(power), power));
};
