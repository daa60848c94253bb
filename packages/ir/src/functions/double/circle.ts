/** Sine, cosine and tangent of doubles: what `kernel/src/library/functions/elementary/circle.ts` computes. */
import { COS, SIN } from "../digits/coefficients.ts";
import {
  type Digits,
  down,
  high,
  lengthOf,
  magnitude,
  normal,
  of,
  PI,
  reciprocal,
  type SignedDigits,
  type UnaryDouble,
  unit,
} from "../digits/fixed.ts";
import { over, pi, shifted } from "../digits/real.ts";

const P = 1400;
const BITS = 1280;
/** 53 zeros and the digits of 1 / (2 pi). */
const TURNS = shifted(over(unit(P), 2n * pi(P), P), BITS - 53 - P);
/** π / 4 as a double. */
const EIGHTH = { digits: 0xc90fdaa22168c000n, exponent: -1 };

interface Angle extends SignedDigits {
  /** Modulo 4. */
  readonly quarter: bigint;
}
/** 128 digits of the turns, and what is left beside the nearest quarter of one. */
function inTurns({ digits, exponent }: Digits): Angle {
  const reached = BigInt.asUintN(192, TURNS >> BigInt(BITS - 193 - exponent));
  const turn = BigInt.asUintN(128, ((digits >> 11n) * reached) >> 64n);
  const quarter = ((turn >> 125n) + 1n) >> 1n;
  const rest = BigInt.asIntN(128, turn - (quarter << 126n));
  const isNegative = rest < 0n;
  const size = isNegative ? -rest : rest;
  const length = lengthOf(size);
  const top = shifted(size, 64 - length);
  return { quarter, isNegative, digits: high(top, of(PI, 62)), exponent: length - 126 };
}
/** A small operand is its own angle. */
function angleOf(x: Digits): Angle {
  const isSmall = x.exponent < EIGHTH.exponent || (x.exponent === -1 && x.digits < EIGHTH.digits);
  return isSmall ? { ...x, quarter: 0n, isNegative: false } : inTurns(x);
}

interface Point {
  readonly sine: Digits;
  readonly cosine: bigint;
}
function pointOf({ digits, exponent }: Digits): Point {
  const u = down(high(digits, digits), 2 * (-1 - exponent));
  const sine = { digits: high(digits, magnitude(u, SIN)), exponent: exponent + 1 };
  return { sine, cosine: magnitude(u, COS) };
}
/** The sine, some quarters further. */
const sineFrom =
  (quarters: bigint): UnaryDouble =>
  (x, isNegative) => {
    const angle = angleOf(x);
    const { sine, cosine } = pointOf(angle);
    const at = angle.quarter + quarters;
    const isTurned = ((at & 2n) === 2n) !== (isNegative && quarters === 0n);
    if (at & 1n) return { digits: cosine, exponent: 0, isNegative: isTurned };
    return { ...sine, isNegative: isTurned !== angle.isNegative };
  };
const tan: UnaryDouble = (x, isNegative) => {
  const angle = angleOf(x);
  const { sine, cosine } = pointOf(angle);
  const isOther = isNegative !== angle.isNegative;
  if ((angle.quarter & 1n) === 0n) {
    const ratio = high(sine.digits, reciprocal((cosine << 1n) - 1n));
    return { digits: ratio + 2n, exponent: sine.exponent + 1, isNegative: isOther };
  }
  const { digits, exponent } = normal(sine);
  return { digits: high(cosine, reciprocal(digits)) + 2n, exponent: -exponent, isNegative: !isOther };
};

export const DOUBLE_CIRCLE: Readonly<Record<"sin" | "cos" | "tan", UnaryDouble>> = {
  sin: sineFrom(0n),
  cos: sineFrom(1n),
  tan,
};
