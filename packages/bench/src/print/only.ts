/** The choice of names by the words of options such as `--only`. */

/** Whether a name contains one of the words; true if there are no words. */
export const isChosen = (name: string, words: readonly string[]): boolean =>
  words.length === 0 || words.some((word) => name.includes(word));

/** The same, without regard to case. */
export const isChosenInAnyCase = (name: string, words: readonly string[]): boolean =>
  isChosen(
    name.toLowerCase(),
    words.map((word) => word.toLowerCase()),
  );
