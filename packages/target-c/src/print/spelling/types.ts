/** Types and constants in C. */
import type { Narrow, Scalar } from "@groupwise/core";
import type { ConstExpr, Memory } from "@groupwise/core/kernel";
import { decodeLiteral, type IntegerScalar, isFloat, numberToHalf, SCALARS } from "@groupwise/core/target";

/** The types of scalars in kernels; halves are emulated with them. */
export type Kind = Exclude<Scalar, "f16">;
/** Of these, floats. */
export type FloatKind = "f32" | "f64";

const TYPES: Readonly<Record<Kind, string>> = {
  i32: "int32_t",
  u32: "uint32_t",
  i64: "int64_t",
  u64: "uint64_t",
  f32: "float",
  f64: "double",
  bool: "bool",
};
/** The type of a value. */
export const valueType = (type: Scalar): string => TYPES[type as Kind];
const ELEMENTS: Readonly<Record<Narrow | "bool", string>> = {
  // Any value but 0 is true.
  bool: "uint8_t",
  i8: "int8_t",
  u8: "uint8_t",
  i16: "int16_t",
  u16: "uint16_t",
  // As its bits.
  bf16: "uint16_t",
};
/** The type of an element in memory. */
export const elementType = (memory: Memory): string =>
  ELEMENTS[memory as Narrow] ?? valueType(memory as Scalar);
/** The type of a value that callers pass: a half is its 16 bits. */
export const hostType = (type: Scalar): string => (type === "f16" ? "uint16_t" : valueType(type));

/** Of a signed integer type the unsigned one, which wraps. */
export const UNSIGNED: Readonly<Partial<Record<Scalar, "u32" | "u64">>> = { i32: "u32", i64: "u64" };

const written: Readonly<Record<IntegerScalar, (digits: string) => string>> = {
  i32: (digits) => digits,
  u32: (digits) => `${digits}u`,
  i64: (digits) => `INT64_C(${digits})`,
  u64: (digits) => `UINT64_C(${digits})`,
};
function integer(type: IntegerScalar, value: bigint): string {
  // The digits of the least integer are not a constant of the type.
  if (value < 0n && value === BigInt(SCALARS[type].lowest)) return `INT${SCALARS[type].bits}_MIN`;
  return value < 0n ? `(-${written[type](String(-value))})` : written[type](String(value));
}

/** Decimal digits that are read back as the same float: they are nearer to it than half of the way to a neighbour. */
function shortest(x: number): string {
  const digits = Array.from({ length: 9 }, (_, i) => Number(x.toPrecision(i + 1)));
  return String(digits.find((near) => Math.abs(near - x) <= Math.abs(x) * 2 ** -26) ?? x);
}

const FLOATS: Readonly<Record<FloatKind, { digits(x: number): string; suffix: string; open: string }>> = {
  f32: { digits: shortest, suffix: "f", open: "" },
  // The digits that JavaScript prints are read back as the same double.
  f64: { digits: String, suffix: "", open: "(double)" },
};
function float(type: FloatKind, x: number): string {
  const { digits, suffix, open } = FLOATS[type];
  const isNegative = x < 0 || Object.is(x, -0);
  const sign = isNegative ? "-" : "";
  const text = digits(Math.abs(x));
  const whole = Number.isFinite(x)
    ? `${sign}${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`
    : `${open}${sign}${Number.isNaN(x) ? "NAN" : "INFINITY"}`;
  return isNegative ? `(${whole})` : whole;
}

/** A constant of its type. */
export function literal({ type, value }: Pick<ConstExpr, "type" | "value">): string {
  const decoded = decodeLiteral(type, value);
  if (type === "bool") return decoded ? "true" : "false";
  return isFloat(type)
    ? float(type as FloatKind, decoded as number)
    : integer(type as IntegerScalar, BigInt(decoded as number | bigint));
}

/** A constant as an element in memory: a half is its 16 bits, a bool 0 or 1. */
export function storedLiteral({ type, value }: Pick<ConstExpr, "type" | "value">): string {
  const decoded = decodeLiteral(type, value);
  if (type === "f16") return String(numberToHalf(decoded as number));
  return type === "bool" ? String(Number(decoded)) : literal({ type, value });
}
