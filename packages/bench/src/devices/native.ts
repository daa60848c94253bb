/** Devices of drivers, with other capabilities than those that they report. */
import type { Capabilities, Runtime } from "@groupwise/core";
import { CUDA_CAPABILITIES } from "@groupwise/target-cuda";
import { cudaRuntime, listCudaDevices } from "@groupwise/target-cuda/runtime";
import { capabilitiesOf, listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import type { NamedChoice, NamedDevice } from "./named.ts";
import { isNamed, noSuchDevice } from "./word.ts";

type Open = (choice: NamedChoice) => Promise<NamedDevice>;

interface Driver<D extends { readonly name: string }> {
  readonly target: string;
  list(): Promise<readonly D[]>;
  known(device: D): Capabilities;
  open(options: {
    readonly device: number;
    readonly profiling: true;
    readonly capabilities?: Capabilities;
  }): Promise<Runtime>;
}

/** What opens a device by its name. It throws `device-missing`. */
const opener =
  <D extends { readonly name: string }>({ target, list, known, open }: Driver<D>): Open =>
  async ({ device: word, capabilities }) => {
    const devices = await list();
    const index = devices.findIndex(({ name }) => isNamed(name, word));
    const found = devices[index];
    if (!found) throw noSuchDevice(target, word, devices.length);
    const changed = capabilities?.(known(found));
    const runtime = await open({
      device: index,
      profiling: true,
      ...(changed && { capabilities: changed }),
    });
    return { runtime, close: () => {} };
  };

export const openOpenCl: Open = opener({
  target: "opencl",
  list: listOpenClDevices,
  known: capabilitiesOf,
  open: openclRuntime,
});
export const openCuda: Open = opener({
  target: "cuda",
  list: listCudaDevices,
  known: () => CUDA_CAPABILITIES,
  open: cudaRuntime,
});
