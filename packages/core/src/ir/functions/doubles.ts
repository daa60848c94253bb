/** The meaning of elementary functions of f64: an algorithm each, within 0.52 ulp. */
import type { UnaryDouble } from "./digits/fixed.ts";
import { erf } from "./double/error.ts";
import { DOUBLE_LOGARITHMS } from "./double/logarithms.ts";
import { DOUBLE_POWERS } from "./double/powers.ts";
import type { UnaryElementary } from "./spec.ts";

/** A function that is not here is refused on f64. */
export const DOUBLES: Readonly<Partial<Record<UnaryElementary, UnaryDouble>>> = {
  ...DOUBLE_POWERS,
  ...DOUBLE_LOGARITHMS,
  erf,
};
