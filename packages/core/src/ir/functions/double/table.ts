/** The meaning of elementary functions of f64: an algorithm each, within 0.51 ulp. */
import type { Digits, SignedDigits } from "../fixed.ts";
import type { UnaryElementary } from "../spec.ts";
import { DOUBLE_ANGLES } from "./angles.ts";
import { DOUBLE_CIRCLE } from "./circle.ts";
import { erf } from "./error.ts";
import { DOUBLE_LOGARITHMS } from "./logarithms.ts";
import { DOUBLE_POWERS } from "./powers.ts";

/** Of a magnitude that is not 0, and its sign. */
export type UnaryDouble = (x: Digits, isNegative: boolean) => SignedDigits;

/** Roots have the nearest double: their bodies compare with the exact result. */
export const NEAREST_DOUBLES: readonly UnaryElementary[] = ["cbrt", "rsqrt"];
/** A function that is in neither list is refused on f64. */
export const DOUBLES: Readonly<Partial<Record<UnaryElementary, UnaryDouble>>> = {
  ...DOUBLE_POWERS,
  ...DOUBLE_CIRCLE,
  ...DOUBLE_ANGLES,
  ...DOUBLE_LOGARITHMS,
  erf,
};
