/** The order in which values combine, as in the reference. */

/** The lowest set bit of m. */
const low = (m: number): number => m & -m;

/** T of docs/decisions/float-order.md: the aggregate of an aligned power-of-two block, halves first. */
function blockTotal<T>(x: readonly T[], from: number, size: number, op: (a: T, b: T) => T): T {
  if (size === 1) return x[from] as T;
  const half = size / 2;
  return op(blockTotal(x, from, half, op), blockTotal(x, from + half, half, op));
}

/** P(1) … P(n) of docs/decisions/float-order.md: all prefixes in the Fenwick order. */
export function prefixes<T>(x: readonly T[], op: (a: T, b: T) => T): T[] {
  const P: T[] = [];
  for (let m = 1; m <= x.length; m++) {
    const block = blockTotal(x, m - low(m), low(m), op);
    P[m] = m === low(m) ? block : op(P[m - low(m)] as T, block);
  }
  return P.slice(1);
}
