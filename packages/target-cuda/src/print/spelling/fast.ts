/**
 * Functions of CUDA for pipelines that ask for fast ones, with the largest error that NVIDIA states for the full range in any edition from CUDA 11 on:
 * CUDA C++ Programming Guide, "Mathematical Functions", of CUDA 11 (2022, table 7) and 12 (table 17), and CUDA Programming Guide of CUDA 13 (2026,
 * 5.5.7 and 5.5.8). `pow` has 9, 4 and 4 ulp there, `asin` 4, 2 and 2, `acos` 3, 2 and 2; the others are the same in all. NVIDIA found them by tests, and
 * counts from the correctly rounded result: up to half an ulp more from the exact one. For HIP, "HIP math API" (ROCm 7) has differences in ranges that
 * AMD tested, of which `log` 2, `cbrt` 2 and `erf` 4 are larger.
 */
import { type FastRows, fastBounds, fastCalls } from "@groupwise/core/kernel";

const ULP: Readonly<Record<string, number>> = {
  ...{ exp: 2, exp2: 2, expm1: 1, log: 1, log2: 1, log1p: 1, pow: 9 },
  ...{ sin: 2, cos: 2, tan: 4, asin: 4, acos: 3, atan: 2, atan2: 3 },
  ...{ asinh: 3, acosh: 4, atanh: 3 },
  ...{ sinh: 3, cosh: 2, tanh: 2, erf: 2, cbrt: 1, rsqrt: 2, hypot: 3 },
};
const ROWS: FastRows = Object.fromEntries(
  Object.entries(ULP).map(([op, ulp]) => [op, [`${op}f`, `${ulp} ulp from the nearest float`]]),
);

export const FAST: Readonly<Record<string, (...args: string[]) => string>> = fastCalls(ROWS);
export const FAST_BOUNDS: Readonly<Record<string, string>> = fastBounds(ROWS);
