/**
 * Texts for C programs: a header of work-group functions for user-written kernels, and a host for emitted
 * ones.
 * @module
 */
export { type OpenClHeaderOptions, openclHeader, openclHeaderFunctions } from "./files/header/header.ts";
export { hostInC, hostInPython } from "./files/host/index.ts";
