/** The length of a hypotenuse. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  binary,
  bitcast,
  cast,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
} from "../../../language/make-expr.ts";
import { ge, i32, infinity, leadingZeros, or, shl, shr } from "../format.ts";
import { inverseRootOf } from "./series.ts";
import {
  down,
  type FillBody,
  float,
  formatOf,
  give,
  high,
  numberOf,
  ofZero,
  operand,
  pick,
  positive,
  u64,
} from "./words.ts";

/** The legs' digits and exponents, the longer one first. */
interface Legs {
  readonly large: Expr;
  readonly small: Expr;
  readonly exponent: Expr;
  readonly other: Expr;
}
/** Digits of the root, half of them, and whether others follow. */
interface Root {
  readonly root: Expr;
  readonly places: number;
  readonly lost: Expr;
  readonly exponent: Expr;
}

/** The square root of a whole number, from an estimate that is at most 1 too small. */
function wholeRoot(code: Code, n: Expr): Expr {
  const zeros = code.let("zeros", and(leadingZeros(n), 62));
  const d = code.let("d", shl(n, zeros));
  const estimate = shr(high(d, inverseRootOf(d)), add(30, shr(zeros, 1)));
  const root = code.let("root", estimate);
  const next = code.let("next", add(root, u64(1n)));
  return code.let("whole_root", select(binary("le", mul(next, next), n), next, root));
}
/** The squares of both in units of the greater one's; lower digits only set a sticky bit. */
function ofSingles(code: Code, legs: Legs): Root {
  const large = code.let("large", shr(legs.large, 33));
  const small = code.let("small", shr(legs.small, 33));
  const exponent = code.let("exponent", legs.exponent);
  const by = code.let("by", shl(sub(exponent, legs.other), 1));
  const square = code.let("square", mul(small, small));
  const moved = code.let("moved", down(square, by));
  const n = code.let("sum", add(mul(large, large), moved));
  const root = wholeRoot(code, n);
  const amount = bitcast("u32", binary("min", by, i32(63)));
  const lost = or(ne(shl(moved, amount), square), ne(mul(root, root), n));
  return { root, places: 32, lost, exponent };
}

/** The square root of a whole number of two words, 2^112 <= n < 2^115, and whether it is none. */
function wideRoot(code: Code, top: Expr, low: Expr): Pick<Root, "root" | "lost"> {
  const isWide = code.let("wide", ge(top, u64(1n << 50n)));
  const up = code.let("up", select(isWide, 12, 14));
  const d = code.let("d", or(shl(top, up), shr(low, sub(64, up))));
  // 4 units make up for the error of the root, so that it is at most 1 too small.
  const estimate = sub(high(d, inverseRootOf(d)), u64(4n));
  const root = code.let("root", shr(estimate, select(isWide, 4, 5)));
  const next = code.let("next", add(root, u64(1n)));
  const [nextTop, nextLow] = [code.let("next_top", high(next, next)), code.let("next_low", mul(next, next))];
  const isNext = or(lt(nextTop, top), and(eq(nextTop, top), binary("le", nextLow, low)));
  const whole = code.let("whole_root", select(isNext, next, root));
  return { root: whole, lost: ne(mul(whole, whole), low) };
}
/** The same of doubles, in 57 bits: a leg that is shorter by 2^-32 adds no digit. */
function ofDoubles(code: Code, legs: Legs): Root {
  const large = code.let("large", shr(legs.large, 7));
  const exponent = code.let("exponent", legs.exponent);
  const distance = code.let("distance", sub(exponent, legs.other));
  const small = code.let("small", select(ge(distance, i32(32)), u64(0n), shr(legs.small, 7)));
  const by = code.let("by", and(shl(bitcast("u32", distance), 1), 63));
  const square = code.let("square", mul(small, small));
  // A shift by 64 would be one by 0.
  const above = code.let("above", shl(shl(high(small, small), 1), sub(63, by)));
  const moved = code.let("moved", or(shr(square, by), above));
  const low = code.let("low", add(mul(large, large), moved));
  const carried = cast("u64", lt(low, moved));
  const top = code.let("top", add(add(high(large, large), shr(high(small, small), by)), carried));
  const { root, lost } = wideRoot(code, top, low);
  const isCut = or(ne(shl(moved, by), square), eq(small, u64(0n)));
  return { root, places: 6, lost: or(isCut, lost), exponent };
}

export const hypot: FillBody = (code, to, x, y) => {
  const [a, b] = [operand(code, to, x, "x_"), operand(code, to, y, "y_")];
  code.if(or(a.isInfinite, b.isInfinite), (then) => then.return(float(to, infinity(formatOf(to)))));
  code.if(a.isNaN, (then) => then.return(x));
  code.if(b.isNaN, (then) => then.return(y));
  ofZero(code, a, float(to, b.magnitude));
  ofZero(code, b, float(to, a.magnitude));
  const isLess = code.let("less", lt(a.magnitude, b.magnitude));
  const [p, r] = [numberOf(code, to, a, "x_"), numberOf(code, to, b, "y_")];
  const { root, places, lost, exponent } = pick(
    to,
    ofSingles,
    ofDoubles,
  )(code, {
    large: select(isLess, r.digits, p.digits),
    small: select(isLess, p.digits, r.digits),
    exponent: select(isLess, r.exponent, p.exponent),
    other: select(isLess, p.exponent, r.exponent),
  });
  give(code, to, positive(to), add(exponent, i32(1)), or(shl(root, places), cast("u64", lost)));
};
