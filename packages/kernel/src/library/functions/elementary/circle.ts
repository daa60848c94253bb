/** Sine, cosine and tangent. */
import { over, pi, shifted } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  bitcast,
  cast,
  eq,
  join,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import { ge, i32, leadingZeros, or, type Parts, returnNaN, shl, shr, signBit, xor } from "../format.ts";
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
  i64,
  type Number64,
  numberOf,
  one,
  operand,
  pick,
  positive,
  q,
  type Rounding,
  signOf,
  u64,
} from "./words.ts";

// Payne and Hanek, Radian reduction for trigonometric functions, 1983: of the product with 1 / (2 pi) only the 128
// digits below a whole turn are computed, from those digits of 1 / (2 pi) that reach them.
/** Digits of a fraction of a turn, the upper and the lower 64. */
interface Turn {
  readonly turn: Expr;
  readonly low: Expr;
}

/** So many zeros and the digits of 1 / (2 pi), in words. */
function turnsOf(zeros: number, words: number, width: number): readonly bigint[] {
  const p = words * width + 40;
  const all = shifted(over(1n << BigInt(p), 2n * pi(p), p), words * width - zeros - p);
  return Array.from({ length: words }, (_, i) =>
    BigInt.asUintN(width, all >> BigInt(width * (words - 1 - i))),
  );
}
/** The words moved to the left by less than one: a shift by the width would be one by 0. */
const movedBy = (words: readonly Expr[], by: Expr, width: number): Expr[] =>
  words.slice(1).map((next, j) => or(shl(words[j] as Expr, by), shr(shr(next, 1), sub(width - 1, by))));

/** As many as the greatest float and its distance to a zero ask for: 24 digits of it, and 2^-35 of a turn. */
const SINGLE_WORDS = turnsOf(24, 9, 32).map((n) => u32(Number(n)));
function ofSingle(code: Code, x: Number64, offset: Expr): Turn {
  const place = code.let("place", shr(offset, 5));
  const by = code.let("by", and(offset, 31));
  const word = (j: number): Expr =>
    [3, 2, 1, 0].reduce<Expr>(
      (rest, w) => select(eq(place, w), SINGLE_WORDS[j + w] as Expr, rest),
      SINGLE_WORDS[j + 4] as Expr,
    );
  const words = [0, 1, 2, 3, 4].map((j) => code.let(`word_${j}`, word(j)));
  const moved = movedBy(words, by, 32) as [Expr, Expr, Expr, Expr];
  const lower = code.let("lower", join("u64", [moved[3], moved[2]]));
  const digits = code.let("whole", shr(x.digits, 40));
  const product = add(mul(digits, join("u64", [moved[1], moved[0]])), high(digits, lower));
  return { turn: code.let("turn", product), low: code.let("turn_low", mul(digits, lower)) };
}

/** The same of a double: 53 digits of it, and 2^-64 of a turn. */
const DOUBLE_WORDS = turnsOf(53, 20, 64).map(u64);
function ofDouble(code: Code, x: Number64, offset: Expr): Turn {
  const place = code.let("place", shr(offset, 6));
  const by = code.let("by", and(offset, 63));
  // What follows the place is kept, by one digit of the place after the other.
  let words: readonly Expr[] = DOUBLE_WORDS;
  for (const size of [16, 8, 4, 2, 1]) {
    const isBeyond = code.let("beyond", ne(and(place, size), 0));
    words = words.slice(0, 3 + size).map((word, i) => {
      const other = words[i + size];
      return other ? code.let("word", select(isBeyond, other, word)) : word;
    });
  }
  const [first, second, third] = movedBy(words, by, 64) as [Expr, Expr, Expr];
  const digits = code.let("whole", shr(x.digits, 11));
  const middle = code.let("second", second);
  const part = code.let("part", mul(digits, middle));
  const low = code.let("turn_low", add(part, high(digits, third)));
  const upper = add(mul(digits, first), high(digits, middle));
  return { turn: code.let("turn", add(upper, cast("u64", lt(low, part)))), low };
}

/** Of a magnitude from 1/2 on. */
const turnOf = (code: Code, to: Rounding, x: Number64): Turn =>
  pick(to, ofSingle, ofDouble)(code, x, code.let("offset", bitcast("u32", add(x.exponent, i32(1)))));

const P = 128;
const PI = pi(P);

/** x = quarter * pi / 2 ± a, a at most pi / 4 and a few units. */
interface Angle {
  /** Modulo 4. */
  readonly quarter: Expr;
  readonly a: Number64;
  /** Of the sign of a. */
  readonly isNegative: Expr;
}

/** The nearest quarter of a turn, and the remainder, which is at least 2^-64 of a turn, so that two words have enough digits. */
function centred(code: Code, { turn, low }: Turn): Angle {
  const quarter = code.let("quarter", shr(add(turn, one(61)), 62));
  const rest = code.let("rest", sub(turn, shl(quarter, 62)));
  const isNegative = code.let("negative", lt(bitcast("i64", rest), i64(0n)));
  const opposite = sub(sub(u64(0n), rest), cast("u64", ne(low, u64(0n))));
  const top = code.let("rest_top", select(isNegative, opposite, rest));
  const bottom = select(isNegative, sub(u64(0n), low), low);
  const zeros = code.let("zeros", leadingZeros(top));
  const digits = or(shl(top, zeros), shr(bottom, sub(64, zeros)));
  return {
    quarter: cast("u32", quarter),
    isNegative,
    // a turn is 8 of pi / 4
    a: { digits: code.let("a", high(digits, q(62, PI, P))), exponent: sub(i32(2), asI32(zeros)) },
  };
}

/** sin(a), of a that is not 0. */
function sineOf(code: Code, { digits, exponent }: Number64, u: Expr): Number64 {
  return { digits: code.let("sine", high(digits, partOf("sin_part", u))), exponent: add(exponent, i32(1)) };
}
const squareOf = ({ digits, exponent }: Number64): Expr =>
  down(high(digits, digits), shl(sub(i32(-1), exponent), 1));
const cosineOf = (code: Code, u: Expr): Expr => code.let("cosine", partOf("cos_part", u));
/** The sign of a quarter's bit. */
function bitSign(to: Rounding, quarter: Expr): Expr {
  const { word, width } = formatOf(to);
  return shl(cast(word, and(quarter, 2)), width - 2);
}

type WithAngle = (code: Code, angle: Angle, u: Expr) => void;
/** A small operand is its own angle. */
function withAngle(code: Code, to: Rounding, parts: Parts, then: WithAngle): void {
  const x = numberOf(code, to, parts);
  const quarter = code.var("quarters", u32(0));
  const digits = code.var("angle", x.digits);
  const exponent = code.var("angle_power", x.exponent);
  const sign = code.var("angle_sign", u32(0));
  code.if(ge(parts.magnitude, bitsOf(to, pick(to, Math.fround(Math.PI / 4), Math.PI / 4))), (large) => {
    const found = centred(large, turnOf(large, to, x));
    large.assign(quarter, found.quarter);
    large.assign(digits, found.a.digits);
    large.assign(exponent, found.a.exponent);
    large.assign(sign, cast("u32", found.isNegative));
  });
  const a = { digits, exponent };
  const u = code.let("u", squareOf(a));
  then(code, { quarter, a, isNegative: eq(sign, 1) }, u);
}
function special(code: Code, to: Rounding, x: Expr, parts: Parts, atZero: Expr): void {
  code.if(parts.isZero, (then) => then.return(atZero));
  code.if(parts.isSpecial, (then) => {
    then.if(parts.isNaN, (nan) => nan.return(x));
    returnNaN(then, formatOf(to));
  });
}
/** A place on the circle: the quarter in place of the angle's own, the sign of the result, and u of the angle. */
interface Place {
  readonly angle: Angle;
  readonly quarter: Expr;
  readonly sign: Expr;
  readonly u: Expr;
}
/** ± sin(a) or ± cos(a), depending on the quarter. */
function giveCircle(code: Code, to: Rounding, { angle, quarter, sign, u }: Place): void {
  const turned = xor(sign, bitSign(to, quarter));
  code.if(
    ne(and(quarter, 1), 0),
    (odd) => give(odd, to, turned, i32(0), cosineOf(odd, u)),
    (even) => {
      const sine = sineOf(even, angle.a, u);
      give(even, to, xor(turned, signOf(to, angle.isNegative)), sine.exponent, sine.digits);
    },
  );
}
export const sin: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  special(code, to, x, parts, x);
  withAngle(code, to, parts, (inner, angle, u) =>
    giveCircle(inner, to, { angle, quarter: angle.quarter, sign: parts.sign, u }),
  );
};
/** The sine a quarter further. */
export const cos: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  special(code, to, x, parts, float(to, bitsOf(to, 1)));
  withAngle(code, to, parts, (inner, angle, u) => {
    const quarter = inner.let("next", add(angle.quarter, 1));
    giveCircle(inner, to, { angle, quarter, sign: positive(to), u });
  });
};
/** Reciprocals are a few units too small, which doubles make up for. */
const upFor = (to: Rounding, ratio: Expr): Expr => pick(to, ratio, add(ratio, u64(2n)));
export const tan: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  special(code, to, x, parts, x);
  withAngle(code, to, parts, (inner, angle, u) => {
    const sine = sineOf(inner, angle.a, u);
    const cosine = cosineOf(inner, u);
    const sign = inner.let("sign", xor(parts.sign, signOf(to, angle.isNegative)));
    inner.if(
      eq(and(angle.quarter, 1), 0),
      (even) => {
        // One less, because 1 has a digit too many.
        const ratio = high(sine.digits, reciprocalOf(sub(shl(cosine, 1), u64(1n))));
        give(even, to, sign, add(sine.exponent, i32(1)), upFor(to, ratio));
      },
      (odd) => {
        const zeros = odd.let("zeros", leadingZeros(sine.digits));
        const ratio = high(cosine, reciprocalOf(shl(sine.digits, zeros)));
        const exponent = sub(asI32(zeros), sine.exponent);
        give(odd, to, xor(sign, signBit(formatOf(to))), exponent, upFor(to, ratio));
      },
    );
  });
};
