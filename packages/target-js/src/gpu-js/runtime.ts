/**
 * Runs emitted kernels through gpu.js.
 * @module
 */
export {};
