/** Values of floats in exact integers: the meaning of functions that round once. */
import { type FloatScalar, numberToHalf, SCALARS } from "../../tables/scalar.ts";

/** n · 2^e. */
export interface Dyadic {
  readonly n: bigint;
  readonly e: number;
}

/** Digits of the significand, and the exponent of the least number. */
const FORMATS: Readonly<Record<FloatScalar, { readonly digits: number; readonly least: number }>> = {
  f16: { digits: 11, least: -24 },
  f32: { digits: 24, least: -149 },
  f64: { digits: 53, least: -1074 },
};

const view = new DataView(new ArrayBuffer(8));
const lengthOf = (x: bigint): number => x.toString(2).length;

/** The exact value of a finite number. */
export function dyadicOf(x: number): Dyadic {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const power = Number((bits >> 52n) & 0x7ffn);
  const n = (bits & 0xfffffffffffffn) | (power ? 1n << 52n : 0n);
  return { n: x < 0 ? -n : n, e: Math.max(power, 1) - 1075 };
}

/** The value of the type nearest to a number that is not 0, ties to even. */
export function nearest(type: FloatScalar, { n, e }: Dyadic): number {
  const { digits, least } = FORMATS[type];
  const magnitude = n < 0n ? -n : n;
  const unit = Math.max(lengthOf(magnitude) + e - digits, least);
  const sign = n < 0n ? -1 : 1;
  const give = (whole: bigint, power: number): number =>
    sign * (SCALARS[type].wrap(Number(whole) * 2 ** power) as number);
  if (unit <= e) return give(magnitude, e);
  const drop = BigInt(unit - e);
  const kept = magnitude >> drop;
  const twice = (magnitude - (kept << drop)) << 1n;
  const half = 1n << drop;
  const isUp = twice > half || (twice === half && (kept & 1n) === 1n);
  return give(kept + (isUp ? 1n : 0n), unit);
}

/** The next value of the type above, or below. IEEE 754-2019, 5.3.1. */
export function neighbour(type: FloatScalar, x: number, up: boolean): number {
  if (Number.isNaN(x) || x === (up ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return x;
  const least = 2 ** FORMATS[type].least;
  if (x === 0) return up ? least : -least;
  const bytes = SCALARS[type].bits / 8;
  write(type, x);
  const bits = view.getBigUint64(0) >> BigInt(64 - 8 * bytes);
  const next = x > 0 === up ? bits + 1n : bits - 1n;
  view.setBigUint64(0, next << BigInt(64 - 8 * bytes));
  return read(type);
}

const write = (type: FloatScalar, x: number): void => {
  view.setBigUint64(0, 0n);
  if (type === "f16") view.setUint16(0, numberToHalf(x));
  else if (type === "f32") view.setFloat32(0, x);
  else view.setFloat64(0, x);
};
const read = (type: FloatScalar): number => {
  if (type === "f16") return SCALARS.f16.fromHost(view.getUint16(0)) as number;
  return type === "f32" ? view.getFloat32(0) : view.getFloat64(0);
};
