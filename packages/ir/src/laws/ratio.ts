/**
 * Exact arithmetic on the values of floats: rational numbers, both zeros, both infinities, NaN. Nothing
 * rounds, so a law that holds for real numbers holds here.
 */

/** n / d · 2^e, d > 0, n ≠ 0. */
interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
  readonly e: number;
}

/** A ratio; or 0, -0, an infinity or NaN. */
export type Exact = number | Ratio;

/** Thrown if numbers become too large to examine. */
export class TooLarge extends Error {}

const MOST_BITS = 1 << 15;
const HUGE = 1n << BigInt(MOST_BITS);

function ratio(n: bigint, d: bigint, e: number): Exact {
  if (n === 0n) return 0;
  if (n > HUGE || -n > HUGE || d > HUGE || Math.abs(e) > MOST_BITS) throw new TooLarge();
  return { n, d, e };
}

const shifted = (n: bigint, by: number): bigint => {
  if (by > MOST_BITS) throw new TooLarge();
  return n << BigInt(by);
};
const isRatio = (x: Exact): x is Ratio => typeof x === "object";
/** A number of the same sign for which double arithmetic gives the right zeros, infinities and NaN. */
const stand = (x: Exact): number => (isRatio(x) ? (x.n > 0n ? 1 : -1) : x);

const words = new DataView(new ArrayBuffer(8));

/** The value of a double. */
export function exact(x: number): Exact {
  if (x === 0 || !Number.isFinite(x)) return x;
  words.setFloat64(0, x);
  const bits = words.getBigUint64(0);
  const power = Number((bits >> 52n) & 0x7ffn);
  let n = (bits & 0xfffffffffffffn) | (power ? 1n << 52n : 0n);
  let e = Math.max(power, 1) - 1075;
  for (; (n & 1n) === 0n; e++) n >>= 1n;
  return ratio(x < 0 ? -n : n, 1n, e);
}

/** An integer. */
export function exactInteger(x: bigint): Exact {
  return ratio(x, 1n, 0);
}

/** The nearest double, within an ulp. */
export function approximate(x: Exact): number {
  if (!isRatio(x)) return x;
  const magnitude = x.n < 0n ? -x.n : x.n;
  const size = (b: bigint): number => b.toString(16).length * 4;
  const up = Math.max(0, 70 - size(magnitude) + size(x.d));
  const digits = (magnitude << BigInt(up)) / x.d;
  const down = Math.max(0, size(digits) - 70);
  // Two steps, each within the range of a double.
  const e = x.e - up + down;
  const half = Math.trunc(e / 2);
  return (x.n < 0n ? -1 : 1) * Number(digits >> BigInt(down)) * 2 ** half * 2 ** (e - half);
}

/** Without its fraction. */
export function truncate(x: Ratio): bigint {
  return x.e >= 0 ? shifted(x.n, x.e) / x.d : x.n / shifted(x.d, -x.e);
}

export function negate(x: Exact): Exact {
  return isRatio(x) ? { ...x, n: -x.n } : -x;
}

export function add(x: Exact, y: Exact): Exact {
  if (!isRatio(x)) return isRatio(y) ? (x === 0 ? y : x) : x + y;
  if (!isRatio(y)) return y === 0 ? x : y;
  const e = Math.min(x.e, y.e);
  const [a, b] = [shifted(x.n, x.e - e), shifted(y.n, y.e - e)];
  return x.d === y.d ? ratio(a + b, x.d, e) : ratio(a * y.d + b * x.d, x.d * y.d, e);
}

export function multiply(x: Exact, y: Exact): Exact {
  return isRatio(x) && isRatio(y) ? ratio(x.n * y.n, x.d * y.d, x.e + y.e) : stand(x) * stand(y);
}

export function divide(x: Exact, y: Exact): Exact {
  if (!isRatio(x) || !isRatio(y)) return stand(x) / stand(y);
  const sign = y.n < 0n ? -1n : 1n;
  return ratio(sign * x.n * y.d, sign * x.d * y.n, x.e - y.e);
}

/** Negative, 0 or positive; NaN if an operand is NaN. */
export function compare(x: Exact, y: Exact): number {
  if (!isRatio(x) && !isRatio(y)) return x === y ? 0 : x - y;
  if (!isRatio(x) || !isRatio(y)) {
    const [a, b] = [stand(x), stand(y)];
    // The stand-in of a ratio is 1 or -1, which differs from zeros and infinities.
    return a - b;
  }
  return stand(add(x, negate(y)));
}
