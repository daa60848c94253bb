/** The functions that `ir/src/functions/digits/coefficients.ts` approximates, each with its interval. */
import { angle, circle, erf, exp, log, over, shifted, wholeRoot } from "../src/functions/digits/real.ts";
import type { Wanted } from "./interpolation.ts";

const unit = (p: number): bigint => 1n << BigInt(p);
type Real = (x: bigint, p: number) => bigint;
const ofRoot =
  (f: Real): Real =>
  (u, p) =>
    f(wholeRoot(u << BigInt(p), 2n), p);
/** f(√u) / √u. */
const part = (f: Real): Real => ofRoot((z, p) => over(f(z, p), z, p));
const expm1: Real = (x, p) => {
  const { n, e } = exp(x, p);
  return shifted(n, e) - unit(p);
};
const atanh: Real = (z, p) => log(over(unit(p) + z, unit(p) - z, p), p) >> 1n;
const erfAround =
  (twice: bigint): Real =>
  (t, p) =>
    erf(t + ((twice * unit(p)) >> 1n), p);

/** The interval of the exponential is not symmetric, so that 0 is no node. */
export const SERIES = {
  EXP: { f: (x, p) => over(expm1(x, p), x, p), from: -0.34675, to: 0.34674, degree: 12, bits: 62 },
  LOG: { f: part(atanh), from: 0, to: 0.0296, degree: 8, bits: 63 },
  LOG_REST: {
    f: (u, p) => over(part(atanh)(u << 64n, p + 64) - unit(p + 64), u << 64n, p),
    from: 0,
    to: 0.0296,
    degree: 9,
    bits: 64,
  },
  SIN: { f: part((x, p) => circle(x, p).sin), from: 0, to: 0.617, degree: 7, bits: 63 },
  COS: { f: ofRoot((x, p) => circle(x, p).cos), from: 0, to: 0.617, degree: 8, bits: 63 },
  ATAN: { f: part((x, p) => angle(x, unit(p), p)), from: 0, to: 0.0397, degree: 8, bits: 63 },
  ERF_SMALL: { f: part(erf), from: 0, to: 1, degree: 14, bits: 62 },
  ERF_1: { f: erfAround(3n), from: -0.5, to: 0.5, degree: 21, bits: 62 },
  ERF_2: { f: erfAround(5n), from: -0.5, to: 0.5, degree: 21, bits: 62 },
  ERF_3: { f: erfAround(7n), from: -0.5, to: 0.5, degree: 21, bits: 62 },
  ERF_4: { f: erfAround(9n), from: -0.5, to: 0.5, degree: 18, bits: 62 },
  ERF_5: { f: erfAround(11n), from: -0.5, to: 0.5, degree: 18, bits: 62 },
} satisfies Readonly<Record<string, Wanted>>;
