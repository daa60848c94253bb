/**
 * Emits WGSL.
 * @module
 */
import type { Target } from "@groupwise/core";
import { WGSL_CAPABILITIES, withHalves, withVotes } from "./capabilities.ts";
import { print } from "./emit.ts";

export {
  capabilitiesOf,
  type DeviceFacts,
  type DeviceLimits,
  WGSL_CAPABILITIES,
  withHalves,
} from "./capabilities.ts";

/** WGSL, the language of WebGPU: one module, an entry point for each pass. */
export const wgsl: Target = {
  name: "wgsl",
  title: "WGSL",
  capabilities: WGSL_CAPABILITIES,
  optionalTypes: { f16: withHalves },
  inWideSubgroups: withVotes,
  print,
};
