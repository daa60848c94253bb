/**
 * The target for tools: the devices of CUDA's driver.
 * @module
 */
import {
  type DeviceSurvey,
  type FoundDevice,
  loadFailure,
  reasonOf,
  surveyMissing,
  type TargetTools,
} from "@groupwise/core/target";
import { hostInCpp, hostInPython } from "./host.ts";
import { cuda } from "./index.ts";
import type { CudaDevice } from "./runtime.ts";

const REMEDY = "the driver of your NVIDIA GPU, and NVRTC of NVIDIA's CUDA toolkit";

async function survey(): Promise<DeviceSurvey> {
  try {
    await import("koffi" as string);
  } catch (error) {
    return surveyMissing(
      "koffi, which calls CUDA from Node",
      loadFailure("koffi", error),
      "npm install koffi",
    );
  }
  try {
    const devices = await (await import("./runtime.ts")).listCudaDevices();
    if (devices.length > 0) return { devices: devices.map(deviceOf), missing: [] };
    return surveyMissing("a CUDA device", "the driver has none", REMEDY);
  } catch (error) {
    const reason = reasonOf(error);
    return surveyMissing("CUDA", reason, REMEDY);
  }
}

const deviceOf = ({ index, name, driver, ...facts }: CudaDevice): FoundDevice => ({
  name,
  driver,
  subnormals: "kept",
  facts: async () => ({ ...facts }),
  open: async ({ tuning, probed, clock = false } = {}) => {
    const { cudaRuntime } = await import("./runtime.ts");
    const kept = { ...(tuning && { tuning }), ...(probed && { probed }) };
    return cudaRuntime({ device: index, profiling: clock, ...kept });
  },
});

/** CUDA C++ for command lines and benchmarks. */
export const cudaTools: TargetTools = {
  target: cuda,
  isEverywhere: false,
  survey,
  quirks: {},
  hosts: { cpp: hostInCpp, python: hostInPython },
};
