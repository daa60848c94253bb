/**
 * Values as words that become ready one by one: 16 bits of the value beside a ready bit. If all words of
 * a value are ready, the value is valid: no second state, and no order among words is needed.
 */

import { SCALARS, type Scalar, type WordForm } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, ne } from "@groupwise/kernel/language/make-expr.js";
import { fromWords, toWords } from "../../../parts/words.ts";

const HALF = 16;
const LOW = 0xffff;
const READY = 0x10000;

/** Words for a value of the type, by the form of its own words: `low` and `truth` are at most 16 bits. */
const HALVES: Readonly<Record<WordForm, number>> = { low: 1, truth: 1, bits: 2, pair: 4 };
export const halvesOf = (type: Scalar): number => HALVES[SCALARS[type].words];
const isShort = (type: Scalar): boolean => halvesOf(type) === 1;

/** The words of a value, which is a name, each ready. */
export function wordsOfValue(value: Expr): Expr[] {
  const ready = (half: Expr): Expr => binary("or", half, READY);
  return toWords(value).flatMap((all) =>
    isShort(value.type) ? [ready(all)] : [ready(binary("and", all, LOW)), ready(binary("shr", all, HALF))],
  );
}

/** The value of ready words. */
function valueOfWords(type: Scalar, words: readonly Expr[]): Expr {
  const low = (each: Expr): Expr => binary("and", each, LOW);
  const whole: Expr[] = [];
  if (isShort(type)) whole.push(low(words[0] as Expr));
  else
    for (let i = 0; i < words.length; i += 2)
      whole.push(binary("or", low(words[i] as Expr), binary("shl", words[i + 1] as Expr, HALF)));
  return fromWords([type], whole)[0] as Expr;
}

/** The values of ready words, one after the other. */
export function valuesOf(types: readonly Scalar[], words: readonly Expr[]): Expr[] {
  let at = 0;
  return types.map((type) => {
    const mine = words.slice(at, at + halvesOf(type));
    at += mine.length;
    return valueOfWords(type, mine);
  });
}

/** Whether all of the words are ready. */
export const areReady = (words: readonly Expr[]): Expr => ne(and(words.reduce(and), READY), 0);
