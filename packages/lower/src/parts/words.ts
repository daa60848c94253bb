/** Values as 32-bit words and back, so that values of several types share one array. */

import { SCALARS, type Scalar, type WordForm } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { bitcast, cast, join, ne, word } from "@groupwise/kernel/language/make-expr.js";

interface InWords {
  /** The number of words of a type. */
  readonly count: 1 | 2;
  /** The words of a value, which is a name: it is written for each word. */
  take(value: Expr): Expr[];
  make(type: Scalar, words: readonly Expr[]): Expr;
}

const IN_WORDS: Readonly<Record<WordForm, InWords>> = {
  bits: {
    count: 1,
    take: (value) => [bitcast("u32", value)],
    make: (type, words) => bitcast(type, words[0] as Expr),
  },
  low: { count: 1, take: (value) => [word(0, value)], make: join },
  pair: { count: 2, take: (value) => [word(0, value), word(1, value)], make: join },
  truth: {
    count: 1,
    take: (value) => [cast("u32", value)],
    make: (_, words) => ne(words[0] as Expr, 0),
  },
};
const inWords = (type: Scalar): InWords => IN_WORDS[SCALARS[type].words];

/** The number of words of a value. */
export const wordCount = (type: Scalar): 1 | 2 => inWords(type).count;

/** The words of a value, which must be a name because it is repeated for each word. */
export const toWords = (value: Expr): Expr[] => inWords(value.type).take(value);

/** The values of the types, from consecutive words. */
export function fromWords(types: readonly Scalar[], words: readonly Expr[]): Expr[] {
  let next = 0;
  return types.map((type) => {
    const own = words.slice(next, next + wordCount(type));
    next += own.length;
    return inWords(type).make(type, own);
  });
}
