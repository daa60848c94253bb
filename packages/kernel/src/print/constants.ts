/** Constants of a module, which name what its functions and kernels would repeat as digits: sizes, and patterns of bits of floats. */
import type { ConstExpr } from "../language/expr.ts";

/** Of the highest word of a float; those of f64 are of its high word. */
const NAMES: ReadonlyMap<unknown, string> = /*@__PURE__*/ new Map([
  [0x80000000, "SIGN_BIT"],
  [0x7fffffff, "MAGNITUDE_BITS"],
  [0x007fffff, "FRACTION_F32"],
  [0x00800000, "SMALLEST_NORMAL_F32"],
  [0x7f800000, "INFINITY_F32"],
  [0x00100000, "SMALLEST_NORMAL_F64"],
  [0x7ff00000, "INFINITY_F64"],
]);

// Control characters, as in `names.ts`.
const MARK = "\u0003";
const CONSTANT = /*@__PURE__*/ new RegExp(`${MARK}(\\w+):(\\w+)${MARK}`, "g");
/** Where declarations go, as a line of its own. */
export const CONSTANTS_HERE = "\u0004";

/** A literal, which {@link declareConstants} may replace by a name. */
export const namedAs = (name: string, literal: string): string =>
  /^\w+$/.test(literal) ? `${MARK}${name}:${literal}${MARK}` : literal;

/** The literal of a constant of a function, which {@link declareConstants} may replace by a name. */
export function namedLiteral({ value }: ConstExpr, literal: string): string {
  const name = NAMES.get(Number(value));
  return name === undefined ? literal : namedAs(name, literal);
}

/** The text with its literals. */
export const withLiterals = (text: string): string =>
  text.includes(MARK) ? text.replaceAll(CONSTANT, "$2") : text;

/**
 * The text with a constant for each pattern that it has several times.
 * @param declare spells a declaration; absent: the text has literals only
 */
export function declareConstants(text: string, declare?: (name: string, literal: string) => string): string {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  for (const [token, name = "", literal = ""] of text.matchAll(CONSTANT)) {
    if (declare && seen.has(token) && !names.has(name)) names.set(name, literal);
    seen.add(token);
  }
  const lines = [...names].map(([name, literal]) => `\n${declare?.(name, literal)}`).join("");
  return text
    .replaceAll(CONSTANT, (_, name: string, literal: string) =>
      names.get(name) === literal ? name : literal,
    )
    .replace(`${CONSTANTS_HERE}\n`, lines && `${lines}\n`);
}
