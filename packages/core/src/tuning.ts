/**
 * Tuning: sizes of tiles that were measured on a device, as files. A separate entry, so that programs without a tuning
 * do not bundle the validation.
 * @module
 */
export { parseTuning, printTuning } from "./host/tuning/parse.ts";
