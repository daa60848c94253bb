import { distance } from "fastest-levenshtein";

/** Longer words are not compared: the cost of the distance is the product of both lengths. */
const LONGEST = 128;

/** The known word that is most similar; undefined if none is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  const limit = Math.max(1, Math.ceil(word.length * 0.4));
  const ranked = known
    .map((candidate) => ({ candidate, far: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ far }) => far <= limit)
    .sort((a, b) => a.far - b.far);
  return ranked[0]?.candidate;
}

/** `did you mean "x"? there are: …` */
export function oneOf(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return `${near === undefined ? "" : `did you mean ${near}? `}there are: ${known.join(", ")}`;
}
