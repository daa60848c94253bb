/**
 * The target for tools: the engine that runs this program.
 * @module
 */
import { surveyMissing, type TargetTools } from "@groupwise/core/target";
import { wasm } from "./index.ts";
import { DEVICE } from "./runtime/program.ts";

/** WebAssembly for command lines and benchmarks. */
export const wasmTools: TargetTools = {
  target: wasm,
  isEverywhere: false,
  survey: async () => {
    if (typeof WebAssembly !== "object")
      return surveyMissing(DEVICE, "the engine has no WebAssembly", "run Node without --jitless");
    return {
      devices: [
        {
          name: DEVICE,
          driver: `Node ${process.versions.node}`,
          subnormals: "kept",
          facts: async () => ({ engine: `V8 ${process.versions.v8}` }),
          open: async () => (await import("./runtime.ts")).wasmRuntime(),
        },
      ],
      missing: [],
    };
  },
  quirks: {},
  hosts: {},
};
