/**
 * The target for tools: the engine that runs this program.
 * @module
 */
import type { FoundDevice, TargetTools } from "@groupwise/core/target";
import { js } from "./index.ts";
import { DEVICE } from "./runtime/program.ts";

const deviceOf = (name: string, open: FoundDevice["open"]): FoundDevice => ({
  name,
  driver: `Node ${process.versions.node}`,
  subnormals: "kept",
  facts: async () => ({ engine: `V8 ${process.versions.v8}` }),
  open,
});

/** JavaScript for command lines and benchmarks. */
export const jsTools: TargetTools = {
  target: js,
  isEverywhere: true,
  survey: async () => ({
    devices: [deviceOf(DEVICE, async () => (await import("./runtime.ts")).jsRuntime())],
    missing: [],
  }),
  threads: (workers) =>
    deviceOf(`${DEVICE}, ${workers} workers`, async ({ shared = false } = {}) =>
      (await import("./workers/runtime.ts")).jsWorkersRuntime({ workers, shared }),
    ),
  sharesMemory: true,
  quirks: {},
  hosts: {},
};
