/**
 * The C target: one C11 file of loops without dependencies, and its header.
 * @module
 */
export { c } from "./print/target.ts";
