/**
 * Emits plain JavaScript modules.
 * @module
 */
export {};
