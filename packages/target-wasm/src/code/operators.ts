/** The instructions of operators and conversions. Those of floats are exact: each rounds to nearest even and keeps subnormal numbers. */
import type { Scalar } from "@groupwise/core";
import type { PrintedOp } from "@groupwise/core/kernel";
import { isFloat, SCALARS } from "@groupwise/core/target";
import { i32, i64, type Node, numeric } from "../encode/tree.ts";
import { valueType } from "./types.ts";

const isWide = (type: Scalar): boolean => SCALARS[type].bits === 64;
/** Of the instructions on an integer type. */
export const sign = (type: Scalar): "s" | "u" => (SCALARS[type].kind === "int" ? "s" : "u");
/** A zero of an integer type. */
export const zero = (type: Scalar): Node => (isWide(type) ? i64(0n) : i32(0));

const plain =
  (op: string) =>
  (type: Scalar): string =>
    `${valueType(type)}.${op}`;
/** With the sign of integers. */
const signed =
  (op: string) =>
  (type: Scalar): string =>
    `${valueType(type)}.${op}${isFloat(type) ? "" : `_${sign(type)}`}`;

/** By operator: the instruction for a type of operands. Minima and maxima of integers are choices. */
export const INSTRUCTIONS: Readonly<Record<PrintedOp, (type: Scalar) => string>> = {
  add: plain("add"),
  sub: plain("sub"),
  mul: plain("mul"),
  div: signed("div"),
  rem: signed("rem"),
  // NaN if an operand is NaN; -0 is less than +0.
  min: plain("min"),
  max: plain("max"),
  and: plain("and"),
  or: plain("or"),
  xor: plain("xor"),
  // The amount counts modulo the width.
  shl: plain("shl"),
  shr: signed("shr"),
  eq: plain("eq"),
  ne: plain("ne"),
  lt: signed("lt"),
  le: signed("le"),
  gt: signed("gt"),
  ge: signed("ge"),
};

/** Whether a value is not zero. */
function truth(x: Node, from: Scalar): Node {
  if (from === "bool") return x;
  const type = valueType(from);
  return numeric(`${type}.ne`, x, isFloat(from) ? { kind: "const", type, value: 0 } : zero(from));
}

/** A conversion of a value. Floats truncate and saturate to integers, and NaN becomes 0. */
export function cast(x: Node, from: Scalar, to: Scalar): Node {
  const [source, target] = [valueType(from), valueType(to)];
  if (to === "bool") return truth(x, from);
  if (isFloat(from) && isFloat(to)) {
    if (source === target) return x;
    return numeric(target === "f32" ? "f32.demote_f64" : "f64.promote_f32", x);
  }
  if (isFloat(from)) return numeric(`${target}.trunc_sat_${source}_${sign(to)}`, x);
  if (isFloat(to)) return numeric(`${target}.convert_${source}_${sign(from)}`, x);
  if (source === target) return x;
  return target === "i32" ? numeric("i32.wrap_i64", x) : numeric(`i64.extend_i32_${sign(from)}`, x);
}

/** The same bits as another type. */
export function bitcast(x: Node, from: Scalar, to: Scalar): Node {
  const [source, target] = [valueType(from), valueType(to)];
  return source === target ? x : numeric(`${target}.reinterpret_${source}`, x);
}

/** A word of a 64-bit value. */
export function word(x: Node, index: 0 | 1, from: Scalar): Node {
  const bits = bitcast(x, from, "u64");
  return numeric("i32.wrap_i64", index === 0 ? bits : numeric("i64.shr_u", bits, i64(32n)));
}

/** The 64-bit value of two words. */
export function join([low, high]: readonly [Node, Node], to: Scalar): Node {
  const [a, b] = [low, high].map((x) => numeric("i64.extend_i32_u", x)) as [Node, Node];
  return bitcast(numeric("i64.or", a, numeric("i64.shl", b, i64(32n))), "u64", to);
}
