/**
 * Polynomials through the values of a function at the Chebyshev nodes of an interval: within a small factor of the
 * best ones (Trefethen, Approximation Theory and Approximation Practice, chapters 2, 4 and 16). Fixed-point
 * numbers n / 2^p.
 */
import { circle, over, pi } from "../src/functions/digits/real.ts";

const P = 320;
const times = (a: bigint, b: bigint): bigint => (a * b) >> BigInt(P);
export const fixed = (x: number): bigint => BigInt(Math.round(x * 2 ** 40)) << BigInt(P - 40);
export const ONE = 1n << BigInt(P);

export interface Wanted {
  readonly f: (x: bigint, p: number) => bigint;
  readonly from: number;
  readonly to: number;
  readonly degree: number;
  /** Fraction bits of the coefficients. */
  readonly bits: number;
}

/** Coefficients of 1, x, x² … as whole numbers of 2^-bits. */
export function interpolated({ f, from, to, degree, bits }: Wanted): bigint[] {
  const [middle, half] = [(fixed(from) + fixed(to)) >> 1n, (fixed(to) - fixed(from)) >> 1n];
  const nodes = Array.from({ length: degree + 1 }, (_, i) => {
    const angle = (pi(P) * BigInt(2 * i + 1)) / BigInt(2 * degree + 2);
    return middle + times(half, circle(angle, P).cos);
  });
  // Newton's divided differences, then Horner's scheme on polynomials.
  const difference = nodes.map((x) => f(x, P));
  for (let order = 1; order <= degree; order++)
    for (let i = degree; i >= order; i--)
      difference[i] = over(at(difference, i) - at(difference, i - 1), at(nodes, i) - at(nodes, i - order), P);
  let sum: bigint[] = [];
  for (let i = degree; i >= 0; i--) {
    const next = [0n, ...sum];
    sum.forEach((c, k) => {
      next[k] = at(next, k) - times(c, at(nodes, i));
    });
    next[0] = at(next, 0) + at(difference, i);
    sum = next;
  }
  return sum.slice(0, degree + 1).map((c) => (c + (1n << BigInt(P - bits - 1))) >> BigInt(P - bits));
}

/** The logarithm to base 2 of the largest distance between the polynomial and the function, at so many places. */
export function distance(
  { f, from, to, bits }: Wanted,
  coefficients: readonly bigint[],
  places: number,
): number {
  let most = 0n;
  for (let i = 0; i <= places; i++) {
    const x = fixed(from) + ((fixed(to) - fixed(from)) * BigInt(2 * i + 1)) / BigInt(2 * places + 2);
    const value = coefficients.reduceRight((sum, c) => times(sum, x) + (c << BigInt(P - bits)), 0n);
    const apart = value - f(x, P);
    most = apart > most ? apart : -apart > most ? -apart : most;
  }
  return Math.log2(Number(most >> BigInt(P - 100))) - 100;
}
const at = (list: readonly bigint[], i: number): bigint => list[i] as bigint;
