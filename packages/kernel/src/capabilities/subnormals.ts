/** Subnormal numbers in languages that let a device flush them. */
import type { Capabilities } from "./capabilities.ts";

/**
 * How sums, differences and products treat subnormal f32. `exact`: functions compute what a device may flush; `kept`: the device's own operations
 * do, of a device that keeps them as a test has shown; `flush`: the device's own operations, whether it keeps them or not.
 */
export type Subnormals = "exact" | "kept" | "flush";

/** The capabilities for results that may depend on whether the device flushes; unchanged if the language keeps subnormal numbers. */
export const allowingFlush = (capabilities: Capabilities): Capabilities =>
  capabilities.subnormals ? { ...capabilities, subnormals: "flush" } : capabilities;
