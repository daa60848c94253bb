/** Functions of OpenCL C for pipelines that ask for fast ones, with their errors in ulp (OpenCL C 3.0, 7.4, full profile). */
import { type FastRows, fastBounds, fastCalls } from "@groupwise/core/kernel";

const ULP: Readonly<Record<string, number>> = {
  ...{ exp: 3, exp2: 3, expm1: 3, log: 3, log2: 3, log1p: 2, pow: 16 },
  ...{ sin: 4, cos: 4, tan: 5, asin: 4, acos: 4, atan: 5, atan2: 6 },
  ...{ asinh: 4, acosh: 4, atanh: 5 },
  ...{ sinh: 4, cosh: 4, tanh: 5, erf: 16, cbrt: 2, rsqrt: 2, hypot: 4 },
};
const ROWS: FastRows = Object.fromEntries(Object.entries(ULP).map(([op, ulp]) => [op, [op, `${ulp} ulp`]]));

export const FAST: Readonly<Record<string, (...args: string[]) => string>> = fastCalls(ROWS);
export const FAST_BOUNDS: Readonly<Record<string, string>> = fastBounds(ROWS);
