/** The exponential function and what is made of it. */
import { ln2, log1p, over } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  bitcast,
  bool,
  call,
  cast,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import { ge, gt, i32, leadingZeros, shl, shr } from "../format.ts";
import { expPart, reciprocalOf } from "./series.ts";
import {
  asI32,
  bitsOf,
  down,
  ends,
  type FillBody,
  float,
  give,
  high,
  i64,
  type Number64,
  numberOf,
  ofZero,
  one,
  operand,
  pick,
  positive,
  q,
  type Rounding,
  u64,
  upper,
} from "./words.ts";

const { POSITIVE_INFINITY: INFINITE } = Number;
const P = 128;
const LN2 = ln2(P);
/** Of 31 fraction bits. */
const LOG2E = Number(over(1n << BigInt(P), LN2, P) >> BigInt(P - 31));

/** e^x = 2^k (1 + r part(r)), |r| <= 0.3468. */
interface Split {
  /** An i32. */
  readonly k: Expr;
  /** (e^r - 1) / r, of 62 fraction bits. */
  readonly part: Expr;
  /** e^r, of 62 fraction bits. */
  readonly power: Expr;
}
/** Magnitudes from which on powers are 0 or infinite. */
const SINGLE_END = 128;
const DOUBLE_END = 1100;
/** 64 digits after the point: no double has others on both sides of them. */
const fractionOf = ({ digits, exponent }: Number64): Expr =>
  select(
    lt(exponent, i32(-1)),
    down(digits, sub(i32(-1), exponent)),
    shl(digits, bitcast("u32", add(exponent, i32(1)))),
  );
/**
 * x = k log 2 + r, |r| <= 0.3468, an i64 of 64 fraction bits.
 * @param x |x| < 128, or 2048 for f64; of an f32 what lies below 2^-57 changes no result
 */
function reduced(
  code: Code,
  to: Rounding,
  x: Number64,
  isNegative: Expr,
): { readonly k: Expr; readonly r: Expr } {
  const before = pick(to, 7, 11);
  const fixed = code.let("fixed", down(x.digits, sub(i32(before - 1), x.exponent)));
  const whole = shr(add(high(upper(fixed), u32(LOG2E)), 2 ** (30 - before)), 31 - before);
  const k = code.let("k", whole);
  // 80 digits of log 2: k has 8, or 12.
  const wide = cast("u64", k);
  const most = mul(wide, q(64, LN2, P));
  const last = shr(mul(wide, u64((LN2 >> BigInt(P - 80)) & 0xffffn)), 16);
  const behind = pick(to, shl(fixed, before), fractionOf(x));
  const rest = code.let("rest", bitcast("i64", sub(sub(behind, most), last)));
  const r = code.let("r", select(isNegative, sub(i64(0n), rest), rest));
  return { k: code.let("powers", select(isNegative, sub(i32(0), asI32(k)), asI32(k))), r };
}
/** @param x as of {@link reduced} */
export function splitOf(code: Code, to: Rounding, x: Number64, isNegative: Expr): Split {
  const { k, r } = reduced(code, to, x, isNegative);
  return { k, ...powerOf(code, r) };
}
/** Of 64 fraction bits of r. */
export function powerOf(code: Code, r: Expr): Pick<Split, "part" | "power"> {
  const part = code.let("part", expPart(r));
  return { part, power: code.let("power_of_e", bitcast("u64", add(bitcast("i64", one(62)), high(part, r)))) };
}

type PowerOf = (code: Code, to: Rounding, x: Number64, isNegative: Expr) => Pick<Split, "k" | "power">;
/** A power of x, which is infinite or 0 from a magnitude of x on. @param whole digits before the point of the power of the split, less 1 */
const powers =
  (limit: number, split: PowerOf, whole: 0 | 1 = 1): FillBody =>
  (code, to, x) => {
    const parts = operand(code, to, x);
    ends(code, to, { x, parts }, pick(to, limit, DOUBLE_END), [INFINITE, 0]);
    ofZero(code, parts, float(to, bitsOf(to, 1)));
    const { k, power } = split(code, to, numberOf(code, to, parts), parts.isNegative);
    give(code, to, positive(to), add(k, i32(whole)), power);
  };
const decided: FillBody = powers(SINGLE_END, splitOf);
/** Factors 1 + 2^-i of a power: with one factor more, what is left of the exponent is below 2^-31. */
const FACTORS = 31;
/**
 * e^r as a product of factors 1 + 2^-i, and of 1 + what is left of r (Muller, ch. 8: multiplicative normalization). Few operations for this many
 * digits, and few values at a time. An error is below 32 units of 2^-63.
 */
function powerOfFactors(code: Code, to: Rounding, x: Number64, isNegative: Expr): Pick<Split, "k" | "power"> {
  const { k, r } = reduced(code, to, x, isNegative);
  const isBelow = code.let("below", lt(r, i64(0n)));
  const half = code.let("half", shr(bitcast("u64", r), 1));
  const left = code.var("left", select(isBelow, add(half, q(63, LN2 + (1n << BigInt(P)), P)), half));
  const power = code.var("product", one(63));
  for (let i = 1; i <= FACTORS; i++) {
    const factor = q(63, log1p(1n << BigInt(P - i), P), P);
    code.if(ge(left, factor), (then) => {
      then.assign(left, sub(left, factor));
      then.assign(power, add(power, shr(power, i)));
    });
  }
  const more = shr(mul(cast("u64", upper(power)), left), 31);
  return {
    k: code.let("exponent", sub(k, cast("i32", isBelow))),
    power: code.let("power_of_e", add(power, more)),
  };
}
const decidedFactors: FillBody = powers(SINGLE_END, powerOfFactors, 0);
/** Of an f32 a quick step decides most roundings. */
export const exp: FillBody = (code, to, x, y) => {
  if (to !== "f32") return decided(code, to, x, y);
  const quick = code.let("quick", call("quick_exp", "u32", [bitcast("u32", x)]));
  code.if(ne(quick, 0), (then) => then.return(float(to, quick)));
  decidedFactors(code, to, x, y);
};

/** 2^f of the digits after the point, less 1 from 1/2 on: of 62 fraction bits. */
export function powerOfFraction(code: Code, behind: Expr, isNegative: Expr): Expr {
  const half = high(bitcast("i64", behind), bitcast("i64", q(63, LN2, P)));
  const r = code.let("r", shl(half, 1));
  return powerOf(code, code.let("signed_r", select(isNegative, sub(i64(0n), r), r))).power;
}
/** 2^x = 2^k e^(f log 2), |f| <= 1/2. @param x |x| < 255, or 2048 for f64 */
export function powerOfTwo(
  code: Code,
  to: Rounding,
  x: Number64,
  isNegative: Expr,
): Pick<Split, "k" | "power"> {
  // 8 digits before the point and 56 after it, or 11 and 53, rounded to a whole number.
  const before = pick(to, 8, 11);
  const fixed = code.let("fixed", down(x.digits, sub(i32(before - 1), x.exponent)));
  const k = code.let("k", asI32(upper(shr(add(fixed, one(63 - before)), 32 - before))));
  const behind = pick(to, shl(fixed, before), fractionOf(x));
  const power = powerOfFraction(code, behind, isNegative);
  return { k: code.let("powers", select(isNegative, sub(i32(0), k), k)), power };
}
export const exp2: FillBody = powers(160, powerOfTwo);

/** x part(x), of a number whose k is 0: it keeps the digits of small numbers. */
const lessOne = (x: Number64, part: Expr): Number64 => ({
  digits: high(x.digits, bitcast("u64", part)),
  exponent: add(x.exponent, i32(2)),
});

export const expm1: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, SINGLE_END, DOUBLE_END), [INFINITE, -1]);
  ofZero(code, parts, x);
  const number = numberOf(code, to, parts);
  const { k, part, power } = splitOf(code, to, number, parts.isNegative);
  code.if(eq(k, i32(0)), (then) => {
    const { digits, exponent } = lessOne(number, part);
    give(then, to, parts.sign, exponent, digits);
  });
  code.if(gt(k, i32(0)), (then) =>
    give(then, to, positive(to), add(k, i32(1)), sub(power, down(one(62), k))),
  );
  give(code, to, parts.sign, i32(1), sub(one(62), down(power, sub(i32(0), k))));
};

/** 1 / e^r, of 62 fraction bits, from e^r in [0.7, 1.42). */
function inverse(code: Code, power: Expr): Expr {
  const isSmall = code.let("small", lt(power, one(62)));
  const value = code.let("inverse", reciprocalOf(shl(power, select(isSmall, 2, 1))));
  return code.let("negative_power", shr(value, select(isSmall, 1, 2)));
}

export const sinh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, SINGLE_END, DOUBLE_END), [INFINITE, -INFINITE]);
  ofZero(code, parts, x);
  const number = numberOf(code, to, parts);
  const { k, part, power } = splitOf(code, to, number, bool(false));
  const other = inverse(code, power);
  // (m + m / (1 + m)) / 2 for m = e^x - 1
  code.if(eq(k, i32(0)), (then) => {
    const { digits, exponent } = lessOne(number, part);
    const factor = add(one(63), shl(other, 1));
    give(then, to, parts.sign, exponent, high(digits, factor));
  });
  give(code, to, parts.sign, k, sub(power, down(other, shl(k, 1))));
};

export const cosh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, SINGLE_END, DOUBLE_END), [INFINITE, INFINITE]);
  ofZero(code, parts, float(to, bitsOf(to, 1)));
  const { k, power } = splitOf(code, to, numberOf(code, to, parts), bool(false));
  give(code, to, positive(to), k, add(power, down(inverse(code, power), shl(k, 1))));
};

/** m / (m + 2) for m = e^(2x) - 1. */
export const tanh: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, 16, 32), [1, -1]);
  ofZero(code, parts, x);
  const { digits, exponent } = numberOf(code, to, parts);
  const twice: Number64 = { digits, exponent: code.let("doubled", add(exponent, i32(1))) };
  const { k, part, power } = splitOf(code, to, twice, bool(false));
  code.if(eq(k, i32(0)), (then) => {
    const less = lessOne(twice, part);
    const ratio = high(less.digits, reciprocalOf(add(power, one(62))));
    give(then, to, parts.sign, sub(less.exponent, i32(1)), ratio);
  });
  const unit = code.let("unit", down(one(62), k));
  const sum = code.let("sum", add(power, unit));
  const zeros = code.let("zeros", leadingZeros(sum));
  const ratio = high(shl(sub(power, unit), zeros), reciprocalOf(shl(sum, zeros)));
  give(code, to, parts.sign, i32(0), ratio);
};

/** 1/2 + x/4 - x³/48 for |x| < 2^-13, a unit nearer to 1/2: x/4 alone can be halfway between two floats. */
function nearHalf(code: Code, to: Rounding, x: Number64, isNegative: Expr): void {
  const quarter = down(x.digits, sub(i32(1), x.exponent));
  const fixed = code.let("fixed", down(x.digits, sub(i32(-1), x.exponent)));
  const cubic = high(high(high(fixed, fixed), fixed), u64((1n << 64n) / 48n));
  const away = code.let("away", sub(sub(quarter, cubic), u64(1n)));
  give(code, to, positive(to), i32(-1), select(isNegative, sub(one(63), away), add(one(63), away)));
}
/** With e^-|x| no power is large. */
export const sigmoid: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, SINGLE_END, DOUBLE_END), [1, 0]);
  ofZero(code, parts, float(to, bitsOf(to, 0.5)));
  const number = numberOf(code, to, parts);
  code.if(lt(number.exponent, i32(-13)), (then) => nearHalf(then, to, number, parts.isNegative));
  const { k, power } = splitOf(code, to, number, bool(true));
  const below = code.let("below", sub(i32(0), k));
  const sum = code.let("sum", add(one(62), down(power, below)));
  const zeros = code.let("zeros", leadingZeros(sum));
  const inverted = code.let("whole", reciprocalOf(shl(sum, zeros)));
  const up = asI32(zeros);
  code.if(parts.isNegative, (then) => give(then, to, positive(to), add(up, k), high(power, inverted)));
  give(code, to, positive(to), sub(up, i32(2)), inverted);
};
