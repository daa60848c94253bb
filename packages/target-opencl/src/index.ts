/**
 * Emits OpenCL C.
 * @module
 */
export {};
