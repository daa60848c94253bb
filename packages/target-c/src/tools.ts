/**
 * The target for tools: the C compiler of this machine, and programs that demonstrate emitted C.
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
import { hostInC, hostInPython } from "./host.ts";
import { c } from "./index.ts";
import { emitMpi } from "./mpi.ts";
import { emitOpenMp } from "./openmp.ts";

const COMPILERS: Readonly<Record<string, string>> = {
  linux: "sudo apt-get install gcc (or your distribution's C compiler)",
  darwin: "xcode-select --install",
};

/** Between two chunks of a stream, threads that wait actively take the cores from reads and writes. OpenMP reads it when it is loaded. */
const WAITING = "passive";

const deviceOf = (name: string, driver: string, threads: number): FoundDevice => ({
  name,
  driver,
  subnormals: "kept",
  facts: async () => ({ compiler: "cc" }),
  open: async () => {
    if (threads > 1) process.env.OMP_WAIT_POLICY ??= WAITING;
    return (await import("./runtime.ts")).cRuntime({ threads });
  },
});

async function survey(): Promise<DeviceSurvey> {
  try {
    await import("koffi" as string);
  } catch (error) {
    return surveyMissing(
      "koffi, which calls compiled C from Node",
      loadFailure("koffi", error),
      "npm install koffi",
    );
  }
  try {
    const { cRuntime } = await import("./runtime.ts");
    const { device, dispose } = await cRuntime();
    dispose();
    return { devices: [deviceOf(device.name, device.driver, 1)], missing: [] };
  } catch (error) {
    const reason = reasonOf(error);
    return surveyMissing("a C compiler", reason, COMPILERS[process.platform] ?? "install gcc or clang as cc");
  }
}

/** C11 for command lines and benchmarks. */
export const cTools: TargetTools = {
  target: c,
  isEverywhere: false,
  survey,
  threads: (count, { name, driver }) => deviceOf(`${name}, ${count} threads`, driver, count),
  quirks: {},
  hosts: { c: hostInC, python: hostInPython },
  forms: { mpi: emitMpi, openmp: emitOpenMp },
};
