/** The meaning of elementary functions of f64: an algorithm each, within 0.52 ulp. */
import type { Digits, SignedDigits } from "../fixed.ts";
import type { UnaryElementary } from "../spec.ts";
import { erf } from "./error.ts";
import { DOUBLE_LOGARITHMS } from "./logarithms.ts";
import { DOUBLE_POWERS } from "./powers.ts";

/** Of a magnitude that is not 0, and its sign. */
export type UnaryDouble = (x: Digits, isNegative: boolean) => SignedDigits;

/** A function that is not here is refused on f64. */
export const DOUBLES: Readonly<Partial<Record<UnaryElementary, UnaryDouble>>> = {
  ...DOUBLE_POWERS,
  ...DOUBLE_LOGARITHMS,
  erf,
};
