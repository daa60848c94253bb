/** The order of combining of the semantics, over plain lists: shares nothing with the lowerings. */

/** P(0) … P(m) of the items: P(m) = P(m - low(m)) op T(the last low(m) items). */
export function prefixes<T>(items: readonly T[], identity: T, op: (a: T, b: T) => T): T[] {
  const block = (from: number, size: number): T =>
    size === 1 ? (items[from] as T) : op(block(from, size / 2), block(from + size / 2, size / 2));
  const made = [identity];
  for (let m = 1; m <= items.length; m++) {
    const low = m & -m;
    const last = block(m - low, low);
    made.push(m === low ? last : op(made[m - low] as T, last));
  }
  return made;
}
