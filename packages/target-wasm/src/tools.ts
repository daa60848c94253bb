/**
 * The target for tools: the engine that runs this program.
 * @module
 */
import { surveyMissing, type TargetTools } from "@groupwise/core/target";
import { wasm } from "./index.ts";
import { DEVICE, refusalHere } from "./runtime/program.ts";

/** WebAssembly for command lines and benchmarks. */
export const wasmTools: TargetTools = {
  target: wasm,
  isEverywhere: false,
  survey: async () => {
    const reason = refusalHere();
    if (reason !== undefined) return surveyMissing(DEVICE, reason, "run Node without --jitless");
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
