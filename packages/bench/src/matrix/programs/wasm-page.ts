/** WebAssembly of the browser of a page. */
import { wasmRuntime } from "@groupwise/target-wasm/runtime";
import { type PageProgram, pageProgram } from "@groupwise/testkit/served-page";
import { PRIMITIVES } from "../primitives.ts";
import { runEmitted } from "./emitted.ts";

const program = pageProgram(async () => wasmRuntime(), PRIMITIVES);

export const open: PageProgram["open"] = async (asked) => {
  await runEmitted();
  await program.open(asked);
};
export const ask: PageProgram["ask"] = program.ask;
