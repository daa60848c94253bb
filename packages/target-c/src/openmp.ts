/**
 * Pipelines on several threads of one process: a function that computes parts of the range in parallel through OpenMP.
 * @module
 */
export { emitOpenMp } from "./files/openmp/files.ts";
