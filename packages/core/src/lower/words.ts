/** Values as 32-bit words and back, so that values of several types share one array. */
import { bitcast, cast, type Expr, join, ne, u32, word } from "../kernel/expr.ts";
import { SCALARS, type Scalar } from "../scalar.ts";

/** How many words a value takes. */
export const wordCount = (type: Scalar): 1 | 2 => (SCALARS[type].bits === 64 ? 2 : 1);

/** The words of a value, which is a name: it is written for each word. */
export function toWords(value: Expr): Expr[] {
  const { bits, kind } = SCALARS[value.type];
  if (bits === 64) return [word(0, value), word(1, value)];
  if (bits === 16) return [word(0, value)];
  return [kind === "bool" ? cast("u32", value) : bitcast("u32", value)];
}

/** The values of the types, out of their words one after the other. */
export function fromWords(types: readonly Scalar[], words: readonly Expr[]): Expr[] {
  let next = 0;
  return types.map((type) => {
    const own = words.slice(next, next + wordCount(type));
    next += own.length;
    const { bits, kind } = SCALARS[type];
    if (bits === 64 || bits === 16) return join(type, own);
    return kind === "bool" ? ne(own[0] as Expr, u32(0)) : bitcast(type, own[0] as Expr);
  });
}
