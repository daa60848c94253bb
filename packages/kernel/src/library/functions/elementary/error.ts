/** The error function. */
import { add, bitcast, lt, sub, u32 } from "../../../language/make-expr.ts";
import { ge, i32, shl, shr } from "../format.ts";
import { erfFarPart, erfPart, partOf } from "./series.ts";
import {
  down,
  ends,
  type FillBody,
  give,
  high,
  numberOf,
  ofZero,
  one,
  operand,
  pick,
  upper,
} from "./words.ts";

/** Below 1 an odd series; then a polynomial around 1.5, 2.5 and 3.5, and of f64 around 4.5 and 5.5. */
export const erf: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  ends(code, to, { x, parts }, pick(to, 4, 6), [1, -1]);
  ofZero(code, parts, x);
  const { digits, exponent } = numberOf(code, to, parts);
  code.if(lt(exponent, i32(0)), (then) => {
    const u = down(high(digits, digits), shl(sub(i32(-1), exponent), 1));
    give(then, to, parts.sign, add(exponent, i32(2)), high(digits, partOf("erf_small_part", u)));
  });
  const before = pick(to, 2, 3);
  const fixed = code.let("fixed", down(digits, sub(i32(before - 1), exponent)));
  const t = bitcast("i64", sub(shl(fixed, before), one(63)));
  const piece = shr(upper(fixed), 32 - before);
  if (to === "f64")
    code.if(ge(piece, u32(4)), (far) =>
      give(far, to, parts.sign, i32(1), bitcast("u64", erfFarPart(t, piece))),
    );
  give(code, to, parts.sign, i32(1), bitcast("u64", erfPart(t, piece)));
};
