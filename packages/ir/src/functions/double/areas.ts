/** Inverse hyperbolic functions of doubles: what `kernel/src/library/functions/elementary/logarithm.ts` computes. */
import { LOG } from "../digits/coefficients.ts";
import {
  type Digits,
  down,
  high,
  inverseRoot,
  lengthOf,
  magnitude,
  normal,
  reciprocal,
  type UnaryDouble,
  unit,
} from "../digits/fixed.ts";
import { logarithm, reduced } from "./logarithms.ts";

/** From this exponent on x² and x² ± 1 have the same digits. */
const FAR = 32;
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const squareRoot = (d: bigint): bigint => high(d, inverseRoot(d));
/** log x of a number above 1. */
const logOf = (x: Digits): Digits => logarithm(reduced(normal(x)), false);
const isSmall = (x: Digits, top: bigint, exponent: number): boolean =>
  x.exponent < exponent || (x.exponent === exponent && x.digits < top);
/** 11/32, 1 + 31/512, 11/64: below them the series of atanh has all its digits. */
const ELEVEN = 11n << 60n;
const NEAR_ONE = 543n << 54n;

/** 2 atanh(x / (1 + √(1 + x²))), or log(x + √(1 + x²)). */
function asinh(x: Digits): Digits {
  const square = high(x.digits, x.digits);
  if (isSmall(x, ELEVEN, -2)) {
    const d = unit(62) + down(square, -2 * x.exponent);
    const sum = unit(62) + high(d << 1n, inverseRoot(d));
    const s = high(x.digits, reciprocal(greater(sum, unit(63))));
    const part = magnitude(down(high(s, s), -2 * x.exponent), LOG);
    return { digits: high(s, part), exponent: x.exponent + 1 };
  }
  if (x.exponent >= FAR) return logOf({ digits: x.digits, exponent: x.exponent + 1 });
  const base = Math.max(x.exponent, 0);
  const by = base - x.exponent;
  const [own, one] = [down(square, 2 * by), down(unit(62), 2 * base)];
  const quarter = (own >> 2n) + (one >> 2n);
  const root = quarter >= unit(62) ? squareRoot(quarter) << 1n : squareRoot(own + one);
  return logOf({ digits: down(x.digits, 2 + by) + root, exponent: base + 2 });
}

/** 2 atanh √((x - 1) / (x + 1)), or log(x + √(x² - 1)). */
function acosh(x: Digits): Digits {
  if (isSmall(x, NEAR_ONE, 0)) {
    const rest = normal({ digits: x.digits - unit(63), exponent: 0 });
    const u = normal({
      digits: high(rest.digits, reciprocal((x.digits >> 1n) + unit(62))),
      exponent: rest.exponent,
    });
    const root = squareRoot(u.digits >> BigInt(-u.exponent & 1));
    const part = magnitude(down(u.digits, -u.exponent), LOG);
    return { digits: high(root, part), exponent: 3 - (-u.exponent >> 1) };
  }
  if (x.exponent >= FAR) return logOf({ digits: x.digits, exponent: x.exponent + 1 });
  const square = high(x.digits, x.digits) - down(unit(62), 2 * x.exponent);
  const zeros = (64 - lengthOf(square)) & 62;
  const root = down(squareRoot(square << BigInt(zeros)) << 1n, zeros >> 1);
  return logOf({ digits: (x.digits >> 1n) + root, exponent: x.exponent + 1 });
}

/** The series, or log((1 + x) / (1 - x)) / 2. */
function atanh(x: Digits): Digits {
  if (isSmall(x, ELEVEN, -3)) {
    const u = down(high(x.digits, x.digits), -2 - 2 * x.exponent);
    return { digits: high(x.digits, magnitude(u, LOG)), exponent: x.exponent + 1 };
  }
  const fixed = down(x.digits, -1 - x.exponent);
  const gap = normal({ digits: unit(64) - fixed, exponent: 0 });
  const ratio = high(unit(63) + (fixed >> 1n), reciprocal(gap.digits));
  const { digits, exponent } = logOf({ digits: ratio, exponent: 1 - gap.exponent });
  return { digits, exponent: exponent - 1 };
}

const signed =
  (area: (x: Digits) => Digits): UnaryDouble =>
  (x, isNegative) => ({ ...area(x), isNegative });

export const DOUBLE_AREAS: Readonly<Record<"asinh" | "acosh" | "atanh", UnaryDouble>> = {
  asinh: signed(asinh),
  acosh: signed(acosh),
  atanh: signed(atanh),
};
