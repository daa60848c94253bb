import type { Literal, Scalar, ScalarValue } from "@groupwise/core";
import { decodeLiteral, encodeLiteral, errorOf, SCALARS } from "@groupwise/core/target";

/**
 * The written form of a constant. Floats are rounded to the type as a compiler rounds `0.1f`; integers must
 * be in range.
 * @throws GroupwiseError `bad-literal`
 */
export function literalOf(type: Scalar, value: unknown, at: string | undefined): Literal {
  const { kind, lowest, wrap } = SCALARS[type];
  if (typeof value === typeof lowest) {
    const host = value as ScalarValue;
    // Integers have no negative zero: -0 is 0.
    const literal = encodeLiteral(type, kind === "float" ? wrap(host) : host === 0 ? 0 : host);
    if (decodeLiteral(type, literal) !== undefined) return literal;
  }
  const got = typeof value === "symbol" ? "a symbol" : value;
  const holds = typeof value === "function" ? "what the function returns" : holdsOf(type);
  throw errorOf("bad-literal", { type, got, holds }, at);
}

/** The constants of a type, in words. */
function holdsOf(type: Scalar): string {
  const { kind, lowest, highest } = SCALARS[type];
  if (kind === "bool") return "true and false";
  if (kind === "float") return "numbers";
  const written = typeof lowest === "bigint" ? ", written as bigint, for example 5n" : "";
  return `whole numbers from ${lowest} to ${highest}${written}`;
}
