/** Operators in CUDA C++: those of C, but that sums, products and quotients of floats are functions, which nothing contracts. */
import type { Scalar } from "@groupwise/core";
import { type CNames, type COperators, called, cOperators } from "@groupwise/core/kernel";
import { type CompareOp, isFloat } from "@groupwise/core/target";
import { literal, valueType } from "./types.ts";

/** The names of the language. */
export const NAMES: CNames = {
  valueType,
  literal,
  floats: { f32: "f32", f64: "f64" },
  bits: {
    f32: { toBits: "__float_as_uint", ofBits: "__uint_as_float" },
    f64: { toBits: "f64_bits", ofBits: "f64_of_bits" },
  },
};

const { binary, ...OTHERS } = cOperators(NAMES);
type Spell = (a: string, b: string, type: Scalar) => string;
const rounded =
  (op: "add" | "sub" | "mul" | "div"): Spell =>
  (a, b, type) =>
    isFloat(type) ? called(`${op}_rn`)(a, b) : binary[op](a, b, type);

/** Compilers warn where an operand is compared with itself. */
const compared =
  (op: CompareOp): Spell =>
  (a, b, type) =>
    binary[op](a === b ? `(${valueType(type)})${a}` : a, b, type);
const COMPARED = Object.fromEntries(
  (["eq", "ne", "lt", "le", "gt", "ge"] as const).map((op) => [op, compared(op)]),
) as Readonly<Record<CompareOp, Spell>>;

export const OPERATORS: COperators = {
  ...OTHERS,
  binary: {
    ...binary,
    ...COMPARED,
    ...{ add: rounded("add"), sub: rounded("sub"), mul: rounded("mul"), div: rounded("div") },
  },
};
