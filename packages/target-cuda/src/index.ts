/**
 * The CUDA target: one .cu file of kernels in C++17, which HIP compiles too.
 * @module
 */
export { CUDA_CAPABILITIES } from "./print/capabilities.ts";
export { cuda } from "./print/target.ts";
