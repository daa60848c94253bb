/**
 * Emits kernels for gpu.js.
 * @module
 */
export {};
