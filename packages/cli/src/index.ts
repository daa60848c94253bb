/**
 * The command line as functions: `main` is what the program `groupwise` runs.
 * @module
 */
export { type Io, type Progress, processIo } from "./io.ts";
export { main } from "./main.ts";
export type { ExitCode } from "./outcome.ts";
