/** Types and constants in CUDA C++: the names of the pipeline's types, defined by the text itself. */
import type { Narrow, Scalar } from "@groupwise/core";
import { type CLiterals, type ConstExpr, cLiteral, type Memory } from "@groupwise/core/kernel";
import { SCALARS, wordOf } from "@groupwise/core/target";

/** By name, what the language calls them. */
export const TYPES: Readonly<Record<string, string>> = {
  i8: "signed char",
  u8: "unsigned char",
  i16: "short",
  u16: "unsigned short",
  i32: "int",
  u32: "unsigned int",
  i64: "long long",
  u64: "unsigned long long",
  f32: "float",
  f64: "double",
};

/** The type of a value. */
export const valueType = (type: Scalar): string => type;
const ELEMENTS: Readonly<Partial<Record<Narrow | Scalar, string>>> = {
  // Any value but 0 is true.
  bool: "u8",
  // As their bits.
  bf16: "u16",
  f16: "u16",
};
/** The type of an element of device memory. */
export const elementType = (memory: Memory): string => ELEMENTS[memory] ?? memory;
/** The same of work-group memory, whose banks have 32 bits. */
export const sharedType = (type: Scalar): string => (type === "bool" ? "u32" : valueType(type));

/** The type of several values. */
export const vectorOf = (type: Scalar | string, width: number): string =>
  width === 1 ? type : `Row<${type}, ${width}>`;

const hex = (type: "f32" | "f64", x: number, word: 0 | 1): string =>
  wordOf(type, x, word).toString(16).padStart(8, "0");
const LITERALS: CLiterals = {
  written: {
    i32: (digits) => digits,
    u32: (digits) => `${digits}u`,
    i64: (digits) => `${digits}ll`,
    u64: (digits) => `${digits}ull`,
  },
  least: (type) => {
    const suffix = type === "i64" ? "ll" : "";
    return `(-${2n ** BigInt(SCALARS[type].bits - 1) - 1n}${suffix} - 1${suffix})`;
  },
  special: (type, x) =>
    type === "f32"
      ? `__uint_as_float(0x${hex("f32", x, 0)}u)`
      : `__longlong_as_double((i64)0x${hex("f64", x, 1)}${hex("f64", x, 0)}ull)`,
};

/** A constant of its type. */
export const literal = (constant: Pick<ConstExpr, "type" | "value">): string => cLiteral(constant, LITERALS);
