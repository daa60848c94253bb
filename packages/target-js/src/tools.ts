/**
 * The target for tools: the engine that runs this program.
 * @module
 */
import type { DeviceSurvey, TargetTools } from "@groupwise/core/target";
import { js } from "./index.ts";

async function survey(): Promise<DeviceSurvey> {
  const device = {
    name: "JavaScript",
    driver: `Node ${process.versions.node}`,
    subnormals: "kept" as const,
    facts: async () => ({ engine: `V8 ${process.versions.v8}` }),
    open: async () => (await import("./runtime.ts")).jsRuntime(),
  };
  return { devices: [device], missing: [] };
}

/** JavaScript for command lines and benchmarks. */
export const jsTools: TargetTools = { target: js, isEverywhere: true, survey, quirks: {}, hosts: {} };
