/** Names that a document does not have yet. */

/** Leaves room for a suffix within the 64 characters of a name. */
const LONGEST = 40;

/** Makes names from those of a document: `price` and `bits` give `price_bits`, or `price_bits_2`. */
export function namer(taken: Iterable<string>): (name: string, suffix: string) => string {
  const names = new Set(taken);
  return (name, suffix) => {
    const stem = `${name.slice(0, LONGEST).replace(/_+$/, "")}_${suffix}`;
    let made = stem;
    for (let number = 2; names.has(made); number++) made = `${stem}_${number}`;
    names.add(made);
    return made;
  };
}
