/**
 * The gpu.js target: chains of kernels for the types that gpu.js represents exactly, f32 and bool.
 * @module
 */
import type { Target } from "@groupwise/core";
import { GPU_JS_CAPABILITIES } from "./capabilities.ts";
import { emitGpuJs } from "./emit.ts";

/** gpu.js kernels: each output element on its own; a scan is a chain of passes. */
export const gpujs: Target = {
  name: "gpujs",
  title: "gpu.js",
  capabilities: GPU_JS_CAPABILITIES,
  optionalTypes: {},
  print: emitGpuJs,
};
