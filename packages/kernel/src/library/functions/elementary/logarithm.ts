/** Logarithms, by log m = 2 atanh((m - 1) / (m + 1)) of a significand m in [0.7, 1.42), and inverse hyperbolic functions. */
import { ln2, over } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  call,
  cast,
  eq,
  lt,
  ne,
  select,
  sub,
} from "../../../language/make-expr.ts";
import { QUIET_NAN } from "../../types/base/define.ts";
import { ge, gt, i32, leadingZeros, or, type Parts, returnNaN, shl, shr } from "../format.ts";
import { inverseRootOf, partOf, reciprocalOf } from "./series.ts";
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
  positive,
  q,
  type Rounding,
  signOf,
  u64,
} from "./words.ts";

const { POSITIVE_INFINITY: INFINITE } = Number;
const P = 128;
const LN2 = ln2(P);
const LOG2E = over(1n << BigInt(P), LN2, P);
/** The square root of 2, of 62 fraction bits. */
const MIDDLE = 0x5a827999fcef3242n;

/** 2^e m, with m - 1 as a number of its own. */
export interface ReducedLogarithm {
  /** An i32. */
  readonly e: Expr;
  /** Of 62 fraction bits. */
  readonly m: Expr;
  readonly isBelow: Expr;
  /** |m - 1|, of 62 fraction bits. */
  readonly rest: Expr;
}
/** @param x its exponent is that of 2 */
export function reduced(code: Code, { digits, exponent }: Number64): ReducedLogarithm {
  const isLarge = code.let("large", gt(shr(digits, 1), u64(MIDDLE)));
  const m = code.let("m", shr(digits, select(isLarge, 2, 1)));
  const e = code.let("e", select(isLarge, add(exponent, i32(1)), exponent));
  const isBelow = code.let("below", lt(m, one(62)));
  return { e, m, isBelow, rest: code.let("rest", select(isBelow, sub(one(62), m), sub(m, one(62)))) };
}

/** log m, which is not 0, as digits. @param gap |m - 1| = gap.digits * 2^(gap.exponent - 63) */
export function logOf(code: Code, { m, isBelow }: ReducedLogarithm, gap: Number64): Number64 {
  const sum = code.let("sum_of_m", add(m, one(62)));
  const inverse = reciprocalOf(shl(sum, cast("u32", isBelow)));
  const s = code.let("s", high(gap.digits, inverse));
  // s * 2^(up - 64)
  const up = code.let("up", add(gap.exponent, select(isBelow, i32(1), i32(0))));
  const u = down(high(s, s), shl(sub(i32(0), up), 1));
  return {
    digits: code.let("digits_of_log", high(s, partOf("log_part", u))),
    exponent: code.let("power_of_log", add(up, i32(1))),
  };
}
/** |m - 1|, which is not 0. */
export const gapOf = (code: Code, rest: Expr): Number64 => {
  const zeros = code.let("zeros", leadingZeros(rest));
  return { digits: shl(rest, zeros), exponent: sub(i32(1), asI32(zeros)) };
};

interface SignedNumber extends Number64 {
  readonly isNegative: Expr;
}
/** e log 2 + log m, or that of base 2. */
function whole({ e, isBelow }: ReducedLogarithm, log: Number64, isBinary: boolean, code: Code): SignedNumber {
  const isNegative = code.let("negative", lt(e, i32(0)));
  const size = code.let("size", bitcast("u32", select(isNegative, sub(i32(0), e), e)));
  // Digits before the point: the sum is at least a quarter of what they hold.
  const before = code.let("before", sub(33, leadingZeros(size)));
  const wide = shl(cast("u64", size), sub(64, before));
  const most = isBinary ? wide : high(wide, q(64, LN2, P));
  const least = down(log.digits, sub(sub(asI32(before), i32(1)), log.exponent));
  const isSame = code.let("same", eq(cast("u32", isNegative), cast("u32", isBelow)));
  const sum = code.let("sum", select(isSame, add(most, least), sub(most, least)));
  return { isNegative, digits: sum, exponent: sub(asI32(before), i32(1)) };
}
const inBase = (code: Code, log: Number64, isBinary: boolean): Number64 =>
  isBinary
    ? { digits: code.let("binary", high(log.digits, q(63, LOG2E, P))), exponent: add(log.exponent, i32(1)) }
    : log;

/** The logarithm of a number other than 1. */
export function logarithmOf(code: Code, x: ReducedLogarithm, isBinary: boolean): SignedNumber {
  const digits = code.var("log_digits", u64(0n));
  const exponent = code.var("log_power", i32(0));
  const sign = code.var("log_sign", cast("u32", x.isBelow));
  code.if(ne(x.rest, u64(0n)), (then) => {
    const log = inBase(then, logOf(then, x, gapOf(then, x.rest)), isBinary);
    then.assign(digits, log.digits);
    then.assign(exponent, log.exponent);
  });
  code.if(ne(x.e, i32(0)), (then) => {
    const sum = whole(x, { digits, exponent }, isBinary, then);
    then.assign(digits, sum.digits);
    then.assign(exponent, sum.exponent);
    then.assign(sign, cast("u32", sum.isNegative));
  });
  return { digits, exponent, isNegative: eq(sign, 1) };
}
function finish(code: Code, to: Rounding, x: ReducedLogarithm, isBinary: boolean): void {
  code.if(and(eq(x.rest, u64(0n)), eq(x.e, i32(0))), (then) => then.return(float(to, positive(to))));
  const { isNegative, exponent, digits } = logarithmOf(code, x, isBinary);
  give(code, to, signOf(to, isNegative), exponent, digits);
}

function special(code: Code, to: Rounding, x: Expr, parts: Parts): void {
  code.if(parts.isNaN, (then) => then.return(x));
  code.if(parts.isZero, (then) => then.return(float(to, bitsOf(to, -INFINITE))));
  code.if(parts.isNegative, (then) => returnNaN(then, formatOf(to)));
  code.if(parts.isInfinite, (then) => then.return(x));
}
const logarithm =
  (isBinary: boolean): FillBody =>
  (code, to, x) => {
    const parts = operand(code, to, x);
    special(code, to, x, parts);
    finish(code, to, reduced(code, numberOf(code, to, parts)), isBinary);
  };
/** Of an f32 a quick step decides most roundings. */
const afterQuick =
  (name: "log" | "log2" | "log1p", decided: FillBody): FillBody =>
  (code, to, x, y) => {
    if (to === "f32") {
      const quick = code.let("quick", call(`quick_${name}`, "u32", [bitcast("u32", x)]));
      code.if(ne(quick, QUIET_NAN), (then) => then.return(float(to, quick)));
    }
    decided(code, to, x, y);
  };
export const log: FillBody = afterQuick("log", logarithm(false));
export const log2: FillBody = afterQuick("log2", logarithm(true));

/** 1 + x in 62 fraction bits of the greater of the two; x alone is m - 1 where it is small. */
const logOfOneMore: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(binary("or", parts.isNaN, parts.isZero), (then) => then.return(x));
  const minus = bitsOf(to, -1);
  code.if(eq(parts.bits, minus), (then) => then.return(float(to, bitsOf(to, -INFINITE))));
  code.if(and(parts.isNegative, gt(parts.bits, minus)), (then) => returnNaN(then, formatOf(to)));
  code.if(parts.isInfinite, (then) => then.return(x));
  const number = numberOf(code, to, parts);
  const above = code.let("above", binary("max", number.exponent, i32(0)));
  const own = down(number.digits, add(i32(1), sub(above, number.exponent)));
  const unit = down(one(62), above);
  const sum = code.let(
    "one_more",
    select(parts.isNegative, sub(unit, binary("max", own, u64(1n))), add(unit, own)),
  );
  const zeros = code.let("lead", leadingZeros(sum));
  const m = reduced(code, {
    digits: code.let("significand", shl(sum, zeros)),
    exponent: sub(add(above, i32(1)), asI32(zeros)),
  });
  const isTiny = code.let("tiny", lt(number.exponent, i32(-2)));
  code.if(isTiny, (then) => {
    const log = logOf(then, { ...m, isBelow: parts.isNegative }, number);
    // What products cut off, added again: of 0x1.800006p-21 the result is only 2^-66 above a tie. Of
    // -0x1.7ffffap-21 it is as little below one.
    const digits = add(log.digits, select(parts.isNegative, u64(0n), u64(4n)));
    give(then, to, parts.sign, log.exponent, digits);
  });
  finish(code, to, m, false);
};

export const log1p: FillBody = afterQuick("log1p", logOfOneMore);

/** From this exponent on x² and x² ± 1 have the same digits. */
const FAR = 32;
const squareRootOf = (d: Expr): Expr => high(d, inverseRootOf(d));
/** x with the top digit set. */
function normal(code: Code, { digits, exponent }: Number64): Number64 {
  const zeros = code.let("zeros", leadingZeros(digits));
  return {
    digits: code.let("normal", shl(digits, zeros)),
    exponent: code.let("normal_power", sub(exponent, asI32(zeros))),
  };
}
/** log(x + root), where `sumOf` is the sum of both for x < 2^32; beyond it is that of 2 x. */
function logOfSum(code: Code, x: Number64, sumOf: (code: Code) => Number64): Number64 {
  const digits = code.var("sum_digits", x.digits);
  const exponent = code.var("sum_power", add(x.exponent, i32(1)));
  code.if(lt(x.exponent, i32(FAR)), (then) => {
    const sum = normal(then, sumOf(then));
    then.assign(digits, sum.digits);
    then.assign(exponent, sum.exponent);
  });
  return logarithmOf(code, reduced(code, { digits, exponent }), false);
}
const giveNumber = (code: Code, to: Rounding, sign: Expr, { digits, exponent }: Number64): void =>
  give(code, to, sign, exponent, digits);

/** x / (1 + √(1 + x²)) = s * 2^(exponent of x - 64), for x < 11/32. */
function halfOfSmall(code: Code, { digits, exponent }: Number64): Expr {
  const square = down(high(digits, digits), sub(i32(0), shl(exponent, 1)));
  const d = code.let("d", add(one(62), square));
  const sum = add(one(62), high(shl(d, 1), inverseRootOf(d)));
  return code.let("s", high(digits, reciprocalOf(binary("max", sum, one(63)))));
}
/** x + √(1 + x²) in units of a power of two, of 61 fraction bits. */
function sumWithOne(code: Code, { digits, exponent }: Number64): Number64 {
  const base = code.let("base", binary("max", exponent, i32(0)));
  const by = code.let("by", sub(base, exponent));
  const own = code.let("own", down(high(digits, digits), shl(by, 1)));
  const unit = code.let("unit", down(one(62), shl(base, 1)));
  const quarter = code.let("quarter", add(shr(own, 2), shr(unit, 2)));
  // From 4 on the sum itself has a digit too many.
  const isWide = code.let("wide", ge(quarter, one(62)));
  const d = code.let("d", select(isWide, quarter, add(own, unit)));
  const root = shl(squareRootOf(d), cast("u32", isWide));
  return { digits: add(down(digits, add(by, i32(2))), root), exponent: add(base, i32(2)) };
}
/** 2 atanh(x / (1 + √(1 + x²))), or log(x + √(1 + x²)). */
export const asinh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(or(parts.isZero, parts.isSpecial), (then) => then.return(x));
  const number = numberOf(code, to, parts);
  code.if(lt(parts.magnitude, bitsOf(to, 11 / 32)), (then) => {
    const s = halfOfSmall(then, number);
    const u = down(high(s, s), sub(i32(0), shl(number.exponent, 1)));
    give(then, to, parts.sign, add(number.exponent, i32(1)), high(s, partOf("log_part", u)));
  });
  giveNumber(
    code,
    to,
    parts.sign,
    logOfSum(code, number, (then) => sumWithOne(then, number)),
  );
};

/** 2 atanh √((x - 1) / (x + 1)), for x < 1 + 31/512. */
function nearOne(code: Code, { digits }: Number64): Number64 {
  const rest = normal(code, { digits: sub(digits, one(63)), exponent: i32(0) });
  const ratio = high(rest.digits, reciprocalOf(add(shr(digits, 1), one(62))));
  const u = normal(code, { digits: code.let("ratio", ratio), exponent: rest.exponent });
  const places = code.let("places", bitcast("u32", sub(i32(0), u.exponent)));
  const root = squareRootOf(code.let("d", shr(u.digits, and(places, 1))));
  return {
    digits: high(root, partOf("log_part", shr(u.digits, places))),
    exponent: sub(i32(3), asI32(shr(places, 1))),
  };
}
/** x + √(x² - 1) in units of a power of two, of 62 fraction bits. */
function sumWithoutOne(code: Code, { digits, exponent }: Number64): Number64 {
  const square = code.let("square", sub(high(digits, digits), down(one(62), shl(exponent, 1))));
  const zeros = code.let("even", and(leadingZeros(square), 62));
  const root = shl(squareRootOf(code.let("d", shl(square, zeros))), 1);
  return { digits: add(shr(digits, 1), shr(root, shr(zeros, 1))), exponent: add(exponent, i32(1)) };
}
/** The logarithm of x + √(x² - 1). */
export const acosh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  const last = bitsOf(to, 1);
  code.if(parts.isNaN, (then) => then.return(x));
  code.if(or(parts.isNegative, lt(parts.magnitude, last)), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(parts.magnitude, last), (then) => then.return(float(to, positive(to))));
  code.if(parts.isInfinite, (then) => then.return(x));
  const number = numberOf(code, to, parts);
  code.if(lt(parts.magnitude, bitsOf(to, 1 + 31 / 512)), (then) =>
    giveNumber(then, to, positive(to), nearOne(then, number)),
  );
  giveNumber(
    code,
    to,
    positive(to),
    logOfSum(code, number, (then) => sumWithoutOne(then, number)),
  );
};

/** The series, or log((1 + x) / (1 - x)) / 2. */
export const atanh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  const last = bitsOf(to, 1);
  code.if(or(parts.isNaN, parts.isZero), (then) => then.return(x));
  code.if(gt(parts.magnitude, last), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(parts.magnitude, last), (then) => then.return(float(to, or(bitsOf(to, INFINITE), parts.sign))));
  const { digits, exponent } = numberOf(code, to, parts);
  code.if(lt(parts.magnitude, bitsOf(to, 11 / 64)), (then) => {
    const u = down(high(digits, digits), sub(i32(-2), shl(exponent, 1)));
    give(then, to, parts.sign, add(exponent, i32(1)), high(digits, partOf("log_part", u)));
  });
  const fixed = code.let("fixed", down(digits, sub(i32(-1), exponent)));
  const gap = normal(code, { digits: sub(u64(0n), fixed), exponent: i32(1) });
  const ratio = code.let("ratio", high(add(one(63), shr(fixed, 1)), reciprocalOf(gap.digits)));
  const quotient = normal(code, { digits: ratio, exponent: sub(i32(2), gap.exponent) });
  const log = logarithmOf(code, reduced(code, quotient), false);
  give(code, to, parts.sign, sub(log.exponent, i32(1)), log.digits);
};
