/** Text from documents, files and arguments, as it may go to a terminal. */

/** Controls, format characters such as those that turn the direction, line separators and halves of surrogate pairs. */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes what a terminal would obey, and what nobody sees, as `\u009b`, as JSON does; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) =>
    // Those above U+FFFF are two units: JSON has no other way to write them.
    [...Array(character.length).keys()]
      .map((i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
