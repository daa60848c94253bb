/** Operators and conversions in C, and the functions that they call. */
import { type CNames, type COperators, cOperators } from "@groupwise/core/kernel";
import { literal, valueType } from "./types.ts";

/** The names of C. */
export const NAMES: CNames = {
  valueType,
  literal,
  floats: { f32: "float", f64: "double" },
  bits: {
    f32: { toBits: "bits_of_float", ofBits: "float_of_bits" },
    f64: { toBits: "bits_of_double", ofBits: "double_of_bits" },
  },
};

export const OPERATORS: COperators = cOperators(NAMES);
