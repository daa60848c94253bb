/**
 * Payne and Hanek, Radian reduction for trigonometric functions, 1983: of the product with 1 / (2 pi) only the 128
 * digits below a whole turn are computed, from those digits of 1 / (2 pi) that reach them.
 */
import { over, pi, shifted } from "@groupwise/ir/functions/digits/real.js";
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import {
  add,
  and,
  bitcast,
  cast,
  eq,
  join,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
} from "../../../language/make-expr.ts";
import { i32, or, shl, shr } from "../format.ts";
import { high, type Number64, pick, type Rounding, u64 } from "./words.ts";

/** Digits of a fraction of a turn, the upper and the lower 64. */
export interface Turn {
  readonly turn: Expr;
  readonly low: Expr;
}

/** So many zeros and the digits of 1 / (2 pi), in words. */
function turnsOf(zeros: number, words: number, width: number): readonly bigint[] {
  const p = words * width + 40;
  const all = shifted(over(1n << BigInt(p), 2n * pi(p), p), words * width - zeros - p);
  return Array.from({ length: words }, (_, i) =>
    BigInt.asUintN(width, all >> BigInt(width * (words - 1 - i))),
  );
}
/** The words moved to the left by less than one: a shift by the width would be one by 0. */
const movedBy = (words: readonly Expr[], by: Expr, width: number): Expr[] =>
  words.slice(1).map((next, j) => or(shl(words[j] as Expr, by), shr(shr(next, 1), sub(width - 1, by))));

/** As many as the greatest float and its distance to a zero ask for: 24 digits of it, and 2^-35 of a turn. */
const SINGLE_WORDS = turnsOf(24, 9, 32).map((n) => u32(Number(n)));
function ofSingle(code: Code, x: Number64, offset: Expr): Turn {
  const place = code.let("place", shr(offset, 5));
  const by = code.let("by", and(offset, 31));
  const word = (j: number): Expr =>
    [3, 2, 1, 0].reduce<Expr>(
      (rest, w) => select(eq(place, w), SINGLE_WORDS[j + w] as Expr, rest),
      SINGLE_WORDS[j + 4] as Expr,
    );
  const words = [0, 1, 2, 3, 4].map((j) => code.let(`word_${j}`, word(j)));
  const moved = movedBy(words, by, 32) as [Expr, Expr, Expr, Expr];
  const lower = code.let("lower", join("u64", [moved[3], moved[2]]));
  const digits = code.let("whole", shr(x.digits, 40));
  const product = add(mul(digits, join("u64", [moved[1], moved[0]])), high(digits, lower));
  return { turn: code.let("turn", product), low: code.let("turn_low", mul(digits, lower)) };
}

/** The same of a double: 53 digits of it, and 2^-64 of a turn. */
const DOUBLE_WORDS = turnsOf(53, 20, 64).map(u64);
function ofDouble(code: Code, x: Number64, offset: Expr): Turn {
  const place = code.let("place", shr(offset, 6));
  const by = code.let("by", and(offset, 63));
  // What follows the place is kept, by one digit of the place after the other.
  let words: readonly Expr[] = DOUBLE_WORDS;
  for (const size of [16, 8, 4, 2, 1]) {
    const isBeyond = code.let("beyond", ne(and(place, size), 0));
    words = words.slice(0, 3 + size).map((word, i) => {
      const other = words[i + size];
      return other ? code.let("word", select(isBeyond, other, word)) : word;
    });
  }
  const [first, second, third] = movedBy(words, by, 64) as [Expr, Expr, Expr];
  const digits = code.let("whole", shr(x.digits, 11));
  const middle = code.let("second", second);
  const part = code.let("part", mul(digits, middle));
  const low = code.let("turn_low", add(part, high(digits, third)));
  const upper = add(mul(digits, first), high(digits, middle));
  return { turn: code.let("turn", add(upper, cast("u64", lt(low, part)))), low };
}

/** Of a magnitude from 1/2 on. */
export const turnOf = (code: Code, to: Rounding, x: Number64): Turn =>
  pick(to, ofSingle, ofDouble)(code, x, code.let("offset", bitcast("u32", add(x.exponent, i32(1)))));
