/**
 * The OpenCL C target: one .cl file of kernels in OpenCL C 1.2, which newer versions accept too.
 * @module
 */
export { OPENCL_CAPABILITIES, type OpenClChoices, openclCapabilities } from "./print/capabilities.ts";
export { opencl } from "./print/target.ts";
