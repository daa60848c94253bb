/** Names like a mistaken one: `reduce_ad_f32` is like `reduce-add-f32`. */
import { errorOf, type GroupwiseError } from "./errors.ts";

/** Parts of a name, for example `scan`, `add` and `f32`. */
const partsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]+/);

/** The number of first characters that two names share, whatever separates their parts. */
function sharedStart(a: string, b: string): number {
  const [x, y] = [partsOf(a).join("-"), partsOf(b).join("-")];
  let length = 0;
  while (length < x.length && x[length] === y[length]) length += 1;
  return length;
}

/** Names that an error prints at most, where some are like the one that was meant. */
const SHOWN = 5;

/** Known names that share the most parts with a name, then the longest start; none that shares no part. */
function nearNames(name: string, known: readonly string[]): readonly string[] {
  const parts = new Set(partsOf(name));
  return known
    .map((one) => ({
      one,
      shared: partsOf(one).filter((part) => parts.has(part)).length,
      start: sharedStart(name, one),
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || b.start - a.start)
    .slice(0, SHOWN)
    .map(({ one }) => one);
}

/** Longer names are not compared: the cost is the product of both lengths. */
const LONGEST = 128;

/** The least number of characters that an abbreviation has. */
const LEAST = 3;

/** The number of characters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] as number) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** The known name that is most like a mistaken one, or that it abbreviates; undefined if none is. A name of one letter is like no other. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const given = name.toLowerCase();
  const limit = Math.max(1, Math.ceil(name.length * 0.4));
  const [nearest] = known
    .map((one) => ({ one, far: distance(given, one.toLowerCase()) }))
    .filter(({ one, far }) => far <= limit && far < Math.min(name.length, one.length))
    .sort((a, b) => a.far - b.far);
  if (nearest || name.length < LEAST) return nearest?.one;
  return known.find((one) => one.toLowerCase().startsWith(given));
}

/** `did you mean "descending"? there are: …` @param what what the names are, for example "known options" */
export function choiceOf(name: string, known: readonly string[], what: string = "there are"): string {
  const near = nearestName(name, known);
  const list = known.length > 0 ? `${what}: ${known.join(", ")}` : "there is none";
  return near === undefined ? list : `did you mean ${JSON.stringify(near)}? ${list}`;
}

/**
 * The error for a function that does not exist: with the names like it, or else with all.
 * @param list the call that returns all names
 */
export function unknownFunction(name: string, known: readonly string[], list: string): GroupwiseError {
  const near = nearNames(name, known);
  const isShort = near.length > 0 && known.length > near.length;
  const rest = `, and ${known.length - near.length} others, which ${list} returns`;
  return errorOf("unknown-function", isShort ? { name, known: near, rest } : { name, known });
}
