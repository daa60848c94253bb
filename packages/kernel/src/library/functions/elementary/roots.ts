/** Roots. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, binary, bitcast, lt, mul, select, sub } from "../../../language/make-expr.ts";
import { i32, infinity, or, returnNaN, shl, shr } from "../format.ts";
import { inverseCubeRootOf, inverseRootOf } from "./series.ts";
import {
  asI32,
  type FillBody,
  float,
  formatOf,
  give,
  high,
  i64,
  numberOf,
  ofZero,
  operand,
  pick,
  positive,
  u64,
} from "./words.ts";

/** The upper half of the lower 128 bits of a product of two words and a third. */
const topOf = ([top, low]: readonly [Expr, Expr], c: Expr): Expr => add(mul(top, c), high(low, c));
/** Whether a number, given the odd one twice it, is below the exact result. */
type IsBelow = (code: Code, twice: Expr, square: readonly [Expr, Expr]) => Expr;
/**
 * Digits whose nearest double is that of the exact result: those of the estimate that a double has, the next one and
 * one for the rest, by which side the result is on. No result is halfway between doubles, and the estimate is so near
 * that differences keep their sign in 128 bits.
 */
function sided(code: Code, estimate: Expr, spare: number, isBelow: IsBelow): Expr {
  const kept = code.let("kept", shr(estimate, spare));
  const twice = code.let("twice", or(shl(kept, 1), u64(1n)));
  const square = [code.let("square_top", high(twice, twice)), code.let("square", mul(twice, twice))] as const;
  const last = select(isBelow(code, twice, square), u64(3n), u64(1n));
  return shl(or(shl(kept, 2), last), spare - 2);
}
/** (twice / 2)² d < 1. */
const isAboveInverse =
  (d: Expr): IsBelow =>
  (_code, _twice, square) =>
    lt(bitcast("i64", topOf(square, shr(d, 10))), i64(0n));
/** (twice / 2)³ < d. The lower word of an odd cube is not 0. */
const isAboveRoot =
  (d: Expr): IsBelow =>
  (_code, twice, square) =>
    lt(i64(0n), bitcast("i64", sub(shl(d, 34), topOf(square, twice))));

/** Of x = d 4^j, 1/4 <= d < 1, it is 2^-j / √d. */
export const rsqrt: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(parts.isNaN, (then) => then.return(x));
  ofZero(code, parts, float(to, or(infinity(formatOf(to)), parts.sign)));
  code.if(parts.isNegative, (then) => returnNaN(then, formatOf(to)));
  code.if(parts.isInfinite, (then) => then.return(float(to, positive(to))));
  const { digits, exponent } = numberOf(code, to, parts);
  // x = digits / 2^64 * 2^(exponent + 1)
  const above = code.let("above", add(exponent, i32(1)));
  const isOdd = code.let("odd", bitcast("u32", and(above, i32(1))));
  const half = shr(add(above, asI32(isOdd)), 1);
  const d = code.let("d", shr(digits, isOdd));
  const root = code.let("inverse", inverseRootOf(d));
  give(
    code,
    to,
    positive(to),
    sub(i32(1), half),
    pick(
      to,
      () => root,
      () => sided(code, root, 10, isAboveInverse(d)),
    )(),
  );
};

/** Of x = d 8^j, 1/8 <= d < 1, it is 2^j d d^(-1/3) d^(-1/3). */
export const cbrt: FillBody = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(or(parts.isZero, parts.isSpecial), (then) => then.return(x));
  const { digits, exponent } = numberOf(code, to, parts);
  // A multiple of 3 that leaves nothing negative.
  const most = pick(to, 153, 1200);
  const above = code.let("above", bitcast("u32", add(exponent, i32(1 + most + 2))));
  const third = code.let("third", binary("div", above, 3));
  const d = code.let("d", shr(digits, sub(2, sub(above, mul(third, 3)))));
  const y = code.let("y", inverseCubeRootOf(d));
  const root = code.let("cube_root", high(shl(high(y, d), 1), y));
  const exact = pick(
    to,
    () => root,
    () => sided(code, root, 8, isAboveRoot(d)),
  );
  give(code, to, parts.sign, sub(asI32(third), i32(most / 3 - 2)), exact());
};
