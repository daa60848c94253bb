/** The order in which floats combine, as the reference does it. */
import type { ScalarValue } from "./scalar.ts";

/** The lowest set bit of m. */
const low = (m: number): number => m & -m;

/** T of semantics.md: the total of an aligned power-of-two block, halves first. */
function blockTotal(
  x: readonly ScalarValue[],
  from: number,
  size: number,
  op: (a: ScalarValue, b: ScalarValue) => ScalarValue,
): ScalarValue {
  if (size === 1) return x[from] as ScalarValue;
  const half = size / 2;
  return op(blockTotal(x, from, half, op), blockTotal(x, from + half, half, op));
}

/** P(1) … P(n) of semantics.md: all prefixes in the Fenwick order. */
export function prefixes(
  x: readonly ScalarValue[],
  op: (a: ScalarValue, b: ScalarValue) => ScalarValue,
): ScalarValue[] {
  const P: ScalarValue[] = [];
  for (let m = 1; m <= x.length; m++) {
    const block = blockTotal(x, m - low(m), low(m), op);
    P[m] = m === low(m) ? block : op(P[m - low(m)] as ScalarValue, block);
  }
  return P.slice(1);
}
