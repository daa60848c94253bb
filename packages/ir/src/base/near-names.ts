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
