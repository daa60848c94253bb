/** Names for the values of nodes, after what they hold. */
import { hintOf } from "@groupwise/ir/base/names.js";
import type { ValueNode } from "@groupwise/ir/document/node.js";
import type { BinaryOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";

const BINARY: Readonly<Record<BinaryOp, string>> = {
  add: "sum",
  sub: "difference",
  mul: "product",
  div: "quotient",
  rem: "remainder",
  min: "lesser",
  max: "greater",
  absdiff: "distance",
  gcd: "divisor",
  and: "common",
  or: "either",
  xor: "differing",
  shl: "shifted",
  shr: "shifted",
  eq: "is_equal",
  ne: "differs",
  lt: "is_below",
  le: "is_at_most",
  gt: "is_above",
  ge: "is_at_least",
};
const UNARY: Readonly<Record<UnaryOp, string>> = {
  neg: "negated",
  abs: "magnitude",
  not: "inverse",
  popcount: "ones",
  clz: "leading_zeros",
};

/** @param type of the value */
export function hintFor(node: ValueNode, type: Scalar): string {
  switch (node.kind) {
    case "binary":
      return type === "bool" && node.op === "and" ? "both" : BINARY[node.op];
    case "unary":
      return UNARY[node.op];
    case "function":
      return `${hintOf(node.op)}_i`;
    case "select":
      return "chosen";
    case "cast":
    case "bitcast":
      return `as_${node.to}`;
    case "gather":
      return "gathered";
    case "query":
      return hintOf(node.query);
    default:
      return `${hintOf(node.kind)}_i`;
  }
}
