/**
 * Operators in CUDA C++: those of C, but that sums, products and quotients of floats are functions, which nothing contracts, magnitudes are bits, and
 * integers are negated by a function: ptxas 13 drops an `abs` of -0, decides comparisons of magnitudes as if there were no NaN, and takes that of the least
 * integer for positive (`findings/ptxas-magnitudes.sh`).
 */
import type { Scalar } from "@groupwise/core";
import { type CNames, type COperators, called, cOperators, infix } from "@groupwise/core/kernel";
import { type CompareOp, isFloat, SCALARS } from "@groupwise/core/target";
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

const { binary, unary, cast, ...OTHERS } = cOperators(NAMES);
type Spell = (a: string, b: string, type: Scalar) => string;
const rounded =
  (op: "add" | "sub" | "mul" | "div"): Spell =>
  (a, b, type) =>
    isFloat(type) ? called(`${op}_rn`)(a, b) : binary[op](a, b, type);

const MAGNITUDE: Readonly<Partial<Record<Scalar, string>>> = {
  f32: "0x7fffffffu",
  f64: "0x7fffffffffffffffull",
};
const magnitude = (x: string, type: Scalar): string => {
  const mask = MAGNITUDE[type];
  if (mask === undefined) return unary.abs(x, type);
  const { toBits, ofBits } = NAMES.bits[type as keyof CNames["bits"]];
  return called(ofBits)(infix("&")(called(toBits)(x), mask));
};

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
  // In range too: the device's instruction saturates, and what it makes of subnormal numbers is the helper's.
  cast: (x, from, to) => cast(x, from, to, false),
  unary: {
    ...unary,
    abs: magnitude,
    neg: (x, type) => (SCALARS[type].kind === "int" ? called(`neg_${type}`)(x) : unary.neg(x, type)),
  },
  binary: {
    ...binary,
    ...COMPARED,
    ...{ add: rounded("add"), sub: rounded("sub"), mul: rounded("mul"), div: rounded("div") },
  },
};
