/** "Did you mean" for words on the command line. */
import { nearestName } from "@groupwise/core/target";

/** The known word that is most similar; undefined if none is similar. */
export const nearest: (word: string, known: readonly string[]) => string | undefined = nearestName;

/** `did you mean x? there are: …` */
export function oneOf(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return `${near === undefined ? "" : `did you mean ${near}? `}there are: ${known.join(", ")}`;
}
