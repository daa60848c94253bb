/** ONNX's element types (TensorProto.DataType). */
import type { ArrayType, Scalar } from "@groupwise/core";
import { isNarrow, NARROW, SCALARS } from "@groupwise/core/target";

/** By number: the name in ONNX, and the array type of its elements. */
const TYPES: Readonly<Record<number, readonly [name: string, type?: ArrayType]>> = {
  0: ["UNDEFINED"],
  1: ["FLOAT", "f32"],
  2: ["UINT8", "u8"],
  3: ["INT8", "i8"],
  4: ["UINT16", "u16"],
  5: ["INT16", "i16"],
  6: ["INT32", "i32"],
  7: ["INT64", "i64"],
  8: ["STRING"],
  9: ["BOOL", "bool"],
  10: ["FLOAT16", "f16"],
  11: ["DOUBLE", "f64"],
  12: ["UINT32", "u32"],
  13: ["UINT64", "u64"],
  14: ["COMPLEX64"],
  15: ["COMPLEX128"],
  16: ["BFLOAT16", "bf16"],
  17: ["FLOAT8E4M3FN"],
  18: ["FLOAT8E4M3FNUZ"],
  19: ["FLOAT8E5M2"],
  20: ["FLOAT8E5M2FNUZ"],
  21: ["UINT4"],
  22: ["INT4"],
  23: ["FLOAT4E2M1"],
  24: ["FLOAT8E8M0"],
  25: ["UINT2"],
  26: ["INT2"],
};

/** The name of a type. */
export const typeName = (number: number | undefined): string => TYPES[number ?? 0]?.[0] ?? `type ${number}`;

/** The array type for a number; undefined if there is none. */
export const arrayTypeOf = (number: number | undefined): ArrayType | undefined => TYPES[number ?? 0]?.[1];

const NUMBERS: ReadonlyMap<ArrayType | undefined, number> = new Map(
  Object.entries(TYPES).map(([number, [, type]]) => [type, Number(number)]),
);
/** The number of an array type; undefined if ONNX does not have it. */
export const numberOfType = (type: ArrayType): number | undefined => NUMBERS.get(type);

/** The type in which values are computed. */
export const scalarOf = (type: ArrayType): Scalar => (isNarrow(type) ? NARROW[type].value : type);

/** The kind of a type. */
export const kindOfType = (type: ArrayType): "int" | "uint" | "float" | "bool" =>
  SCALARS[scalarOf(type)].kind;
