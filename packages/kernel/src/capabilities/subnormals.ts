/** Subnormal numbers in languages that let a device flush them. */
import type { Capabilities } from "./capabilities.ts";

/**
 * How sums, differences and products treat subnormal f32. `exact`: functions compute what a device may flush; `kept`: the device's own operations
 * do, of a device that keeps them as a test has shown; `flush`: the device's own operations, whether it keeps them or not.
 */
export type Subnormals = "exact" | "kept" | "flush";

/** The requirements of manifests of files that rely on a device that keeps subnormal numbers, by the type. */
export const SUBNORMAL_REQUIREMENTS = { f32: "kept-subnormals-f32", f16: "kept-subnormals-f16" } as const;
/** A type whose subnormal numbers files may rely on. */
export type ShortFloat = keyof typeof SUBNORMAL_REQUIREMENTS;

/** The capabilities for results that may depend on whether the device flushes; unchanged if the language keeps subnormal numbers. */
export const allowingFlush = (capabilities: Capabilities): Capabilities =>
  capabilities.subnormals ? { ...capabilities, subnormals: "flush" } : capabilities;

/**
 * The capabilities of a device that flushes subnormal numbers of these types: halves are computed in f32, where none is subnormal, and those of f32 by
 * functions.
 */
export function flushing(capabilities: Capabilities, types: readonly ShortFloat[]): Capabilities {
  const { scalars } = capabilities;
  return {
    ...capabilities,
    ...(types.includes("f32") && { subnormals: "exact" }),
    ...(types.includes("f16") && { scalars: { ...scalars, f16: "emulated" } }),
  };
}
