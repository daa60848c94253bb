/** Roots, and the error function. */
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, and, binary, bitcast, cast, lt, mul, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import { i32, infinity, leadingZeros, or, returnNaN, shl, shr } from "../format.ts";
import { inverseCubeRootOf, inverseRootOf } from "./series.ts";
import {
  asI32,
  down,
  type Fill,
  float,
  formatOf,
  give,
  high,
  numberOf,
  ofZero,
  operand,
  positive,
  u64,
} from "./words.ts";

/** Of x = d 4^j, 1/4 <= d < 1, it is 2^-j / √d. */
export const rsqrt: Fill = (code, to, x) => {
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
  give(code, to, positive(to), sub(i32(1), half), inverseRootOf(shr(digits, isOdd)));
};

/** Of x = d 8^j, 1/8 <= d < 1, it is 2^j d d^(-1/3) d^(-1/3). */
export const cbrt: Fill = (code, to, x) => {
  const parts = operand(code, to, x);
  code.if(or(parts.isZero, parts.isSpecial), (then) => then.return(x));
  const { digits, exponent } = numberOf(code, to, parts);
  // 153 is a multiple of 3 that leaves nothing negative.
  const above = code.let("above", bitcast("u32", add(exponent, i32(1 + 153 + 2))));
  const third = code.let("third", binary("div", above, u32(3)));
  const d = code.let("d", shr(digits, sub(u32(2), sub(above, mul(third, u32(3))))));
  const y = code.let("y", inverseCubeRootOf(d));
  give(code, to, parts.sign, sub(asI32(third), i32(51 - 2)), high(shl(high(y, d), 1), y));
};

/** The square root of a whole number, from an estimate that is at most 1 too small. */
function wholeRoot(code: Code, n: Expr): Expr {
  const zeros = code.let("zeros", and(leadingZeros(n), u32(62)));
  const d = code.let("d", shl(n, zeros));
  const estimate = shr(high(d, inverseRootOf(d)), add(u32(30), shr(zeros, 1)));
  const root = code.let("root", estimate);
  const next = code.let("next", add(root, u64(1n)));
  return code.let("whole_root", select(binary("le", mul(next, next), n), next, root));
}
/** The squares of both in units of the greater one's; digits below them only tell that they are there. */
export const hypot: Fill = (code, to, x, y) => {
  const [a, b] = [operand(code, to, x, "x_"), operand(code, to, y, "y_")];
  code.if(or(a.isInfinite, b.isInfinite), (then) => then.return(float(to, infinity(formatOf(to)))));
  code.if(a.isNaN, (then) => then.return(x));
  code.if(b.isNaN, (then) => then.return(y));
  ofZero(code, a, float(to, b.magnitude));
  ofZero(code, b, float(to, a.magnitude));
  const isLess = code.let("less", lt(a.magnitude, b.magnitude));
  const [p, r] = [numberOf(code, to, a, "x_"), numberOf(code, to, b, "y_")];
  const large = code.let("large", shr(select(isLess, r.digits, p.digits), 33));
  const small = code.let("small", shr(select(isLess, p.digits, r.digits), 33));
  const exponent = code.let("exponent", select(isLess, r.exponent, p.exponent));
  const by = code.let("by", shl(sub(exponent, select(isLess, p.exponent, r.exponent)), 1));
  const square = code.let("square", mul(small, small));
  const moved = code.let("moved", down(square, by));
  const n = code.let("sum", add(mul(large, large), moved));
  const root = wholeRoot(code, n);
  const amount = bitcast("u32", binary("min", by, i32(63)));
  const lost = or(ne(shl(moved, amount), square), ne(mul(root, root), n));
  give(code, to, positive(to), add(exponent, i32(1)), or(shl(root, 32), cast("u64", lost)));
};
