/** Types and constants in C. */
import type { Narrow, Scalar } from "@groupwise/core";
import { type CLiterals, type ConstExpr, cLiteral, type Memory } from "@groupwise/core/kernel";
import { decodeLiteral, numberToHalf, SCALARS } from "@groupwise/core/target";

/** The types of scalars in kernels; halves are emulated with them. */
type Kind = Exclude<Scalar, "f16">;

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

/** The spelling of constants: macros of <stdint.h> and <math.h>. */
const LITERALS: CLiterals = {
  written: {
    i32: (digits) => digits,
    u32: (digits) => `${digits}u`,
    i64: (digits) => `INT64_C(${digits})`,
    u64: (digits) => `UINT64_C(${digits})`,
  },
  least: (type) => `INT${SCALARS[type].bits}_MIN`,
  special: (type, x) => {
    const macro = Number.isNaN(x) ? "NAN" : "INFINITY";
    const whole = `${type === "f64" ? "(double)" : ""}${x < 0 ? "-" : ""}${macro}`;
    return x < 0 ? `(${whole})` : whole;
  },
};

/** A constant of its type. */
export const literal = (constant: Pick<ConstExpr, "type" | "value">): string => cLiteral(constant, LITERALS);

/** A constant as an element in memory: a half is its 16 bits, a bool 0 or 1. */
export function storedLiteral({ type, value }: Pick<ConstExpr, "type" | "value">): string {
  const decoded = decodeLiteral(type, value);
  if (type === "f16") return String(numberToHalf(decoded as number));
  return type === "bool" ? String(Number(decoded)) : literal({ type, value });
}
