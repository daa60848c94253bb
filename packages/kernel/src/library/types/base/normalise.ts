/** The digits of floats from their bits. */
import type { Code } from "../../../language/build.ts";
import type { Expr, VarExpr } from "../../../language/expr.ts";
import { add, binary, bitcast, cast, eq, select, sub } from "../../../language/make-expr.ts";
import { HIDDEN } from "./define.ts";

/** The exponent of the least number. */
const LEAST = 149;
/** To the bits of a normal number: times 2^149, which makes a whole number of each float. */
export const TO_WHOLE: number = LEAST << 23;

/** The bits of a magnitude times 2^149, also for subnormals. Those of numbers from 2^-21 on have the right digits and an exponent past that of infinity. */
export const wholeOf = (magnitude: Expr): Expr =>
  select(
    eq(binary("shr", magnitude, 23), 0),
    bitcast("u32", cast("f32", magnitude)),
    add(magnitude, TO_WHOLE),
  );

/** Mantissa with its leading bit at 2^23, and its exponent, also for subnormals. */
export function normalise(code: Code, magnitude: Expr, hint: string): { mantissa: VarExpr; exponent: Expr } {
  const whole = code.let(`${hint}_whole`, wholeOf(magnitude));
  const mantissa = code.var(`${hint}_mantissa`, binary("or", binary("and", whole, HIDDEN - 1), HIDDEN));
  return { mantissa, exponent: sub(binary("shr", whole, 23), LEAST) };
}
