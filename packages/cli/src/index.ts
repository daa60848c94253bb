/**
 * The command line as functions: `main` is what the program `groupwise` runs.
 * @module
 */
export { type Io, type Progress, processIo } from "./base/io.ts";
export type { ExitCode } from "./base/outcome.ts";
export { main } from "./main.ts";
