/** Conversions of values: by value, by bits, and as words. */

import { WORD, whole } from "./expr-op.ts";
import { isFloat, SCALARS, type Scalar, type ScalarValue } from "./scalar.ts";

/** Converts between element types: integers wrap, floats to integers truncate and saturate, NaN becomes 0. */
export function castValue(from: Scalar, to: Scalar, value: ScalarValue): ScalarValue {
  if (to === "bool") return typeof value === "number" ? value !== 0 : Boolean(value);
  if (!isFloat(from) || isFloat(to)) return castExact(to, value);
  const number = value as number;
  if (Number.isNaN(number)) return whole(to, 0);
  const { lowest, highest } = SCALARS[to];
  if (number <= Number(lowest)) return lowest;
  if (number >= Number(highest)) return highest;
  return whole(to, Math.trunc(number));
}

function castExact(to: Scalar, value: ScalarValue): ScalarValue {
  return to === "f32" && typeof value === "bigint" ? roundedOnce(value) : whole(to, value as number | bigint);
}

// A 64-bit integer to f32 through f64 would round twice: keep the lost digits as a sticky last bit. To f16 it would not: f64 has every integer that is finite there.
function roundedOnce(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const extra = BigInt(Math.max(0, magnitude.toString(2).length - 40));
  const kept = magnitude >> extra;
  const sticky = kept << extra === magnitude ? kept : kept | 1n;
  const rounded = Math.fround(Number(sticky << extra));
  return value < 0n ? -rounded : rounded;
}

/** Readers read only bytes that were just written: an array for each value takes many times as long. */
const view = /*@__PURE__*/ new DataView(/*@__PURE__*/ new ArrayBuffer(8));

/** The same bits read as another type, which `check` requires to have the same width. */
export function bitcastValue(from: Scalar, to: Scalar, value: ScalarValue): ScalarValue {
  WRITE[from](view, value);
  return READ[to](view);
}

/** 32 of a value's bits, word 0 the low ones; a shorter value is in word 0. */
export function wordOf(type: Scalar, value: ScalarValue, word: 0 | 1): number {
  WRITE[type](view, value);
  return WORD[SCALARS[type].words](view, word);
}

const WRITE: Readonly<Record<Scalar, (view: DataView, value: ScalarValue) => void>> = {
  i32: (v, x) => v.setInt32(0, Number(x)),
  u32: (v, x) => v.setUint32(0, Number(x)),
  i64: (v, x) => v.setBigInt64(0, BigInt(x)),
  u64: (v, x) => v.setBigUint64(0, BigInt(x)),
  f16: (v, x) => v.setUint16(0, Number(SCALARS.f16.toHost(x))),
  f32: (v, x) => v.setFloat32(0, Number(x)),
  f64: (v, x) => v.setFloat64(0, Number(x)),
  bool: (v, x) => v.setUint8(0, x ? 1 : 0),
};
const READ: Readonly<Record<Scalar, (view: DataView) => ScalarValue>> = {
  i32: (v) => v.getInt32(0),
  u32: (v) => v.getUint32(0),
  i64: (v) => v.getBigInt64(0),
  u64: (v) => v.getBigUint64(0),
  f16: (v) => SCALARS.f16.fromHost(v.getUint16(0)),
  f32: (v) => v.getFloat32(0),
  f64: (v) => v.getFloat64(0),
  bool: (v) => v.getUint8(0) !== 0,
};
