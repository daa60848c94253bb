/**
 * The number of digits that decide the rounding of a power or an angle has no bound, so the meaning of these functions is an
 * algorithm: that of the bodies in `kernel/src/library/functions/elementary`, in big integers and in the same order.
 */
import { ATAN, EXP, LOG } from "./coefficients.ts";
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
  PI,
  reciprocal,
  type SignedDigits,
  sum,
  unit,
} from "./fixed.ts";
import { MIDDLE_TANGENTS } from "./tangents.ts";

const MIDDLE = 0x5a827999fcef3242n;
/** The logarithm to base 2 of a positive number other than 1. */
function log2(x: Digits): SignedDigits {
  const isLarge = x.digits >> 1n > MIDDLE;
  const m = x.digits >> (isLarge ? 2n : 1n);
  const e = x.exponent + (isLarge ? 1 : 0);
  const isBelow = m < unit(62);
  const gap = isBelow ? unit(62) - m : m - unit(62);
  const part = gap === 0n ? { digits: 0n, exponent: 0 } : logOf(m, isBelow, gap);
  if (e === 0) return { ...part, isNegative: isBelow };
  const size = Math.abs(e);
  const before = lengthOf(BigInt(size)) + 1;
  const wide = BigInt(size) << BigInt(64 - before);
  const least = down(part.digits, before - 1 - part.exponent);
  const isSame = e < 0 === isBelow;
  return { digits: isSame ? wide + least : wide - least, exponent: before - 1, isNegative: e < 0 };
}
function logOf(m: bigint, isBelow: boolean, gap: bigint): Digits {
  const { digits, exponent } = normal({ digits: gap, exponent: 1 });
  const s = high(digits, reciprocal((m + unit(62)) << (isBelow ? 1n : 0n)));
  const up = exponent + (isBelow ? 1 : 0);
  const u = down(high(s, s), -2 * up);
  return { digits: high(high(s, magnitude(u, LOG)), of(LOG2E, 63)), exponent: up + 2 };
}

/** 2^x for |x| < 192. */
function powerOfTwo({ digits, exponent }: Digits, isNegative: boolean): Digits {
  const fixed = down(digits, 7 - exponent);
  const k = Number((fixed + unit(55)) >> 56n);
  const twice = high(BigInt.asIntN(64, fixed << 8n), of(LN2, 63)) << 1n;
  const r = isNegative ? -twice : twice;
  return { digits: unit(62) + high(sum(r, EXP), r), exponent: (isNegative ? -k : k) + 1 };
}

/** x^y, neither 0 and x not 1; a boolean if the result is too large (true) or too small for every type. */
export function powerOf(x: Digits, y: Digits, isOpposite: boolean): Digits | boolean {
  const log = log2(x);
  const { digits, exponent } = normal(log);
  const product = normal({ digits: high(digits, y.digits), exponent: exponent + y.exponent + 1 });
  const isNegative = log.isNegative !== isOpposite;
  if (product.exponent >= 8 || down(product.digits, 7 - product.exponent) >= 192n << 56n) return !isNegative;
  const power = powerOfTwo(product, isNegative);
  // An exact result, and one that is halfway between two floats, has only zeros there.
  return { digits: ((power.digits + unit(8)) >> 9n) << 9n, exponent: power.exponent };
}

function fromMiddle(t: bigint): bigint {
  const { second, tangent } = MIDDLE_TANGENTS;
  const isEighth = t < second;
  const middle = isEighth ? tangent : unit(63);
  const whole = unit(63) + high(t, isEighth ? tangent << 1n : unit(64) - 1n);
  const distance = t < middle ? middle - t : t - middle;
  const rest = high(distance, reciprocal(whole)) << 1n;
  const more = high(rest, magnitude(high(rest, rest), ATAN));
  const base = of(PI >> (isEighth ? 3n : 2n), 63);
  return t < middle ? base - more : base + more;
}
/** The angle of a point of the first quarter, neither 0; or of its mirror image with a negative x. */
export function angleOf(y: Digits, x: Digits, isMirrored: boolean): Digits {
  const isSteep = y.exponent > x.exponent || (y.exponent === x.exponent && y.digits > x.digits);
  const [low, large] = isSteep ? [x, y] : [y, x];
  const by = large.exponent - low.exponent;
  const ratio = high(low.digits, reciprocal(large.digits));
  const t = down(ratio, by);
  const isSmall = t < MIDDLE_TANGENTS.first;
  const small = (): bigint => high(ratio, magnitude(down(high(ratio, ratio), 2 * (by - 1)), ATAN));
  let [digits, exponent] = isSmall ? [small(), 1 - by] : [fromMiddle(t), 0];
  if (isSteep) [digits, exponent] = [of(PI >> 1n, 63) - down(digits, -exponent), 0];
  return isMirrored ? { digits: of(PI, 62) - down(digits, 1 - exponent), exponent: 1 } : { digits, exponent };
}
