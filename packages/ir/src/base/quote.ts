/** Untrusted texts in messages: terminal control characters are escaped. */

/**
 * Characters that are not printed: control, format (bidirectional marks too), surrogate, unassigned and
 * line-separating characters.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** The same without the line breaks and tabs of a compiler's log. */
const UNPRINTABLE_IN_LINES = /(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu;

/** The code units of a character as JSON writes them. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");

/** The text with escapes such as `\u001b` for control characters. Line breaks remain. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE_IN_LINES, escaped);
}

/** The result of {@link printable}, on one line. */
export function printableLine(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** Any value as a text of `length` characters at most, quoted and safe to print. */
export function quoted(value: unknown, length: number = 80): string {
  return printableLine(JSON.stringify(textOf(value).slice(0, length)));
}

/** A value in a message; `String` throws for objects without prototype. */
export function textOf(value: unknown): string {
  const kind = typeof value;
  if (kind === "function" || kind === "symbol") return `a ${kind}`;
  if (kind !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  return Array.isArray(value) ? "a list" : "an object";
}
