/** WebGPU of the browser of a page. */
import { openWeb, type PageProgram, pageProgram } from "@groupwise/testkit/served-page";
import { PRIMITIVES } from "../primitives.ts";

const program = pageProgram(openWeb, PRIMITIVES);
export const open: PageProgram["open"] = program.open;
export const ask: PageProgram["ask"] = program.ask;
