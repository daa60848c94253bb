/** Sums of emulated halves, rounded, as expressions. */
import type { BinaryExpr, Expr } from "../../language/expr.ts";
import { HALF_NAMES } from "../../library/types/half-names.ts";

/** The sum or the difference that an expression rounds to a half. */
export function sumOfHalves(e: Expr): BinaryExpr | undefined {
  const [of] = e.kind === "call" && e.fn === HALF_NAMES.sum ? e.args : [];
  const sum = of?.kind === "unary" ? of.of : of;
  return sum?.kind === "binary" ? sum : undefined;
}

/** The expression with another sum or difference in it. */
export function withSum(e: Expr, sum: Expr): Expr {
  if (e.kind === "call") return { ...e, args: e.args.map((arg) => withSum(arg, sum)) };
  return e.kind === "unary" ? { ...e, of: sum } : sum;
}
