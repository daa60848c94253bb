/**
 * Functions of CUDA for pipelines that ask for fast ones, with the largest errors in ulp that any edition of the CUDA C++ Programming Guide from 11 on
 * states for the full range ("Mathematical Functions", single precision). NVIDIA found them by tests, and AMD states no bounds for HIP.
 */
import { called } from "@groupwise/core/kernel";

const ULP: Readonly<Record<string, number>> = {
  ...{ exp: 2, exp2: 2, expm1: 1, log: 1, log2: 3, log1p: 2, pow: 9 },
  ...{ sin: 2, cos: 2, tan: 4, asin: 4, acos: 3, atan: 2, atan2: 3 },
  ...{ asinh: 4, acosh: 4, atanh: 3 },
  ...{ sinh: 3, cosh: 2, tanh: 2, erf: 3, cbrt: 1, rsqrt: 2, hypot: 3 },
};
const nameOf = (op: string): string => `fast_${op}_of_f32`;

/** By the function that they replace; the names are CUDA's. */
export const FAST: Readonly<Record<string, (...args: string[]) => string>> = Object.fromEntries(
  Object.keys(ULP).map((op) => [nameOf(op), called(`${op}f`)]),
);
/** By the same: the error. */
export const FAST_BOUNDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ULP).map(([op, ulp]) => [nameOf(op), `${ulp} ulp`]),
);
