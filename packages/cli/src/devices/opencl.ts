/** Every OpenCL device of every driver that the loader finds. */
import type { OpenClDevice } from "@groupwise/target-opencl/runtime";
import { isGroupwiseError } from "../base/problem.ts";
import { type Device, firstLine, loadFailure, type Missing, type Survey, subnormalsFact } from "./device.ts";

const LOADERS: Readonly<Record<string, string>> = {
  linux: "sudo apt-get install ocl-icd-libopencl1 (or your distribution's OpenCL ICD loader)",
  darwin: "brew install pocl",
};
const DRIVERS: Readonly<Record<string, string>> = {
  linux:
    "sudo apt-get install pocl-opencl-icd binutils (an OpenCL device on the CPU), or the driver of your GPU's vendor",
  darwin: "brew install pocl",
};
const ELSEWHERE = "install the OpenCL driver of your GPU's or CPU's vendor";

const none = (what: string, reason: string, remedy: string): Survey => {
  const missing: Missing = { target: "opencl", what, reason, remedy };
  return { devices: [], missing: [missing] };
};

export async function findOpenCl(): Promise<Survey> {
  try {
    await import("koffi" as string);
  } catch (error) {
    return none("koffi, which calls OpenCL from Node", loadFailure("koffi", error), "npm install koffi");
  }
  try {
    const { listOpenClDevices } = await import("@groupwise/target-opencl/runtime");
    const devices = await listOpenClDevices();
    const ranked = [...devices].sort((a, b) => Number(b.type === "gpu") - Number(a.type === "gpu"));
    if (ranked.length > 0) return { devices: ranked.map(deviceOf), missing: [] };
  } catch (error) {
    const reason = isGroupwiseError(error) ? error.what : firstLine(error);
    return none("the OpenCL loader", reason, LOADERS[process.platform] ?? ELSEWHERE);
  }
  return none("an OpenCL device", "the loader finds no driver", DRIVERS[process.platform] ?? ELSEWHERE);
}

function deviceOf(info: OpenClDevice): Device {
  return {
    target: "opencl",
    name: info.name,
    driver: `${info.platform} ${info.driver}`,
    facts: async () => ({
      type: info.type,
      version: info.version,
      language: info.languageVersion,
      maxWorkGroupSize: info.maxWorkGroupSize,
      localMemory: info.localMemory,
      globalMemory: info.globalMemory,
      maxAllocation: info.maxAllocation,
      subnormals: subnormalsFact(!info.floats.subnormals),
      correctlyRoundedDivide: info.floats.correctlyRoundedDivide,
      extensions: info.extensions,
    }),
    open: async () => {
      const { openclRuntime } = await import("@groupwise/target-opencl/runtime");
      return openclRuntime({ device: info.index });
    },
    flushes: async () => !info.floats.subnormals,
  };
}
