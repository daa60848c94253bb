/** x^y of doubles: y log2 x has 11 digits before the point, so that the logarithm has 128. */

import { LN2 } from "@groupwise/ir/functions/digits/fixed.js";
import { over } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, bitcast, cast, eq, lt, mul, ne, select, sub } from "../../../language/make-expr.ts";
import { ge, i32, leadingZeros, or, shl, shr } from "../format.ts";
import { powerOfFraction } from "./exponential.ts";
import { gapOf, type ReducedLogarithm, reduced } from "./logarithm.ts";
import { partOf, reciprocalOf } from "./series.ts";
import {
  addPair,
  downPair,
  normalPair,
  pairOf,
  subPair,
  timesPair,
  timesWord,
  type WideNumber,
  type WidePair,
} from "./wide.ts";
import { asI32, high, type Number64, one, u64 } from "./words.ts";

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
export interface DoublePower {
  readonly isNegative: Expr;
  /** Whether y log2 x is 1100 at least, or at most its opposite: no double is that large or small. */
  readonly isFar: Expr;
  readonly k: Expr;
  readonly power: Expr;
}
export function doublePowerOf(code: Code, x: Number64, y: Number64, isOpposite: Expr): DoublePower {
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
