/**
 * The OpenCL C target: one .cl file of kernels in OpenCL C 1.2, which newer versions accept too.
 * @module
 */
import type { Target } from "@groupwise/core";
import { OPENCL_CAPABILITIES, withDoubles, withHalves } from "./print/capabilities.ts";
import { emitOpenCl } from "./print/emit.ts";

export { OPENCL_CAPABILITIES, type OpenClChoices, openclCapabilities } from "./print/capabilities.ts";

/** OpenCL C 1.2 for any device of the full profile. */
export const opencl: Target = {
  name: "opencl",
  title: "OpenCL C",
  capabilities: OPENCL_CAPABILITIES,
  optionalTypes: { f16: withHalves, f64: withDoubles },
  print: emitOpenCl,
};
