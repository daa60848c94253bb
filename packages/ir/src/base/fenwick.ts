/** The order in which values combine, as in the reference. */

/** The lowest set bit of m. */
const low = (m: number): number => m & -m;

/** P(1) … P(n) of docs/decisions/float-order.md: all prefixes in the Fenwick order. */
export function prefixes<T>(x: readonly T[], op: (a: T, b: T) => T): T[] {
  const P: T[] = [];
  /** By m: T of the block of low(m) values that ends at m. */
  const blocks: T[] = [];
  for (let m = 1; m <= x.length; m++) {
    // The halves, from the shortest on: each first half is the block of an earlier m.
    let block = x[m - 1] as T;
    for (let size = 1; size < low(m); size *= 2) block = op(blocks[m - size] as T, block);
    blocks[m] = block;
    P[m] = m === low(m) ? block : op(P[m - low(m)] as T, block);
  }
  return P.slice(1);
}
