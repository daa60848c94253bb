/**
 * Emits WGSL.
 * @module
 */
export {};
