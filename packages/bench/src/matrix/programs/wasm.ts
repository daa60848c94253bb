/** WebAssembly of the engine that runs this. */
import { wasmRuntime } from "@groupwise/target-wasm/runtime";
import { runEmitted } from "./emitted.ts";
import { serve } from "./serve.ts";

await runEmitted();
await serve(async () => wasmRuntime());
