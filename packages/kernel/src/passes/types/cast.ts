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
  const [source, target] = [block.form(from), block.form(to)];
  if (source === "native" && target === "native") return cast(to, value as Expr);
  // A half is an f32 for all that follows, which is exact.
  if (from === "f16") return castValueTo(block, "f32", to, cast("f32", value as Expr));
  // An f64 becomes a half in one step: rounded to an f32 before, it could come to a tie that it was not.
  if (source === "words" || target === "words" || from === "f64") return castWords(block, from, to, value);
  // To a half. Below 2^24 an f32 holds integers, and from there on both overflow to infinity.
  return rounded(to).round(cast("f32", value as Expr));
}

function castWords(block: ExprRewriter, from: Scalar, to: Scalar, value: FormValue): FormValue {
  const source = block.named(isWide(from) ? wordsOf(block, value) : value, "cast");
  const result = wideCast(block.code, from, to, source);
  if (isPair(result)) return block.form(to) === "native" ? join(to, [result.lo, result.hi]) : result;
  // Halves come as f32.
  return block.form(to) === "native" ? cast(to, result) : result;
}

/** The words of a 64-bit value in either form. */
function wordsOf(block: ExprRewriter, value: FormValue): Pair {
  if (isPair(value)) return value;
  const one = block.named(value, "cast") as Expr;
  return { lo: word(0, one), hi: word(1, one) };
}
