/**
 * What libraries are made of, composed from scans: each a few lines of the DSL, to use and to learn from.
 * @module
 */
export { compact } from "./compact.ts";
export * from "./primitive.ts";
export type { TypeOf } from "./stand-in.ts";
