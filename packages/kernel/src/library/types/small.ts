/** Which f32 are large enough for sums and products of a device that flushes subnormal numbers. */
import type { Expr } from "../../language/expr.ts";
import { binary, sub, u32 } from "../../language/make-expr.ts";
import { bitsOf } from "./base/define.ts";

/** Floats of at least 2^-102 are multiples of 2^-125, and so are rounded sums of such floats and zeros: none is subnormal. */
export const LEAST_OF_SUMS = -102;
/** The product of two floats of at least 2^-51 is at least 2^-102. */
export const LEAST_OF_PRODUCTS = -51;

/** Twice the bits of the magnitude, less one: a zero is the largest. */
const sizeOf = (value: Expr): Expr => sub(binary("shl", bitsOf(value), 1), 1);
/** The sizes of those values that are f32. */
export const sizesOf = (values: readonly Expr[]): Expr[] =>
  values.filter(({ type }) => type === "f32").map(sizeOf);
/** The size of a power of two. */
export const sizeOfPower = (exponent: number): number => 2 * ((exponent + 127) << 23) - 1;
export const LARGEST_SIZE: Expr = u32(0xffffffff);
export const smallestOf = (sizes: readonly Expr[]): Expr =>
  sizes.length === 0 ? LARGEST_SIZE : sizes.reduce((a, b) => binary("min", a, b));
