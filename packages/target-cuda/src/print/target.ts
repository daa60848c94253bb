/** The target, as an object. */
import type { Target } from "@groupwise/core";
import { CUDA_CAPABILITIES } from "./capabilities.ts";
import { emitCuda } from "./emit.ts";

/** CUDA C++17 for devices of compute capability 7.0 or higher. */
export const cuda: Target = {
  name: "cuda",
  title: "CUDA C++",
  capabilities: CUDA_CAPABILITIES,
  optionalTypes: {},
  print: emitCuda,
};
