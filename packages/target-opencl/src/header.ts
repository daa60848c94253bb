/**
 * Texts for people who work in C: a header of work-group functions for kernels of their own, and a host beside
 * emitted ones.
 * @module
 */
export { type OpenClHeaderOptions, openclHeader, openclHeaderFunctions } from "./header/header.ts";
export { hostInC } from "./host/index.ts";
