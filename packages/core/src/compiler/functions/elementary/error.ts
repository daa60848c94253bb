/** The error function. */
import { add, bitcast, lt, sub } from "../../kernel/make-expr.ts";
import { i32, shl, shr } from "../format.ts";
import { erfPart, partOf } from "./series.ts";
import { down, ends, type Fill, give, high, numberOf, ofZero, one, operand, upper } from "./words.ts";

/** Below 1 an odd series; then three polynomials around 1.5, 2.5 and 3.5. */
export const erf: Fill = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, x, parts, 4, [1, -1]);
  ofZero(code, parts, x);
  const { digits, exponent } = numberOf(code, to, parts);
  code.if(lt(exponent, i32(0)), (then) => {
    const u = down(high(digits, digits), shl(sub(i32(-1), exponent), 1));
    give(then, to, parts.sign, add(exponent, i32(2)), high(digits, partOf("erf_small_part", u)));
  });
  // 2 digits before the point
  const fixed = code.let("fixed", down(digits, sub(i32(1), exponent)));
  const t = bitcast("i64", sub(shl(fixed, 2), one(63)));
  give(code, to, parts.sign, i32(1), bitcast("u64", erfPart(t, shr(upper(fixed), 30))));
};
