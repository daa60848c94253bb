/**
 * Data that finds faults: for each kind of element type, data whose results a wrong identity, order, comparison or boundary
 * changes.
 */
import type { ArrayType, HostArray, Scalar, ScalarValue } from "@groupwise/core";
import { SCALARS, type ScalarKind, valueTypeOf } from "@groupwise/core/target";
import { toArray } from "./arrays.ts";
import { type Random, randomOf } from "./random.ts";

/** A kind of data. */
export interface DataKind {
  readonly name: string;
  /** The fault that it finds. */
  readonly finds: string;
  /** The value of item `i` of `n`. */
  value(type: Scalar, random: Random, i: number, n: number): number | bigint | boolean;
}

const isWide = (type: Scalar): boolean => SCALARS[type].bits === 64;
const integer = (type: Scalar, random: Random): ScalarValue =>
  SCALARS[type].wrap(isWide(type) ? (BigInt(random.bits()) << 32n) | BigInt(random.bits()) : random.bits());
const small = (type: Scalar, x: number): ScalarValue => SCALARS[type].wrap(isWide(type) ? BigInt(x) : x);
/** A special value at one item in about a third of the range's length. */
const rarely = (random: Random, n: number): boolean => random.chance(3 / Math.max(n, 3));
const sign = (random: Random): number => (random.chance(0.5) ? -1 : 1);
/** From 1/2 to 2, weighted so that the mean of the logarithm is 0: products of many neither underflow nor overflow. */
const significand = (random: Random): number => (1 + random.unit()) / (random.chance(0.4427) ? 1 : 2);
const least = (type: Scalar): number => ({ f16: 2 ** -24, f32: 2 ** -149, f64: 2 ** -1074 })[type as "f32"];
/** Bits of a significand, and the exponent of the least normal number. */
const FORMATS = { f16: [11, -14], f32: [24, -126], f64: [53, -1022] } as const;
const format = (type: Scalar): readonly [bits: number, least: number] => FORMATS[type as "f32"];
const largest = (type: Scalar): number =>
  ({ f16: 65504, f32: (2 - 2 ** -23) * 2 ** 127, f64: Number.MAX_VALUE })[type as "f32"];

const INTEGERS: readonly DataKind[] = [
  { name: "random", finds: "anything: all bits are random", value: integer },
  {
    name: "odd",
    finds: "wrong products: they never die out",
    value: (type, random) => {
      const value = integer(type, random);
      return SCALARS[type].wrap(typeof value === "bigint" ? value | 1n : (value as number) | 1);
    },
  },
  {
    name: "extremes",
    finds: "comparisons and identities at the ends of the range, signed overflow",
    value: (type, random) => {
      const { lowest, highest } = SCALARS[type];
      const near = small(type, random.int(-2, 2));
      return random.pick([lowest, highest, near, small(type, 0), small(type, 1)]);
    },
  },
  {
    name: "mostly ones",
    finds: "and, logical and, all: one item decides",
    value: (type, random, _, n) => (rarely(random, n) ? integer(type, random) : small(type, -1)),
  },
  {
    name: "mostly zeros",
    finds: "or, xor, logical or, any: one item decides; operands that were not normalised",
    value: (type, random, _, n) => (rarely(random, n) ? integer(type, random) : small(type, 0)),
  },
  {
    name: "words",
    finds: "carries that are lost between words or halves of them, comparisons of one word only",
    value: (type, random) => {
      const half = isWide(type) ? 32n : 16n;
      const ones = (1n << half) - 1n;
      const word = (): bigint => random.pick([0n, 1n, ones >> 1n, (ones >> 1n) + 1n, ones - 1n, ones]);
      const value = (word() << half) | word();
      return SCALARS[type].wrap(isWide(type) ? value : Number(value));
    },
  },
  {
    name: "one word",
    finds: "comparisons that look at one word, or at a word with the wrong sign: values differ in one only",
    value: (type, random, i) => {
      const half = isWide(type) ? 32n : 16n;
      const other = BigInt(random.bits()) & ((1n << half) - 1n);
      const value = i % 64 < 32 ? (7n << half) | other : (other << half) | 7n;
      return SCALARS[type].wrap(isWide(type) ? value : Number(value));
    },
  },
  {
    name: "doubles' limit",
    finds: "64-bit integers that went through a double: 2^53 and its neighbours",
    value: (type, random) => {
      const value = (1n << (isWide(type) ? 53n : 24n)) + BigInt(random.int(-3, 3));
      const signed = random.chance(0.5) ? value : -value;
      return SCALARS[type].wrap(isWide(type) ? signed : Number(signed));
    },
  },
  {
    name: "lowest",
    finds: "identities that beat the least value",
    value: (type) => SCALARS[type].lowest,
  },
  {
    name: "highest",
    finds: "identities that beat the greatest value",
    value: (type) => SCALARS[type].highest,
  },
];

const FLOATS: readonly DataKind[] = [
  {
    name: "order",
    finds: "any other order than the Fenwick order: each sum and product rounds",
    value: (_, random) => sign(random) * significand(random),
  },
  {
    name: "wide",
    finds: "order and lost carries: magnitudes are far apart",
    value: (type, random) => {
      const span = type === "f16" ? 6 : 30;
      return sign(random) * significand(random) * 2 ** random.int(-span, span);
    },
  },
  {
    name: "halfway",
    finds: "ties that do not go to the even number, and what lies beside them",
    value: (type, random) => {
      const step = 2 ** (1 - format(type)[0]);
      const one = 1 + random.int(0, 5) * step;
      const half = (step / 2) * (1 + random.int(-1, 1) * step);
      return random.chance(0.5) ? one : sign(random) * half;
    },
  },
  {
    name: "whole numbers' limit",
    finds: "sums that are rounded twice or too coarsely: 2^53 ± 1 and its like",
    value: (type, random) => {
      const limit = 2 ** format(type)[0];
      return sign(random) * random.pick([1, 2, 3, limit / 2 - 1, limit / 2 + 1, limit - 1, limit, limit + 2]);
    },
  },
  {
    name: "underflow",
    finds: "products that are rounded twice on their way below the normal numbers",
    value: (type, random) => {
      const [bits, least] = format(type);
      const power = Math.round(least / 2) - random.int(0, bits >> 1);
      return sign(random) * significand(random) * 2 ** (random.chance(0.5) ? power : -power);
    },
  },
  {
    name: "zeros",
    finds: "sums and minima that lose the sign of zero",
    value: (_, random, __, n) => (random.chance(1 / Math.max(n / 2, 2)) ? 0 : -0),
  },
  {
    name: "infinities",
    finds: "finite numbers in the place of infinite identities, comparisons that assume no infinity",
    value: (type, random, _, n) =>
      rarely(random, n) ? sign(random) * Number.POSITIVE_INFINITY : sign(random) * largest(type),
  },
  {
    name: "plus infinity",
    finds: "a greatest finite number as the identity of min",
    value: () => Number.POSITIVE_INFINITY,
  },
  {
    name: "minus infinity",
    finds: "a least finite number as the identity of max",
    value: () => Number.NEGATIVE_INFINITY,
  },
  {
    name: "nan",
    finds: "NaN that a comparison drops",
    value: (_, random, __, n) => (rarely(random, n) ? Number.NaN : sign(random) * significand(random)),
  },
  {
    name: "special",
    finds: "special values beside one another",
    value: (type, random) =>
      random.pick([0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, largest(type), 1.5]),
  },
  {
    name: "subnormal",
    finds: "flushed subnormal numbers",
    value: (type, random) => sign(random) * random.int(0, 1000) * least(type),
  },
];

const BOOLS: readonly DataKind[] = [
  { name: "random", finds: "anything", value: (_, random) => random.chance(0.5) },
  {
    name: "mostly true",
    finds: "and, all: one item decides",
    value: (_, random, __, n) => !rarely(random, n),
  },
  {
    name: "mostly false",
    finds: "or, any: one item decides",
    value: (_, random, __, n) => rarely(random, n),
  },
  { name: "true", finds: "and, all over absent items", value: () => true },
  { name: "false", finds: "or, any over absent items", value: () => false },
];

/** Every kind of data for an element type; the first one is suitable for every test. */
export const DATA: Readonly<Record<ScalarKind, readonly DataKind[]>> = {
  int: INTEGERS,
  uint: INTEGERS,
  float: FLOATS,
  bool: BOOLS,
};

/** `n` elements of a kind; the same for the same seed. */
export function dataOf(type: Scalar, kind: DataKind, n: number, seed: string | number): HostArray {
  const random = randomOf(kind.name, type, n, seed);
  const { wrap } = SCALARS[type];
  const values = Array.from({ length: n }, (_, i) => wrap(kind.value(type, random, i, n)));
  return toArray(type, values);
}

/** A mixture of all kinds, element by element, for element-wise operators. */
export function mixedData(array: ArrayType, n: number, seed: string | number): HostArray {
  const type = valueTypeOf(array);
  const random = randomOf("mixed", type, n, seed);
  const { kind, wrap } = SCALARS[type];
  const values = Array.from({ length: n }, (_, i) => wrap(random.pick(DATA[kind]).value(type, random, i, 3)));
  return toArray(array, values);
}

/** The kind of a name. */
export function dataKind(type: Scalar, name: string): DataKind {
  const found = DATA[SCALARS[type].kind].find((kind) => kind.name === name);
  if (!found) throw new Error(`unknown data "${name}" of ${type}`);
  return found;
}
