/** The digits of floats from their bits. */
import type { Code } from "../../../language/build.ts";
import type { Expr, VarExpr } from "../../../language/expr.ts";
import { binary, select, sub, unary } from "../../../language/make-expr.ts";
import { HIDDEN } from "./define.ts";

/** Mantissa with its leading bit at 2^23, and its exponent, also for subnormals. */
export function normalise(
  code: Code,
  magnitude: Expr,
  hint: string,
): { mantissa: VarExpr; exponent: VarExpr } {
  const subnormal = binary("lt", magnitude, HIDDEN);
  const shift = code.let(`${hint}_shift`, select(subnormal, sub(unary("clz", magnitude), 8), 0));
  const fraction = binary("and", magnitude, HIDDEN - 1);
  const mantissa = code.var(
    `${hint}_mantissa`,
    select(subnormal, binary("shl", magnitude, shift), binary("or", fraction, HIDDEN)),
  );
  const exponent = code.let(
    `${hint}_exponent`,
    select(subnormal, sub(1, shift), binary("shr", magnitude, 23)),
  );
  return { mantissa, exponent };
}
