/**
 * Runs emitted JavaScript modules.
 * @module
 */
export {};
