/**
 * Constant folding, with the tables of operators. Compilers fold constants too, and some languages refuse the result:
 * no constant may be infinite or NaN, or overflow.
 */

import { bitcastValue, castValue } from "../../../ir/tables/convert-value.ts";
import { BINARY, UNARY } from "../../../ir/tables/expr-op.ts";
import { decodeLiteral } from "../../../ir/tables/literal.ts";
import type { ScalarValue } from "../../../ir/tables/scalar.ts";
import type { ConstExpr, Expr } from "../../kernel/expr.ts";
import { constant } from "../../kernel/make-expr.ts";
import { mapParts } from "../../kernel/map-expr.ts";
import type { Module } from "../../kernel/module.ts";
import { mapExprs } from "./pass.ts";

const isConst = (expr: Expr): expr is ConstExpr => expr.kind === "const";
const valueFrom = (expr: ConstExpr): ScalarValue => decodeLiteral(expr.type, expr.value) as ScalarValue;

/** The expression with every constant subexpression folded. */
export const foldConstants = (module: Module): Module => mapExprs(module, fold);

/** The expression with every constant subexpression folded. */
export function fold(expr: Expr): Expr {
  const e = mapParts(expr, fold);
  switch (e.kind) {
    case "unary":
      return isConst(e.of) ? constant(e.type, UNARY[e.op].apply(e.type, valueFrom(e.of))) : e;
    case "binary":
      if (!isConst(e.left) || !isConst(e.right)) return e;
      return constant(e.type, BINARY[e.op].apply(e.left.type, valueFrom(e.left), valueFrom(e.right)));
    case "select":
      return isConst(e.condition) ? (e.condition.value ? e.then : e.otherwise) : e;
    case "cast":
      return isConst(e.of) ? constant(e.type, castValue(e.of.type, e.type, valueFrom(e.of))) : e;
    case "bitcast":
      return isConst(e.of) ? constant(e.type, bitcastValue(e.of.type, e.type, valueFrom(e.of))) : e;
    default:
      return e;
  }
}
