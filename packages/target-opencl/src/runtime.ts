/**
 * Runs emitted OpenCL C through koffi.
 * @module
 */
export {};
