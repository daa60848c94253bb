/** Comparisons with constants. */
import { type CompareOp, isCompare } from "@groupwise/ir/tables/expr-op.js";
import { decodeLiteral } from "@groupwise/ir/tables/literal.js";
import { isFloat } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";

/** Of operands in the other order. */
const SWAPPED: Readonly<Record<CompareOp, CompareOp>> = {
  lt: "gt",
  le: "ge",
  gt: "lt",
  ge: "le",
  eq: "eq",
  ne: "ne",
};

/** A float that is compared with a number, which is no NaN. */
export interface NumberComparison {
  readonly op: CompareOp;
  readonly of: Expr;
  readonly number: number;
}

/** The comparison of a float with a constant; undefined for other expressions. */
export function comparisonOf(e: Expr): NumberComparison | undefined {
  if (e.kind !== "binary" || !isCompare(e.op) || !isFloat(e.left.type)) return undefined;
  const { op, left, right } = e;
  const [of, other] = right.kind === "const" ? [left, right] : [right, left];
  if (other.kind !== "const") return undefined;
  const number = decodeLiteral(other.type, other.value) as number;
  return Number.isNaN(number) ? undefined : { op: of === left ? op : SWAPPED[op], of, number };
}
