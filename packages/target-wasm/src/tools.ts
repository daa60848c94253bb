/**
 * The target for tools: the engine that runs this program.
 * @module
 */
import { type FoundDevice, surveyMissing, type TargetTools } from "@groupwise/core/target";
import { wasm } from "./index.ts";
import { DEVICE, wasmRefusal } from "./runtime/program.ts";

const deviceOf = (name: string, open: FoundDevice["open"]): FoundDevice => ({
  name,
  driver: `Node ${process.versions.node}`,
  subnormals: "kept",
  facts: async () => ({ engine: `V8 ${process.versions.v8}` }),
  open,
});

/** WebAssembly for command lines and benchmarks. */
export const wasmTools: TargetTools = {
  target: wasm,
  isEverywhere: false,
  survey: async () => {
    const reason = wasmRefusal();
    if (reason !== undefined) return surveyMissing(DEVICE, reason, "run Node without --jitless");
    const open = async () => (await import("./runtime.ts")).wasmRuntime();
    return { devices: [deviceOf(DEVICE, open)], missing: [] };
  },
  threads: (workers) =>
    deviceOf(`${DEVICE}, ${workers} workers`, async () =>
      (await import("./workers/runtime.ts")).wasmWorkersRuntime({ workers }),
    ),
  quirks: {},
  hosts: {},
};
