/**
 * Keeps the names of a document distinct from all other words of an emitted text. A printer marks every name;
 * everything else is a word of the text. A name that equals such a word, or that the language reserves, gets
 * an underscore appended. No name ends in an underscore (`ir/src/document/check.ts`), and no language has such words.
 */

import { declareConstants, withLiterals } from "./constants.ts";

// Control characters: neither comments (`commentText`) nor strings of emitted texts hold any.
const NAME = "\u0001";
const FIXED = "\u0002";

const NAMES = /*@__PURE__*/ new RegExp(`(\\w+)${NAME}`, "g");
const FIXED_WORDS = /*@__PURE__*/ new RegExp(`${FIXED}(\\w+)(?:: \\1(?=,| }))?`, "g");
/** Comments, strings, attributes, and words; a word after a dot is a member. */
const TOKENS = /*@__PURE__*/ new RegExp(
  `//.*|/\\*[^]*?\\*/|"(?:\\\\.|[^"\\\\])*"|@\\w+(?:\\([^)]*\\))?|(?<![\\w$${FIXED}]|[^.]\\.)([A-Za-z_$][\\w$]*)(${NAME}?)`,
  "g",
);

/** A name for a text that {@link spellNames} finishes. */
export const marked = (name: string): string => name + NAME;
/** The name that was marked. */
export const unmarked = (name: string): string => withLiterals(name.replaceAll(NAME, ""));

/**
 * A word that is printed unchanged and collides with no name: an entry point, or the key of a property, which
 * is shortened if its value is a variable of the same name.
 */
export const fixed = (word: string): string => FIXED + word;

/** The type of the results of a function that names them: `scan_of_lanes` has `ScanOfLanes`. */
export const structOf = (fn: string): string =>
  fn.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase());

/** The words of a text that are not names, outside comments, strings, attributes and members. */
export function wordsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, word, mark] of text.matchAll(TOKENS)) if (word !== undefined && mark === "") found.add(word);
  return found;
}

/**
 * The text with its marked names spelled, the same way everywhere.
 * @param isReserved words that the language does not allow as names, even if the text does not contain them
 * @param words the words of the text, which no name may equal
 * @param declare see {@link declareConstants}
 */
export function spellNames(
  text: string,
  isReserved: (word: string) => boolean,
  words: ReadonlySet<string> = wordsIn(text),
  declare?: (name: string, literal: string) => string,
): string {
  return declareConstants(text, declare)
    .replaceAll(NAMES, (_, name: string) => (words.has(name) || isReserved(name) ? `${name}_` : name))
    .replaceAll(FIXED_WORDS, "$1");
}
