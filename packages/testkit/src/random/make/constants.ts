/** Constants for which compilers may rewrite sums and products. */
import type { Literal } from "@groupwise/core";
import { encodeLiteral, SCALARS } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

export type Float = "f16" | "f32" | "f64";

const COMMON = [0, -0, 1, -1, 2, -2, 3, -3, 0.5, 4, 1 / 3, 10, 0.1, 256, 1024, 1 / 1024];
const OWN: Readonly<Record<Float, readonly number[]>> = {
  // The number that rounds to integers when it is added and subtracted, the least normal number, the greatest number.
  f16: [1536, 2 ** -14, 65504, 2 ** -10, 2 ** 11],
  f32: [12582912, 2 ** -126, (2 - 2 ** -23) * 2 ** 127, 2 ** -23, 2 ** 24, 2 ** 64, 1e10],
  f64: [6755399441055744, 2 ** -1022, Number.MAX_VALUE, 2 ** -52, 2 ** 53, 12582912, 2 ** 500],
};
const RARE = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];

/** One of them, as a document has it. */
export function temptingConstant(type: Float, random: Random): Literal {
  const list = random.chance(0.06) ? RARE : random.chance(0.3) ? OWN[type] : COMMON;
  return encodeLiteral(type, SCALARS[type].wrap(random.pick(list)));
}

/** The element types that are floats. */
export const FLOAT_TYPES: readonly Float[] = ["f16", "f32", "f64"];
