/** Unsigned numbers of 128 bits, as two words. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, binary, bitcast, cast, lt, mul, select, sub } from "../../../language/make-expr.ts";
import { i32, leadingZeros, or, shl, shr } from "../format.ts";
import { asI32, high, type Number64, u64 } from "./words.ts";

export interface WidePair {
  readonly upper: Expr;
  readonly lower: Expr;
}
const named = (code: Code, hint: string, upper: Expr, lower: Expr): WidePair => ({
  upper: code.let(hint, upper),
  lower: code.let(`${hint}_low`, lower),
});
export const pairOf = (upper: bigint, lower: bigint): WidePair => ({ upper: u64(upper), lower: u64(lower) });

export function addPair(code: Code, a: WidePair, b: WidePair): WidePair {
  const lower = code.let("sum_low", add(a.lower, b.lower));
  return { upper: code.let("sum", add(add(a.upper, b.upper), cast("u64", lt(lower, a.lower)))), lower };
}
export const subPair = (code: Code, a: WidePair, b: WidePair): WidePair =>
  named(
    code,
    "difference",
    sub(sub(a.upper, b.upper), cast("u64", lt(a.lower, b.lower))),
    sub(a.lower, b.lower),
  );
/** @param by an i32 that is not negative; 127 means any larger shift */
export function downPair(code: Code, { upper, lower }: WidePair, by: Expr): WidePair {
  const places = code.let("places", bitcast("u32", binary("min", by, i32(127))));
  const isShort = code.let("short", lt(places, 64));
  // A shift by 64 would be one by 0.
  const carried = shl(shl(upper, 1), sub(63, places));
  return named(
    code,
    "moved",
    select(isShort, shr(upper, places), u64(0n)),
    select(isShort, or(shr(lower, places), carried), shr(upper, sub(places, 64))),
  );
}
/** The upper 128 bits of a product with a word. */
export const timesWord = (code: Code, { upper, lower }: WidePair, by: Expr): WidePair =>
  addPair(
    code,
    { upper: high(upper, by), lower: code.let("product_low", mul(upper, by)) },
    { upper: u64(0n), lower: high(lower, by) },
  );
/** Those of a product with a pair, without the product of the lower halves. */
export const timesPair = (code: Code, a: WidePair, b: WidePair): WidePair =>
  addPair(code, timesWord(code, a, b.upper), { upper: u64(0n), lower: high(a.upper, b.lower) });

/** Digits * 2^(exponent - 127). */
export interface WideNumber extends WidePair, Pick<Number64, "exponent"> {}
/** The top digit set. @param x its upper word is not 0 */
export function normalPair(code: Code, { upper, lower, exponent }: WideNumber): WideNumber {
  const zeros = code.let("zeros", leadingZeros(upper));
  const carried = shr(shr(lower, 1), sub(63, zeros));
  return {
    ...named(code, "normal", or(shl(upper, zeros), carried), shl(lower, zeros)),
    exponent: code.let("normal_power", sub(exponent, asI32(zeros))),
  };
}
