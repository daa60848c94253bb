/** x^y of doubles: what `kernel/src/library/functions/elementary/power.ts` computes. */
import { LOG_REST } from "../digits/coefficients.ts";
import {
  type Digits,
  high,
  LOG2E,
  lengthOf,
  magnitude,
  normal,
  of,
  reciprocal,
  unit,
  word,
} from "../digits/fixed.ts";
import { reduced } from "./logarithms.ts";
import { powerOfFraction } from "./powers.ts";

const upper = (n: bigint): bigint => n >> 64n;
/** The upper 128 bits of a product of 128 by 64, and of 128 by 128 without that of the lower halves. */
const byWord = (a: bigint, b: bigint): bigint => upper(a) * b + high(word(a), b);
const byPair = (a: bigint, b: bigint): bigint => byWord(a, upper(b)) + high(upper(a), word(b));
/** n * 2^(exponent - 127). */
interface Wide {
  readonly n: bigint;
  readonly exponent: number;
}
const downWide = (n: bigint, by: number): bigint => n >> BigInt(Math.min(by, 127));
function normalWide({ n, exponent }: Wide): Wide {
  const zeros = 128 - lengthOf(n);
  return { n: n << BigInt(zeros), exponent: exponent - zeros };
}

/** log2 m of a significand. */
function partOf(m: bigint, isBelow: boolean, gap: bigint): Wide {
  const { digits, exponent } = normal({ digits: gap, exponent: 1 });
  const sum = (m + unit(62)) << (isBelow ? 1n : 0n);
  const inverse = reciprocal(sum);
  const quotient = high(digits, inverse);
  const rest = (digits << 63n) - quotient * sum;
  const s = (quotient << 64n) + (high(rest >> 4n, inverse) << 5n);
  const up = exponent + (isBelow ? 1 : 0);
  const u = downWide(byPair(s, s), -2 * up);
  const w = byWord(u, magnitude(upper(u), LOG_REST));
  const half = s >> 1n;
  return { n: byPair(half + byPair(half, w), of(LOG2E, 127)), exponent: up + 2 };
}
/** The logarithm to base 2 of a number other than 1. */
function log2(x: Digits): Wide & { readonly isNegative: boolean } {
  const { e, m, isBelow } = reduced(x);
  const gap = isBelow ? unit(62) - m : m - unit(62);
  const part = gap > 0n ? partOf(m, isBelow, gap) : { n: 0n, exponent: 0 };
  if (e === 0) return { ...part, isNegative: isBelow };
  const before = lengthOf(BigInt(Math.abs(e))) + 1;
  const wide = BigInt(Math.abs(e)) << BigInt(128 - before);
  const least = downWide(part.n, before - 1 - part.exponent);
  return { n: e < 0 === isBelow ? wide + least : wide - least, exponent: before - 1, isNegative: e < 0 };
}
/** x^y of magnitudes, neither 0 and x not 1; whether it is infinite where it is that or 0. */
export function doublePowerOf(x: Digits, y: Digits, isOpposite: boolean): Digits | boolean {
  const { isNegative, ...log } = log2(x);
  const { n, exponent } = normalWide(log);
  const product = normalWide({ n: byWord(n, y.digits), exponent: exponent + y.exponent + 1 });
  const isMinus = isNegative !== isOpposite;
  if (product.exponent >= 11) return !isMinus;
  const fixed = downWide(product.n, 10 - product.exponent);
  const k = Number((upper(fixed) + unit(52)) >> 53n);
  const digits = powerOfFraction(word(fixed >> 53n), isMinus);
  return { digits, exponent: (isMinus ? -k : k) + 1 };
}
