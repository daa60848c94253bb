/** Hides the operand of a subtraction from 0 from compilers that replace `0.0f - fabsf(x)` by `-fabsf(x)`, whose zero is negative. */
import type { Expr } from "../../language/expr.ts";
import { sub, zeroOf } from "../../language/make-expr.ts";
import type { Fn } from "../../language/module.ts";
import { define, nativeName } from "./base/define.ts";

export const ZERO_MINUS_FUNCTIONS: readonly Fn[] = (["f16", "f32", "f64"] as const).map((type) =>
  define(nativeName("zero_minus", type), {
    doc: "0 - x: 0 for zeros of both signs.",
    params: ["x"],
    type,
    returns: type,
    body: (code, [x]) => code.return(sub(zeroOf(type), x as Expr)),
  }),
);
