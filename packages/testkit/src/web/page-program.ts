/** What a page runs for `pageRunner`: WebGPU of its browser. */
import { openWeb } from "./device.ts";
import { type PageProgram, pageProgram } from "./served-page.ts";

const program = pageProgram(openWeb);
export const open: PageProgram["open"] = program.open;
export const ask: PageProgram["ask"] = program.ask;
