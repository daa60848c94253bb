/** Conversions between f32 and half by a device. */
import type { Capabilities } from "./capabilities.ts";

/**
 * The forms in which a device's conversions are exact: to the nearest half, ties to even, with infinity from 65520 on, subnormal halves in
 * both directions, the signs of zeros and infinities, and a NaN as a NaN; to f32 exactly. `apart`: only if the bits of the half are changed between
 * two conversions that a compiler could otherwise take for one that undoes the other.
 */
export type HalfConversions = "exact" | "apart";

/** Those that cost less come first. */
export const HALF_FORMS: readonly HalfConversions[] = ["exact", "apart"];

/** The form of a device for halves that are emulated; undefined if it has none. */
export const halfFormOf = ({
  halfConversions,
  scalars,
}: Pick<Capabilities, "halfConversions" | "scalars">): HalfConversions | undefined =>
  scalars.f16 === "emulated" ? halfConversions : undefined;

/** The capabilities with conversions in a form, or in none. */
export function withHalfConversions(
  { halfConversions: _, ...others }: Capabilities,
  form: HalfConversions | undefined,
): Capabilities {
  return form === undefined ? others : { ...others, halfConversions: form };
}

/** The requirement of manifests of files that convert halves by the device. */
export const HALF_REQUIREMENTS: Readonly<Record<HalfConversions, string>> = {
  exact: "exact-half-conversions",
  apart: "exact-half-conversions-apart",
};
