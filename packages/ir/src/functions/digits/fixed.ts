/** Fixed-point numbers in words of 64 bits as big integers: what the bodies in `kernel/src/library/functions/elementary` do. */
import type { Dyadic } from "./exact.ts";
import { ln2, over, pi, shifted } from "./real.ts";

const P = 128;
/** Of 128 fraction bits. */
export const LN2: bigint = ln2(P);
export const PI: bigint = pi(P);
export const LOG2E: bigint = over(1n << BigInt(P), LN2, P);
/** A constant of so many fraction bits. */
export const of = (n: bigint, bits: number): bigint => shifted(n, bits - P);
export const unit = (bits: number): bigint => 1n << BigInt(bits);
export const lengthOf = (n: bigint): number => (n === 0n ? 0 : n.toString(2).length);
export const word = (n: bigint): bigint => BigInt.asUintN(64, n);
export const high = (a: bigint, b: bigint): bigint => (a * b) >> 64n;
const half = (a: bigint, b: bigint): bigint => (a * b) >> 32n;
export const down = (n: bigint, by: number): bigint => n >> BigInt(Math.min(by, 63));
export const sum = (u: bigint, coefficients: readonly bigint[]): bigint =>
  coefficients.reduceRight((rest, c) => c + high(rest, u));
/** Horner's scheme on magnitudes: each coefficient outweighs what follows it. */
export function magnitude(u: bigint, coefficients: readonly bigint[]): bigint {
  const size = (c: bigint): bigint => (c < 0n ? -c : c);
  return coefficients.reduceRight<bigint>((rest, c, i) => {
    const isSame = c < 0n === (coefficients[i + 1] ?? c) < 0n;
    return isSame ? size(c) + high(rest, u) : size(c) - high(rest, u);
  }, 0n);
}

/** Digits * 2^(exponent - 63). */
export interface Digits {
  readonly digits: bigint;
  readonly exponent: number;
}
export interface SignedDigits extends Digits {
  readonly isNegative: boolean;
}
/** A function of doubles, of a magnitude that is not 0, and its sign. */
export type UnaryDouble = (x: Digits, isNegative: boolean) => SignedDigits;
/** The magnitude of a number that is not 0. */
export function digitsOf({ n, e }: Dyadic): Digits {
  const size = n < 0n ? -n : n;
  const length = lengthOf(size);
  return { digits: size << BigInt(64 - length), exponent: e + length - 1 };
}
export const normal = ({ digits, exponent }: Digits): Digits => {
  const zeros = 64 - lengthOf(digits);
  return { digits: digits << BigInt(zeros), exponent: exponent - zeros };
};

/** 2^127 / x for x >= 2^63, a few units too small. */
export function reciprocal(x: bigint): bigint {
  const top = x >> 32n;
  const first = (0xffffffffn / ((top >> 16n) + 1n)) << 15n;
  const error = BigInt.asUintN(32, -(half(first, top) << 1n));
  const second = (first - 8n + half(first, error)) << 32n;
  const rest = word(-(high(second, x) << 1n));
  return second - 3n + high(second, rest + high(rest, rest));
}

/** 1 / (2 √d), of 63 fraction bits, for d = x / 2^64 >= 1/4. */
export function inverseRoot(x: bigint): bigint {
  const top = x >> 32n;
  let y = (1411245190n - half(top, 1682537772n - half(817753277n, top))) << 1n;
  for (let i = 0; i < 3; i++) y = half(y, 3n * unit(30) - (half(half(y, y), top) << 2n)) << 1n;
  const root = (y - 64n) << 32n;
  const error = unit(62) - (high(high(root, root), x) << 2n);
  const square = high(error << 2n, error << 2n);
  return root + high(root, (error << 1n) + (square >> 2n) + (square >> 3n));
}
