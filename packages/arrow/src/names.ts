/** Names that a document does not have yet. */
import { Names } from "@groupwise/core/kernel";

/** Leaves room for a suffix within the 64 characters of a name. */
const LONGEST = 40;

/** Makes names from those of a document: `price` and `bits` give `price_bits`, or `price_bits_2`. */
export function namer(taken: Iterable<string>): (name: string, suffix: string) => string {
  const names = new Names(taken);
  return (name, suffix) => names.fresh(`${name.slice(0, LONGEST).replace(/_+$/, "")}_${suffix}`);
}
