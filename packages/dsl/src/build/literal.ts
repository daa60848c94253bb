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
  throw errorOf("bad-literal", { type, got: typeof value === "symbol" ? "a symbol" : value }, at);
}
