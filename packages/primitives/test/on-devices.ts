import type { Runtime } from "@groupwise/core";
import { cRuntime } from "@groupwise/target-c/runtime";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { jsWorkersRuntime } from "@groupwise/target-js/workers";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import {
  type DawnOptions,
  type Found,
  findDawn,
  findOpenCl,
  found,
  missing,
} from "@groupwise/testkit/devices";

export async function lavapipe(options: DawnOptions = {}): Promise<Found<Runtime>> {
  const opened = await findDawn({ ...options, adapter: "lavapipe" });
  return opened.found ? found(webgpuRuntime(opened.value.device)) : opened;
}

/** The loader reads the environment at the process's first OpenCL call. */
export async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  // The kernels of GPUs; chunks have tests of their own.
  return found(await openclRuntime({ chunks: false }));
}

/** Not optimised: the loops are short. */
export const inC = (): Promise<Found<Runtime>> =>
  cRuntime({ options: ["-O0"] }).then(found, (error: Error) => missing(error.message));

/** All runs go through the threads. */
export const workers = (): Found<Runtime> => found(jsWorkersRuntime({ workers: 3, leastItems: 0 }));
// Imported in full runs, which alone use them.
export const webAssembly = async (): Promise<Found<Runtime>> =>
  found((await import("@groupwise/target-wasm/runtime")).wasmRuntime());
/** The kernels of CUDA, where threads of the CPU are those of a warp. */
export const cudaOnCpu = async (): Promise<Found<Runtime>> =>
  (await import("../../target-cuda/test/cpu/runtime.ts")).onCpu();

const RUNTIMES = {
  JavaScript: () => found(jsRuntime()),
  C: inC,
  lavapipe: () => lavapipe(),
  // No halves, no subgroups, eight arrays in a pass.
  "lavapipe with the least limits": () => lavapipe({ features: [], limits: "default" }),
  PoCL: () => pocl(),
  "JavaScript workers": workers,
  WebAssembly: webAssembly,
  "CUDA on the CPU": cudaOnCpu,
} as const satisfies Readonly<Record<string, () => Found<Runtime> | Promise<Found<Runtime>>>>;
export type Device = keyof typeof RUNTIMES;
export const ALL = Object.keys(RUNTIMES) as Device[];
/** Without those of full runs alone. */
const OFTEN = ALL.slice(0, ALL.indexOf("JavaScript workers"));

/** One test for each device that is here; outside of full runs for some. */
export function onDevices(
  name: string,
  body: (runtime: Runtime, device: Device) => Promise<void>,
  some: readonly Device[] = OFTEN,
): void {
  for (const device of isFullRun() ? ALL : some)
    deviceTest<Runtime>(`${name} on ${device}`, RUNTIMES[device], async (runtime) => {
      try {
        await body(runtime, device);
      } finally {
        runtime.dispose();
      }
    });
}
