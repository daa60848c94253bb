/** gpu.js in this process, in the modes that round as f32 does. */
import type { GpuJsMode } from "@groupwise/target-js/gpu-js/runtime";
import { type Device, firstLine, loadFailure, type Survey } from "./device.ts";

const MODES: readonly GpuJsMode[] = ["webasm", "cpu"];

export async function findGpuJs(): Promise<Survey> {
  try {
    await import("gpu.js" as string);
  } catch (error) {
    const missing = {
      target: "gpujs" as const,
      what: "gpu.js",
      reason: firstLine(loadFailure("gpu.js", error)),
      remedy:
        "npm install gpu.js (add --ignore-scripts if its dependency `gl` does not build: it is not needed)",
    };
    return { devices: [], missing: [missing] };
  }
  return { devices: MODES.map(deviceOf), missing: [] };
}

function deviceOf(mode: GpuJsMode): Device {
  return {
    target: "gpujs",
    name: `gpu.js ${mode}`,
    driver: "gpu.js 2",
    facts: async () => ({ types: ["f32", "bool"] }),
    open: async () => {
      const { gpuJsRuntime } = await import("@groupwise/target-js/gpu-js/runtime");
      return gpuJsRuntime({ mode });
    },
  };
}
