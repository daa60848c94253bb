/**
 * The typed builder.
 * @module
 */
export {};
