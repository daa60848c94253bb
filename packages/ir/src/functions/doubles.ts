/** The meaning of elementary functions of f64: an algorithm each, within 0.52 ulp. */
import type { UnaryDouble } from "./digits/fixed.ts";
import { DOUBLE_ANGLES } from "./double/angles.ts";
import { DOUBLE_AREAS } from "./double/areas.ts";
import { DOUBLE_CIRCLE } from "./double/circle.ts";
import { erf } from "./double/error.ts";
import { DOUBLE_LOGARITHMS } from "./double/logarithms.ts";
import { DOUBLE_POWERS } from "./double/powers.ts";
import type { UnaryElementary } from "./spec.ts";

/** Roots have the nearest double: their bodies compare with the exact result. */
export const NEAREST_DOUBLES: readonly UnaryElementary[] = ["cbrt", "rsqrt"];
/** A function that is in neither list is refused on f64. */
export const DOUBLES: Readonly<Partial<Record<UnaryElementary, UnaryDouble>>> = {
  ...DOUBLE_POWERS,
  ...DOUBLE_CIRCLE,
  ...DOUBLE_ANGLES,
  ...DOUBLE_AREAS,
  ...DOUBLE_LOGARITHMS,
  erf,
};
