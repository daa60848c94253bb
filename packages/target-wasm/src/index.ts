/**
 * The WebAssembly target: modules with loops over arrays in linear memory, in an ES module without dependencies.
 * @module
 */
import type { Target } from "@groupwise/core";
import { WASM_CAPABILITIES } from "./print/capabilities.ts";
import { emitWasm } from "./print/emit.ts";

/** WebAssembly 2.0: one thread, any engine of a browser or of Node. */
export const wasm: Target = {
  name: "wasm",
  title: "WebAssembly",
  capabilities: WASM_CAPABILITIES,
  optionalTypes: {},
  print: emitWasm,
};
