import type { Runtime } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest } from "@groupwise/testkit/conformance";
import { type DawnOptions, type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";

async function lavapipe(options: DawnOptions = {}): Promise<Found<Runtime>> {
  const opened = await findDawn({ ...options, adapter: "lavapipe" });
  return opened.found ? found(webgpuRuntime(opened.value.device)) : opened;
}

/** The loader reads the environment at the process's first OpenCL call. */
async function pocl(): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  return found(await openclRuntime());
}

const RUNTIMES: Readonly<Record<string, () => Found<Runtime> | Promise<Found<Runtime>>>> = {
  JavaScript: () => found(jsRuntime()),
  lavapipe,
  "lavapipe with the least limits": () => lavapipe({ features: [], limits: "default" }),
  PoCL: pocl,
};

/** One test for each device that is here. */
export function onDevices(name: string, body: (runtime: Runtime) => Promise<void>): void {
  for (const [device, probe] of Object.entries(RUNTIMES))
    deviceTest(
      `${name} on ${device}`,
      probe,
      async (runtime) => {
        try {
          await body(runtime);
        } finally {
          runtime.dispose();
        }
      },
      120_000,
    );
}
