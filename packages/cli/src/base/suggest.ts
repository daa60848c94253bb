import { distance } from "fastest-levenshtein";

/** Longer words resemble no name, and the cost of the distance is the product of both lengths. */
const LONGEST = 128;

/** The known word that was probably meant; undefined where none is near. */
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
