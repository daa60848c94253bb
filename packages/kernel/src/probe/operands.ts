/** Operands of probes: for each type, values with which devices failed, in every pair, and others next to the middle of two results. */
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";

/** Three operands of one work-item. */
export type ProbeOperands = readonly [ScalarValue, ScalarValue, ScalarValue];
/** Work-items of the probe, each with operands of its own. */
export const LANES = 192;

const INTEGERS = [0, 1, 2, 7, 32, 33, 0x10001, 0x12345678, -1, -2, -7] as const;
/** The values of a type of integers: the extremes, amounts past the width, and both signs. */
function integersOf(type: Scalar): readonly ScalarValue[] {
  const { lowest, highest, whole } = SCALARS[type];
  return [...new Set([...INTEGERS.map((x) => whole(x)), lowest, highest])];
}

/** Digits of a significand, the powers of two of the least number and of the least normal one, and beyond the largest. */
const FORMATS = {
  f16: { digits: 11, least: -24, normal: -14, end: 16 },
  f32: { digits: 24, least: -149, normal: -126, end: 128 },
  f64: { digits: 53, least: -1074, normal: -1022, end: 1024 },
} as const;
type Float = keyof typeof FORMATS;

/** Whether a float is not subnormal, nor so close to it that rounding makes it so. */
export const isNormal = (type: Scalar, x: ScalarValue): boolean => {
  const format = FORMATS[type as Float];
  if (!format || typeof x !== "number") return true;
  return x === 0 || !(Math.abs(x) <= 2 ** format.normal);
};

/** A linear congruential generator (Numerical Recipes), of 32 bits. */
function* words(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state;
  }
}

function specials(type: Float): readonly number[] {
  const { digits, least, normal, end } = FORMATS[type];
  const wrap = (x: number): number => SCALARS[type].wrap(x) as number;
  const largest = (2 - 2 ** (1 - digits)) * 2 ** (end - 1);
  return [
    ...[0, -0, 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3, wrap(-0.1)],
    ...[-3 * 2 ** least, 0.75 * 2 ** normal, largest, 2 ** (digits - 1) + 1],
  ];
}

/** Rests of rounded products, and sums that a tiny third operand moves from the middle of two values: for fma and against contraction. */
function products(type: Float, count: number): readonly ProbeOperands[] {
  const { digits } = FORMATS[type];
  const wrap = (x: number): number => SCALARS[type].wrap(x) as number;
  const random = words(2);
  const factor = (): number => wrap(1 + random.next().value * 2 ** -32 + random.next().value * 2 ** -64);
  const half = Math.floor(digits / 2);
  // (1 + 2^-h) (1 + 2^-k), h + k the number of digits, ends with half a unit.
  const [x, y] = [1 + 2 ** -half, 1 + 2 ** -(digits - half)];
  return Array.from({ length: count }, (_, i): ProbeOperands => {
    const [a, b] = [factor(), factor()];
    if (i % 2) return [a, b, -wrap(a * b)];
    const tiny = 2 ** -(digits + 1 + (i % 3));
    return [x, i % 4 ? y : -y, i % 8 ? tiny : -tiny];
  });
}

/** Results below the normal numbers, and on their edge. */
function small(type: Float): readonly ProbeOperands[] {
  const { least, normal, digits } = FORMATS[type];
  const unit = 2 ** least;
  const whole = 2 ** (digits - 1);
  return [
    [unit * (whole / 4), unit * (whole / 2), unit],
    [2 ** normal, -(2 ** (normal - 1)), 0],
    [-unit, unit * -1.5 * whole, unit * 3],
    [2 ** normal, 0.5, unit],
    [2 ** (normal / 2 - 1), 2 ** (normal / 2 - 2), 0],
    [0, 1, unit],
    [1, unit, 0],
    [unit * (whole - 2), unit * 3, -unit],
  ];
}

/** 1 / b modulo 2^25, by Newton's method. */
function inverse(b: bigint): bigint {
  let y = b;
  for (let i = 0; i < 5; i++) y = BigInt.asUintN(25, y * (2n - b * y));
  return y;
}
/** a / b is m / 2^25 - r / (2^25 b) for an odd m of 25 digits: next to the middle of two f32. */
function quotients(count: number): readonly ProbeOperands[] {
  const found: ProbeOperands[] = [];
  const random = words(1);
  while (found.length < count) {
    const b = BigInt((random.next().value >>> 8) | 0x800001);
    const r = BigInt((random.next().value >>> 29) * 2 - 7);
    const m = BigInt.asUintN(25, r * inverse(b));
    const a = Number((m * b - r) >> 25n);
    if (m >= 1n << 24n && a > 0 && a < 2 ** 24) found.push([a, Number(b), 0.5]);
  }
  return found;
}

/** Each value with each other; the third operand differs. */
const pairs = (values: readonly ScalarValue[]): readonly ProbeOperands[] =>
  values.flatMap((a, i) =>
    values.map((b, k): ProbeOperands => [a, b, values[(3 * i + 5 * k + 1) % values.length] as ScalarValue]),
  );

const MOST = { quotients: 24, products: 24 } as const;
function given(type: Scalar): readonly ProbeOperands[] {
  if (type === "bool") return pairs([false, true]);
  if (!Object.hasOwn(FORMATS, type)) return pairs(integersOf(type));
  const float = type as Float;
  const close = [...small(float), ...products(float, MOST.products)];
  const near = type === "f32" ? quotients(MOST.quotients) : [];
  const all = pairs(specials(float));
  // Every operand stands on both sides of every operator in what is left of the pairs.
  const left = LANES - close.length - near.length;
  return [...close, ...near, ...all.filter((_, i) => (i * left) % all.length < left)];
}

const known = new Map<Scalar, readonly ProbeOperands[]>();
/** The operands of a type, one for each work-item. */
export function operandsOf(type: Scalar): readonly ProbeOperands[] {
  const found = known.get(type) ?? filled(given(type));
  known.set(type, found);
  return found;
}
const filled = (list: readonly ProbeOperands[]): readonly ProbeOperands[] =>
  Array.from({ length: LANES }, (_, i) => list[i % list.length] as ProbeOperands);
