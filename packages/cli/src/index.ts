/**
 * The command line as functions.
 * @module
 */
export {};
