/** Logarithms of doubles: what `kernel/src/library/functions/elementary/logarithm.ts` computes. */
import { LOG } from "../digits/coefficients.ts";
import {
  type Digits,
  down,
  high,
  LN2,
  LOG2E,
  lengthOf,
  magnitude,
  normal,
  of,
  reciprocal,
  type SignedDigits,
  type UnaryDouble,
  unit,
} from "../digits/fixed.ts";

/** The square root of 2, of 62 fraction bits. */
const MIDDLE = 0x5a827999fcef3242n;
interface Reduced {
  readonly e: number;
  readonly m: bigint;
  readonly isBelow: boolean;
}
/** 2^e m, m in [0.7, 1.42). */
export function reduced({ digits, exponent }: Digits): Reduced {
  const isLarge = digits >> 1n > MIDDLE;
  const m = digits >> (isLarge ? 2n : 1n);
  return { e: exponent + (isLarge ? 1 : 0), m, isBelow: m < unit(62) };
}
/** log m of a gap |m - 1|. */
function logOf({ m, isBelow }: Reduced, gap: Digits): Digits {
  const s = high(gap.digits, reciprocal((m + unit(62)) << (isBelow ? 1n : 0n)));
  const up = gap.exponent + (isBelow ? 1 : 0);
  return { digits: high(s, magnitude(down(high(s, s), -2 * up), LOG)), exponent: up + 1 };
}
/** log x, or that to base 2, of an x other than 1. */
export function logarithm(x: Reduced, isBinary: boolean): SignedDigits {
  const gap = x.isBelow ? unit(62) - x.m : x.m - unit(62);
  let log: Digits = { digits: 0n, exponent: 0 };
  if (gap > 0n) log = logOf(x, normal({ digits: gap, exponent: 1 }));
  if (gap > 0n && isBinary) log = { digits: high(log.digits, of(LOG2E, 63)), exponent: log.exponent + 1 };
  if (x.e === 0) return { ...log, isNegative: x.isBelow };
  const isNegative = x.e < 0;
  const before = lengthOf(BigInt(Math.abs(x.e))) + 1;
  const wide = BigInt(Math.abs(x.e)) << BigInt(64 - before);
  const most = isBinary ? wide : high(wide, of(LN2, 64));
  const least = down(log.digits, before - 1 - log.exponent);
  return {
    digits: isNegative === x.isBelow ? most + least : most - least,
    exponent: before - 1,
    isNegative,
  };
}

const log1p: UnaryDouble = (x, isNegative) => {
  const above = Math.max(x.exponent, 0);
  const own = down(x.digits, 1 + above - x.exponent);
  const one = down(unit(62), above);
  const sum = isNegative ? one - (own > 0n ? own : 1n) : one + own;
  const m = reduced(normal({ digits: sum, exponent: above + 1 }));
  if (x.exponent >= -2) return logarithm(m, false);
  const { digits, exponent } = logOf({ ...m, isBelow: isNegative }, x);
  return { digits: digits + (isNegative ? 0n : 4n), exponent, isNegative };
};

export const DOUBLE_LOGARITHMS: Readonly<Record<"log" | "log2" | "log1p", UnaryDouble>> = {
  log: (x) => logarithm(reduced(x), false),
  log2: (x) => logarithm(reduced(x), true),
  log1p,
};
