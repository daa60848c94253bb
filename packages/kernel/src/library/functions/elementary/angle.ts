/** Arc functions: each is the angle of a point. */
import { pi } from "@groupwise/ir/functions/digits/real.js";
import { MIDDLE_TANGENTS, type Tangents } from "@groupwise/ir/functions/digits/tangents.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, binary, eq, lt, select, sub } from "../../../language/make-expr.ts";
import { gt, i32, leadingZeros, or, type Parts, returnNaN, shl, shr } from "../format.ts";
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
  pick,
  positive,
  q,
  type Rounding,
  u64,
} from "./words.ts";

const P = 128;
const PI = pi(P);
const { first, second, tangent }: Tangents = MIDDLE_TANGENTS;
const LAST = (1n << 64n) - 1n;
/** The angle of 1 / 0, of 63 fraction bits. */
const QUARTER: Number64 = { digits: q(63, PI >> 1n, P), exponent: i32(0) };
const HALF: Number64 = { digits: q(62, PI, P), exponent: i32(1) };

/** The tangents from which on the angle is taken from pi / 8, and from pi / 4. */
function fromMiddle(code: Code, t: Expr): Expr {
  const isEighth = code.let("eighth", lt(t, u64(second)));
  const middle = code.let("middle", select(isEighth, u64(tangent), one(63)));
  const sum = add(one(63), high(t, select(isEighth, u64(tangent << 1n), u64(LAST))));
  const isLess = code.let("less", lt(t, middle));
  const distance = code.let("distance", select(isLess, sub(middle, t), sub(t, middle)));
  const rest = code.let("rest", shl(high(distance, reciprocalOf(sum)), 1));
  const more = code.let("more", high(rest, partOf("atan_part", high(rest, rest))));
  const base = code.let("base", select(isEighth, q(63, PI >> 3n, P), q(63, PI >> 2n, P)));
  return select(isLess, sub(base, more), add(base, more));
}

/** The angle of a point, at most pi / 2. */
function angleOf(code: Code, y: Number64, x: Number64): Number64 {
  const isSteep = code.let(
    "steep",
    or(gt(y.exponent, x.exponent), and(eq(y.exponent, x.exponent), gt(y.digits, x.digits))),
  );
  const low = code.let("low", select(isSteep, x.digits, y.digits));
  const inverse = reciprocalOf(select(isSteep, y.digits, x.digits));
  const distance = sub(x.exponent, y.exponent);
  const by = code.let("by", select(isSteep, sub(i32(0), distance), distance));
  const ratio = code.let("ratio", high(low, inverse));
  const t = code.let("t", down(ratio, by));
  const digits = code.var("angle", t);
  const exponent = code.var("angle_power", i32(0));
  code.if(
    lt(t, u64(first)),
    (small) => {
      const u = down(high(ratio, ratio), shl(sub(by, i32(1)), 1));
      small.assign(digits, high(ratio, partOf("atan_part", u)));
      small.assign(exponent, sub(i32(1), by));
    },
    (large) => large.assign(digits, fromMiddle(large, t)),
  );
  code.if(isSteep, (then) => {
    then.assign(digits, sub(QUARTER.digits, down(digits, sub(i32(0), exponent))));
    then.assign(exponent, i32(0));
  });
  return { digits, exponent };
}
const opposite = (angle: Number64): Number64 => ({
  digits: sub(HALF.digits, down(angle.digits, sub(i32(1), angle.exponent))),
  exponent: i32(1),
});
const giveNumber = (code: Code, to: Rounding, sign: Expr, { digits, exponent }: Number64): void =>
  give(code, to, sign, exponent, digits);

const UNIT: Number64 = { digits: one(63), exponent: i32(0) };
export const atan: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(or(parts.isZero, parts.isNaN), (then) => then.return(x));
  code.if(parts.isInfinite, (then) => giveNumber(then, to, parts.sign, QUARTER));
  giveNumber(code, to, parts.sign, angleOf(code, numberOf(code, to, parts), UNIT));
};

/** The square root of 1 - x² of a magnitude below 1. */
const beside = (code: Code, to: Rounding, x: Number64): Number64 =>
  pick(to, besideSingle, besideDouble)(code, code.let("fixed", down(x.digits, sub(i32(-1), x.exponent))));
/** The square of numbers that are not small is exact. */
function besideSingle(code: Code, fixed: Expr): Number64 {
  const rest = code.let("square_beside", sub(u64(0n), binary("max", high(fixed, fixed), u64(1n))));
  const zeros = code.let("even", and(leadingZeros(rest), 62));
  const even = code.let("square_up", shl(rest, zeros));
  // One less, because 1 has a digit too many.
  const root = shl(sub(high(even, inverseRootOf(even)), u64(1n)), 2);
  return {
    digits: code.let("beside", binary("max", root, one(63))),
    exponent: code.let("beside_power", sub(i32(-1), asI32(shr(zeros, 1)))),
  };
}
/** Of (1 - x) (1 + x): the first factor has all its digits. */
function besideDouble(code: Code, fixed: Expr): Number64 {
  const gap = code.let("gap", sub(u64(0n), binary("max", fixed, u64(1n))));
  const zeros = code.let("zeros", leadingZeros(gap));
  const square = code.let("square", high(shl(gap, zeros), add(one(63), shr(fixed, 1))));
  const before = code.let("before", leadingZeros(square));
  const places = code.let("places", add(add(zeros, before), 1));
  const d = code.let("square_up", shr(shl(square, before), and(places, 1)));
  const root = binary("min", binary("max", high(d, inverseRootOf(d)), one(61)), u64((1n << 62n) - 1n));
  return {
    digits: code.let("beside", add(shl(root, 2), u64(2n))),
    exponent: code.let("beside_power", sub(i32(0), asI32(shr(places, 1)))),
  };
}
function outside(code: Code, to: Rounding, x: Expr, parts: Parts, atOne: (code: Code) => void): void {
  const last = bitsOf(to, 1);
  code.if(parts.isNaN, (then) => then.return(x));
  code.if(gt(parts.magnitude, last), (then) => returnNaN(then, formatOf(to)));
  code.if(eq(parts.magnitude, last), atOne);
}
export const asin: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  outside(code, to, x, parts, (then) => giveNumber(then, to, parts.sign, QUARTER));
  code.if(parts.isZero, (then) => then.return(x));
  const y = numberOf(code, to, parts);
  giveNumber(code, to, parts.sign, angleOf(code, y, beside(code, to, y)));
};
export const acos: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  outside(code, to, x, parts, (then) => {
    then.if(parts.isNegative, (negative) => giveNumber(negative, to, positive(to), HALF));
    then.return(float(to, positive(to)));
  });
  code.if(parts.isZero, (then) => giveNumber(then, to, positive(to), QUARTER));
  const given = numberOf(code, to, parts);
  const angle = angleOf(code, beside(code, to, given), given);
  code.if(parts.isNegative, (then) => giveNumber(then, to, positive(to), opposite(angle)));
  giveNumber(code, to, positive(to), angle);
};

/** Of infinities and zeros it is the angle of points that stand for them (IEEE 754-2019, 9.2.1). */
export const atan2: FillBody = (code, to, y, x) => {
  const [b, a] = [operand(code, to, y, "y_"), operand(code, to, x, "x_")];
  code.if(b.isNaN, (then) => then.return(y));
  code.if(a.isNaN, (then) => then.return(x));
  const isFlat = code.let("flat", or(b.isZero, and(a.isInfinite, lt(b.magnitude, a.magnitude))));
  code.if(isFlat, (then) => {
    then.if(a.isNegative, (negative) => giveNumber(negative, to, b.sign, HALF));
    then.return(float(to, b.sign));
  });
  const isUpright = code.let("upright", or(a.isZero, and(b.isInfinite, lt(a.magnitude, b.magnitude))));
  code.if(isUpright, (then) => giveNumber(then, to, b.sign, QUARTER));
  const angle = angleOf(code, numberOf(code, to, b, "y_"), numberOf(code, to, a, "x_"));
  code.if(a.isNegative, (then) => giveNumber(then, to, b.sign, opposite(angle)));
  giveNumber(code, to, b.sign, angle);
};
