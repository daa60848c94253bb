/**
 * Operators in CUDA C++: those of C, but that sums, products and quotients of floats are functions, which nothing contracts, and so are their comparisons,
 * of which nothing makes minima.
 */
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

const { binary, cast, ...OTHERS } = cOperators(NAMES);
type Spell = (a: string, b: string, type: Scalar) => string;
const rounded =
  (op: "add" | "sub" | "mul" | "div"): Spell =>
  (a, b, type) =>
    isFloat(type) ? called(`${op}_rn`)(a, b) : binary[op](a, b, type);

/** Functions of floats: see `compared` of the helpers. */
const OF_FLOATS: Readonly<Record<CompareOp, (a: string, b: string) => string>> = {
  eq: called("is_eq"),
  ne: (a, b) => `(!${called("is_eq")(a, b)})`,
  lt: called("is_lt"),
  le: called("is_le"),
  gt: (a, b) => called("is_lt")(b, a),
  ge: (a, b) => called("is_le")(b, a),
};
/** Compilers warn where an operand is compared with itself. */
const compared =
  (op: CompareOp): Spell =>
  (a, b, type) =>
    isFloat(type) ? OF_FLOATS[op](a, b) : binary[op](a === b ? `(${valueType(type)})${a}` : a, b, type);
const COMPARED = Object.fromEntries(
  (["eq", "ne", "lt", "le", "gt", "ge"] as const).map((op) => [op, compared(op)]),
) as Readonly<Record<CompareOp, Spell>>;

export const OPERATORS: COperators = {
  ...OTHERS,
  cast: (x, from, target, isInRange) =>
    target === "bool" && isFloat(from)
      ? OF_FLOATS.ne(x, literal({ type: from, value: 0 }))
      : cast(x, from, target, isInRange),
  binary: {
    ...binary,
    ...COMPARED,
    ...{ add: rounded("add"), sub: rounded("sub"), mul: rounded("mul"), div: rounded("div") },
  },
};
