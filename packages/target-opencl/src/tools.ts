/**
 * The target for tools: the devices of every driver that the loader finds, headers, and hosts in C.
 * @module
 */
import {
  type DeviceSurvey,
  type FoundDevice,
  type HeaderWriter,
  loadFailure,
  reasonOf,
  surveyMissing,
  type TargetTools,
} from "@groupwise/core/target";
import type { OpenClDevice } from "./device/device.ts";
import { openclHeader, openclHeaderFunctions } from "./files/header/header.ts";
import { hostInC, hostInPython } from "./files/host/index.ts";
import { opencl } from "./index.ts";
import { emitMpi } from "./mpi.ts";
import { QUIRKS } from "./print/quirks.ts";

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

async function survey(): Promise<DeviceSurvey> {
  try {
    await import("koffi" as string);
  } catch (error) {
    return surveyMissing(
      "koffi, which calls OpenCL from Node",
      loadFailure("koffi", error),
      "npm install koffi",
    );
  }
  try {
    const { listOpenClDevices } = await import("./runtime.ts");
    const devices = await listOpenClDevices();
    const ranked = [...devices].sort((a, b) => Number(b.type === "gpu") - Number(a.type === "gpu"));
    if (ranked.length > 0) return { devices: ranked.map(deviceOf), missing: [] };
  } catch (error) {
    const reason = reasonOf(error);
    return surveyMissing("the OpenCL loader", reason, LOADERS[process.platform] ?? ELSEWHERE);
  }
  return surveyMissing(
    "an OpenCL device",
    "the loader finds no driver",
    DRIVERS[process.platform] ?? ELSEWHERE,
  );
}

function deviceOf(info: OpenClDevice): FoundDevice {
  return {
    name: info.name,
    driver: `${info.platform} ${info.driver}`,
    // Rusticl keeps them although it does not report so.
    subnormals: info.floats.subnormals ? "kept" : "unspecified",
    facts: async () => ({
      type: info.type,
      version: info.version,
      language: info.languageVersion,
      maxWorkGroupSize: info.maxWorkGroupSize,
      localMemory: info.localMemory,
      globalMemory: info.globalMemory,
      maxAllocation: info.maxAllocation,
      correctlyRoundedDivide: info.floats.correctlyRoundedDivide,
      extensions: info.extensions,
    }),
    open: async ({ tuning, probed, clock = false } = {}) => {
      const { openclRuntime } = await import("./runtime.ts");
      const kept = { ...(tuning && { tuning }), ...(probed && { probed }) };
      return openclRuntime({ device: info.index, profiling: clock, ...kept });
    },
  };
}

/** One header serves every work-group and device. */
const header: HeaderWriter = {
  title: "a header for OpenCL C",
  options: {
    prefix: "optional",
    functions: "optional",
    workGroupSize: "none",
    f16: "none",
    subnormals: "none",
  },
  functions: openclHeaderFunctions,
  write: openclHeader,
};

/** OpenCL C for command lines and benchmarks. */
export const openclTools: TargetTools = {
  target: opencl,
  isEverywhere: false,
  survey,
  header,
  quirks: { ...QUIRKS },
  hosts: { c: hostInC, python: hostInPython },
  forms: { mpi: emitMpi },
};
