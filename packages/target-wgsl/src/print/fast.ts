/** Functions of WGSL for pipelines that ask for fast ones, with the errors that it allows (WGSL, "Accuracy of Concrete Floating Point Expressions", f32). */
import { type FastRows, fastBounds, fastCalls } from "@groupwise/core/kernel";

const INHERITED = "that of its definition by exp";
/** Bounds are those for finite operands and results. */
const ROWS: FastRows = {
  exp: ["exp", "(3 + 2 |x|) ulp"],
  exp2: ["exp2", "(3 + 2 |x|) ulp"],
  log: ["log", "3 ulp, 2^-21 for x from 0.5 to 2"],
  log2: ["log2", "3 ulp, 2^-21 for x from 0.5 to 2"],
  sin: ["sin", "2^-11 for x from -π to π, none beyond"],
  cos: ["cos", "2^-11 for x from -π to π, none beyond"],
  tan: ["tan", "that of sin x / cos x for x from -π to π, none beyond"],
  asin: ["asin", "the worse of 6.81e-5 and that of atan2(x, sqrt(1 - x²))"],
  acos: ["acos", "the worse of 6.77e-5 and that of atan2(sqrt(1 - x²), x)"],
  atan: ["atan", "4096 ulp"],
  sinh: ["sinh", INHERITED],
  cosh: ["cosh", INHERITED],
  tanh: ["tanh", "the worse of 1e-5 and that of sinh x / cosh x"],
  rsqrt: ["inverseSqrt", "2 ulp"],
  pow: ["pow", "that of exp2(y log2 x) for x > 0, none for others"],
  atan2: ["atan2", "4096 ulp for normal y and |x| from 2^-126 to 2^126, none for others"],
};

export const FAST: Readonly<Record<string, (...args: string[]) => string>> = fastCalls(ROWS);
export const FAST_BOUNDS: Readonly<Record<string, string>> = fastBounds(ROWS);
