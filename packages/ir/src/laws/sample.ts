/** Values of an element type that reveal wrong operators. */
import { SCALARS, type Scalar, type ScalarKind, type ScalarValue } from "../tables/scalar.ts";
import type { Random } from "./random.ts";

/** `small` whole numbers do not round; `special` values are at the ends of a type; `any` have random bits. */
export type SampleKind = "small" | "special" | "any";

const INF = Number.POSITIVE_INFINITY;
type FloatName = "f16" | "f32" | "f64";
/** Bits of the significand, exponent of the least normal number, of the greatest. */
const FORMATS: Readonly<Record<FloatName, readonly [precision: number, least: number, greatest: number]>> = {
  f16: [11, -14, 15],
  f32: [24, -126, 127],
  f64: [53, -1022, 1023],
};

/** Half the distance of two floats at 1. */
export function roundingOf(type: Scalar): number {
  return 2 ** -FORMATS[type as FloatName][0];
}

function integerSpecials(type: Scalar): ScalarValue[] {
  const { lowest, highest } = SCALARS[type];
  const [low, high] = [BigInt(lowest), BigInt(highest)];
  const half = 1n << BigInt(SCALARS[type].bits / 2);
  const list = [
    0n,
    1n,
    -1n,
    2n,
    low,
    high,
    low + 1n,
    high - 1n,
    half - 1n,
    half,
    high >> 1n,
    (high >> 1n) + 1n,
  ];
  return list.map(SCALARS[type].whole);
}

function floatSpecials(type: Scalar): ScalarValue[] {
  const [precision, least, greatest] = FORMATS[type as FloatName];
  const largest = (2 - 2 ** (1 - precision)) * 2 ** greatest;
  const most = [
    0,
    1,
    INF,
    largest,
    2 ** least,
    2 ** (least - precision + 1),
    2 ** precision,
    2 ** precision + 2,
  ];
  return [...most.flatMap((x) => [x, -x]), Number.NaN, 0.5, 1.5, 1 + 2 ** (1 - precision)];
}

const SPECIALS: Readonly<Record<ScalarKind, (type: Scalar) => readonly ScalarValue[]>> = {
  int: integerSpecials,
  uint: integerSpecials,
  float: floatSpecials,
  bool: () => [false, true],
};

const tables = new Map<Scalar, readonly ScalarValue[]>();
/** The special values of a type, fewer than 24. */
export function specialsOf(type: Scalar): readonly ScalarValue[] {
  const table = tables.get(type) ?? SPECIALS[SCALARS[type].kind](type);
  tables.set(type, table);
  return table;
}

function small(type: Scalar, random: Random): ScalarValue {
  const { kind, whole } = SCALARS[type];
  if (kind === "bool") return random.below(2) === 1;
  return whole(random.below(5) - (kind === "uint" ? 0 : 2));
}

function any(type: Scalar, random: Random): ScalarValue {
  const { kind, bits, whole, wrap } = SCALARS[type];
  if (kind === "bool") return random.below(2) === 1;
  if (kind !== "float") {
    const value = (BigInt(random.bits()) << 32n) | BigInt(random.bits());
    // Of all lengths: numbers near 0 are as likely as large ones.
    const short = value >> BigInt(64 - bits + random.below(bits));
    const signed = kind === "int" && random.below(2) === 1 ? -short : short;
    return whole(signed);
  }
  const significand = 1 + random.bits() / 2 ** 32 + random.bits() / 2 ** 64;
  const exponent = random.below(3) === 0 ? random.below(41) - 20 : random.below(5) - 2;
  const span = type === "f16" ? Math.trunc(exponent / 3) : exponent;
  return wrap((random.below(2) === 1 ? -1 : 1) * significand * 2 ** span);
}

const KINDS: Readonly<Record<SampleKind, (type: Scalar, random: Random) => ScalarValue>> = {
  small,
  special: (type, random) => random.pick(specialsOf(type)),
  any,
};

/** A value of the type. */
export function sample(type: Scalar, kind: SampleKind, random: Random): ScalarValue {
  return KINDS[kind](type, random);
}

/** A measure of how hard a value is to read: counterexamples use the simplest values. */
export function complexity(type: Scalar, value: ScalarValue): number {
  const { kind } = SCALARS[type];
  if (kind === "bool") return value ? 1 : 0;
  const number = Number(value);
  if (Number.isNaN(number)) return 3000;
  if (!Number.isFinite(number)) return 2000;
  if (number === 0) return Object.is(number, -0) ? 2.5 : 0;
  const sign = number < 0 ? 0.5 : 0;
  const magnitude = Math.abs(number);
  if (Number.isInteger(number) && magnitude < 1000) return 1 + Math.log2(magnitude) + sign;
  const digits = String(magnitude).replace(/[.e+-]/g, "").length;
  return 20 + digits * 5 + Math.abs(Math.log2(magnitude)) / 8 + sign;
}

/** Simpler candidates for a value. */
export function easier(type: Scalar, value: ScalarValue): readonly ScalarValue[] {
  const { kind, whole: made, wrap } = SCALARS[type];
  if (kind === "bool") return value ? [false] : [];
  const whole = [0, 1, 2, 3, -1, -2].map(made);
  const near =
    typeof value === "bigint"
      ? [value / 2n, value / 16n, value - 1n]
      : [Math.trunc(value as number), (value as number) / 2, (value as number) / 16, 0.5, INF, -INF];
  const list = [
    ...whole,
    ...near.filter((x) => kind === "float" || typeof x === "bigint" || Number.isFinite(x)),
  ];
  const cost = complexity(type, value);
  return list.map((x) => wrap(x)).filter((x) => complexity(type, x) < cost);
}
