/**
 * Emits WGSL.
 * @module
 */
import type { Target } from "@groupwise/core";
import { CAREFUL, withHalves, withVotes } from "./print/capabilities.ts";
import { print } from "./print/emit.ts";

export {
  capabilitiesOf,
  type DeviceFacts,
  type DeviceLimits,
  WGSL_CAPABILITIES,
  withHalves,
} from "./print/capabilities.ts";

/** WGSL, the language of WebGPU: one module, an entry point for each pass. */
export const wgsl: Target = {
  name: "wgsl",
  title: "WGSL",
  capabilities: CAREFUL,
  optionalTypes: { f16: withHalves },
  inWideSubgroups: withVotes,
  print,
};
