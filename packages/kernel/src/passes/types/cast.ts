/** Casts between types of which at least one is emulated. */

import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "../../language/expr.ts";
import { cast, join, word } from "../../language/make-expr.ts";
import type { Pair } from "../../library/types/base/pair.ts";
import { isWide, wideCast } from "../../library/types/wide.ts";
import { rounded } from "./forms.ts";
import type { ExprRewriter } from "./rewrite-expr.ts";
import { type FormValue, isPair } from "./rewritten.ts";

/** Converts a value in the form of `from` to `to` in its own form. */
export function castValueTo(block: ExprRewriter, from: Scalar, to: Scalar, value: FormValue): FormValue {
  if (from === to) return value;
  const [source, target] = [block.form(from), block.form(to)];
  if (source === "native" && target === "native") return cast(to, value as Expr);
  // A half is an f32 for all that follows, which is exact.
  if (from === "f16")
    return castValueTo(block, "f32", to, source === "native" ? cast("f32", value as Expr) : value);
  // An f64 becomes a half in one step: rounded to an f32 before, it could come to a tie that it was not.
  const inWords = source === "words" || target === "words" || (from === "f64" && to === "f16");
  if (inWords) return castWords(block, from, to, value);
  if (to !== "f16") return cast(to, value as Expr);
  // Integers: below 2^24 an f32 holds them, and from there on both overflow to infinity.
  const single = cast("f32", value as Expr);
  return target === "rounded" ? rounded(to).round(single) : cast(to, single);
}

function castWords(block: ExprRewriter, from: Scalar, to: Scalar, value: FormValue): FormValue {
  const source = block.named(isWide(from) ? wordsOf(block, value) : value, "cast");
  const result = wideCast(block.code, from, to, source);
  if (isPair(result)) return block.form(to) === "native" ? join(to, [result.lo, result.hi]) : result;
  // Halves come as f32.
  return to === "f16" && block.form(to) === "native" ? cast(to, result) : result;
}

/** The words of a 64-bit value in either form. */
function wordsOf(block: ExprRewriter, value: FormValue): Pair {
  if (isPair(value)) return value;
  const one = block.named(value, "cast") as Expr;
  return { lo: word(0, one), hi: word(1, one) };
}
