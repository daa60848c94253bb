/** The target, as an object. */
import type { Target } from "@groupwise/core";
import { inWideSubgroups, OPENCL_CAPABILITIES, withDoubles, withHalves } from "./capabilities.ts";
import { emitOpenCl } from "./emit.ts";

/** OpenCL C 1.2 for any device of the full profile. */
export const opencl: Target = {
  name: "opencl",
  title: "OpenCL C",
  capabilities: OPENCL_CAPABILITIES,
  optionalTypes: { f16: withHalves, f64: withDoubles },
  inWideSubgroups,
  print: emitOpenCl,
};
