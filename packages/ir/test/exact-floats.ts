/** Exact numbers for tests of floats: fractions of big integers, and a search for the nearest value of a type. */

export type FloatName = "f16" | "f32" | "f64";
/** n / d, d > 0. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}
interface Layout {
  readonly bits: number;
  readonly fraction: number;
  readonly bias: number;
}
const LAYOUT: Readonly<Record<FloatName | "bf16", Layout>> = {
  f16: { bits: 16, fraction: 10, bias: 15 },
  bf16: { bits: 16, fraction: 7, bias: 127 },
  f32: { bits: 32, fraction: 23, bias: 127 },
  f64: { bits: 64, fraction: 52, bias: 1023 },
};

export const fraction = (n: bigint, d: bigint = 1n): Fraction => (d < 0n ? { n: -n, d: -d } : { n, d });
export const plus = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.d + b.n * a.d, a.d * b.d);
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, fraction(-b.n, b.d));
export const times = (a: Fraction, b: Fraction): Fraction => fraction(a.n * b.n, a.d * b.d);
/** Negative, 0 or positive. */
export const order = (a: Fraction, b: Fraction): number => {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};
/** The greatest whole number that is not greater. */
export const floorOf = ({ n, d }: Fraction): bigint => (n >= 0n ? n / d : -((-n + d - 1n) / d));
export const power = (e: number): Fraction =>
  e >= 0 ? fraction(1n << BigInt(e)) : fraction(1n, 1n << BigInt(-e));

/** The value of the bits of a positive number; what follows the greatest finite ones goes on the same way. */
function valueOfBits({ fraction: digits, bias }: Layout, bits: bigint): Fraction {
  const exponent = Number(bits >> BigInt(digits));
  const field = bits & ((1n << BigInt(digits)) - 1n);
  const whole = exponent === 0 ? field : field | (1n << BigInt(digits));
  return times(fraction(whole), power(Math.max(exponent, 1) - bias - digits));
}

/** The number of positive bits in a double. */
function asDouble(layout: Layout, bits: bigint): number {
  const infinite = BigInt(2 * layout.bias + 1) << BigInt(layout.fraction);
  if (bits >= infinite) return Number.POSITIVE_INFINITY;
  const { n, d } = valueOfBits(layout, bits);
  // Both parts are powers of two times at most 53 digits.
  const length = d.toString(2).length - 1;
  return length > 1000 ? (Number(n) / 2 ** 600) * 2 ** (600 - length) : Number(n) / Number(d);
}

/** A finite number of any of the types. */
export function exactly(x: number): Fraction {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(x));
  const { n, d } = valueOfBits(LAYOUT.f64, view.getBigUint64(0));
  return fraction(x < 0 ? -n : n, d);
}

/** The value of the type nearest to a number that is not 0, ties to even, by bisection over all its values. */
export function nearestTo(type: FloatName | "bf16", x: Fraction): number {
  const layout = LAYOUT[type];
  const sign = x.n < 0n ? -1 : 1;
  const magnitude = fraction(x.n < 0n ? -x.n : x.n, x.d);
  let below = 0n;
  let above = BigInt(2 * layout.bias + 1) << BigInt(layout.fraction);
  while (above - below > 1n) {
    const middle = (above + below) >> 1n;
    if (order(valueOfBits(layout, middle), magnitude) <= 0) below = middle;
    else above = middle;
  }
  const middle = times(plus(valueOfBits(layout, below), valueOfBits(layout, above)), fraction(1n, 2n));
  const side = order(magnitude, middle);
  const isUp = side > 0 || (side === 0 && (below & 1n) === 1n);
  return sign * asDouble(layout, isUp ? above : below);
}

/** The next value above or below a finite number, from the list of all values by bits. */
export function besides(type: FloatName, x: number, up: boolean): number {
  const layout = LAYOUT[type];
  const isNegative = x < 0 || Object.is(x, -0);
  const magnitude = exactly(Math.abs(x));
  let [low, high] = [0n, BigInt(2 * layout.bias + 1) << BigInt(layout.fraction)];
  while (high - low > 1n) {
    const middle = (high + low) >> 1n;
    if (order(valueOfBits(layout, middle), magnitude) <= 0) low = middle;
    else high = middle;
  }
  if (low === 0n) return (up ? 1 : -1) * asDouble(layout, 1n);
  const outwards = isNegative !== up;
  return (isNegative ? -1 : 1) * asDouble(layout, outwards ? low + 1n : low - 1n);
}
