/**
 * The target for tools: gpu.js in this process, in the modes that round as f32 does.
 * @module
 */
import {
  type DeviceSurvey,
  type FoundDevice,
  loadFailure,
  surveyMissing,
  type TargetTools,
} from "@groupwise/core/target";
import { gpujs } from "./index.ts";
import type { GpuJsMode } from "./runtime.ts";

const MODES: readonly GpuJsMode[] = ["webasm", "cpu"];

async function survey(): Promise<DeviceSurvey> {
  try {
    await import("gpu.js" as string);
  } catch (error) {
    const remedy =
      "npm install gpu.js (add --ignore-scripts if its dependency `gl` does not build: it is not needed)";
    return surveyMissing("gpu.js", loadFailure("gpu.js", error), remedy);
  }
  return { devices: MODES.map(deviceOf), missing: [] };
}

function deviceOf(mode: GpuJsMode): FoundDevice {
  return {
    name: `gpu.js ${mode}`,
    driver: "gpu.js 2",
    subnormals: "kept",
    facts: async () => ({ types: ["f32", "bool"] }),
    open: async () => (await import("./runtime.ts")).gpuJsRuntime({ mode }),
  };
}

/** gpu.js for command lines and benchmarks. */
export const gpuJsTools: TargetTools = { target: gpujs, isEverywhere: false, survey, quirks: {}, hosts: {} };
