/** Operators that are not associative, whose results show which values of 32 lanes are combined and in what order; and what they must be. */
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Monoid } from "../src/parts/monoid.ts";

export const LANES = 32;
type Operator = (a: number, b: number) => number;
/** Not commutative either. */
export const both: Operator = (a, b) => (Math.imul(a, 3) + Math.imul(b, 5) + 7) >>> 0;
export const odd: Operator = (a, b) => (Math.imul(a, 3) + Math.imul(b, 3) + 7) >>> 0;
export const monoidOf = (commutative: boolean): Monoid => ({
  types: ["u32"],
  identity: [u32(0)],
  combine: (_, [a], [b]) => [
    add(add(mul(a as Expr, u32(3)), mul(b as Expr, u32(commutative ? 3 : 5))), u32(7)),
  ],
  reassociable: false,
  commutative,
  isRecord: false,
});

/** Of a power of two of values, halves first. */
export const total = (x: readonly number[], op: Operator): number =>
  x.length === 1
    ? (x[0] as number)
    : op(total(x.slice(0, x.length / 2), op), total(x.slice(x.length / 2), op));
/** The prefix before a lane: the seed, and the blocks of the bits of its number, the largest first. */
export function before(x: readonly number[], lane: number, seed: number | undefined, op: Operator) {
  let sum = seed;
  for (let size = LANES / 2, from = 0; size >= 1; size /= 2) {
    if ((lane & size) === 0) continue;
    const block = total(x.slice(from, from + size), op);
    sum = sum === undefined ? block : op(sum, block);
    from += size;
  }
  return sum;
}
