/** Names like a mistaken one: `reduce_ad_f32` is like `reduce-add-f32`. */

/** Parts of a name, for example `scan`, `add` and `f32`. */
const partsOf = (name: string): readonly string[] => name.toLowerCase().split(/[^a-z0-9]+/);

/** The number of first characters that two names share, whatever separates their parts. */
function sharedStart(a: string, b: string): number {
  const [x, y] = [partsOf(a).join("-"), partsOf(b).join("-")];
  let length = 0;
  while (length < x.length && x[length] === y[length]) length += 1;
  return length;
}

/** Known names that share the most parts with a name, then the longest start; none that shares no part. */
export function nearNames(name: string, known: readonly string[], count: number = 5): readonly string[] {
  const parts = new Set(partsOf(name));
  return known
    .map((one) => ({
      one,
      shared: partsOf(one).filter((part) => parts.has(part)).length,
      start: sharedStart(name, one),
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || b.start - a.start)
    .slice(0, count)
    .map(({ one }) => one);
}
