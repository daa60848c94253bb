/** The digits of doubles on two words: shifted down without losing what rounding needs, and their leading zeros. */
import type { Code } from "../../../language/build.ts";
import type { Expr } from "../../../language/expr.ts";
import { add, and, binary, call, cast, mul, ne, select, sub } from "../../../language/make-expr.ts";
import type { Fn } from "../../../language/module.ts";
import { bitsOf, define } from "../base/define.ts";
import { callPair, not, or, type Pair, shl, shr } from "../base/pair.ts";

const SHR_STICKY: Fn = define("shr_sticky_u64", {
  doc: "The words shifted right by any amount; the lowest bit of the result is 1 if any bit shifted out was 1 (sticky).",
  params: ["lo", "hi", "amount"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [lo, hi, amount] = args as [Expr, Expr, Expr];
    const by = code.let("by", binary("min", amount, 63));
    code.comment("1 if the low word is shifted out: GPUs have units for products beside those for choices");
    const far = code.let("far", shr(by, 5));
    const above = code.let("above", sub(hi, mul(far, hi)));
    const below = code.let("below", add(lo, mul(far, sub(hi, lo))));
    const down = code.let("down", and(by, 31));
    // Shifts to the left are products, and one by 32 is a product with 2^31 + 2^31, which is 0.
    const unit = code.let("unit", shl(1, sub(31, down)));
    // With the lowest bit that is kept, which sets itself.
    const lost = or(mul(below, unit), mul(lo, far));
    const kept = add(mul(above, add(unit, unit)), shr(below, down));
    code.return(or(kept, binary("min", lost, 1)), shr(above, down));
  },
  width: 2,
});
/** See the function's own line. */
export const shrSticky = (code: Code, hint: string, a: Pair, by: Expr): Pair =>
  callPair(code, hint, SHR_STICKY, [a.lo, a.hi, by]);

/** 127 and the place of the highest 1 of a word below 2^24, which a float represents; 0 for 0. */
export const exponentOf24 = (word: Expr): Expr => shr(bitsOf(cast("f32", word)), 23);
/** The same of any word: without the bit below the highest 1, no direction of rounding gives the next power of two. */
const exponentOfWord = (word: Expr): Expr => exponentOf24(and(word, not(shr(word, 1))));

const LEADING_ZEROS: Fn = define("leading_zeros_u64", {
  doc: "Zero bits above the highest 1 of both words, from the exponent of a float; more than 64 for zero.",
  params: ["lo", "hi"],
  type: "u32",
  returns: "u32",
  body: (code, args) => {
    const [lo, hi] = args as [Expr, Expr];
    const inHigh = code.let("in_high", ne(hi, 0));
    const word = code.let("word", select(inHigh, hi, lo));
    code.return(sub(select(inHigh, 127 + 31, 127 + 63), exponentOfWord(word)));
  },
});
/** Zero bits above the highest 1; more than 64 for zero. Languages without an instruction for it count in twenty steps. */
export const leadingZeros = ({ lo, hi }: Pair): Expr => call(LEADING_ZEROS.name, "u32", [lo, hi]);

/** Callees before callers. */
export const DIGIT_FUNCTIONS: readonly Fn[] = [SHR_STICKY, LEADING_ZEROS];
