/**
 * Computes what is made of constants alone, by the tables of operators. Compilers may compute it too, and
 * some refuse the result: WGSL knows no constant that is infinite or NaN, and no overflow among constants.
 */
import { BINARY, bitcastValue, castValue, UNARY } from "../ir/expr-op.ts";
import { type ConstExpr, constant, type Expr, mapParts } from "../kernel/expr.ts";
import { decodeLiteral } from "../literal.ts";
import type { ScalarValue } from "../scalar.ts";

const isConst = (expr: Expr): expr is ConstExpr => expr.kind === "const";
const valueFrom = (expr: ConstExpr): ScalarValue => decodeLiteral(expr.type, expr.value) as ScalarValue;

/** The expression with every constant part computed. */
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
