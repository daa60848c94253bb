/** Devices that are selected by the name of a target and a word. */
import { type TargetName, toolsOf } from "@groupwise/cli/targets";
import type { Capabilities, Runtime } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { CUDA_CAPABILITIES } from "@groupwise/target-cuda";
import { cudaRuntime, listCudaDevices } from "@groupwise/target-cuda/runtime";
import { capabilitiesOf, listOpenClDevices, openclRuntime } from "@groupwise/target-opencl/runtime";
import { openAdapter } from "./dawn.ts";
import { isNamed, noSuchDevice } from "./word.ts";

// Devices of drivers, with other capabilities than those that they report.
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

const openOpenCl: Open = opener({
  target: "opencl",
  list: listOpenClDevices,
  known: capabilitiesOf,
  open: openclRuntime,
});
const openCuda: Open = opener({
  target: "cuda",
  list: listCudaDevices,
  known: () => CUDA_CAPABILITIES,
  open: cudaRuntime,
});

export interface NamedChoice {
  readonly target: TargetName;
  /** A part of the device's name, or `default` for the first one. */
  readonly device: string;
  /** Other capabilities than those of the device. */
  readonly capabilities?: (known: Capabilities) => Capabilities;
}

/** A device that is selected by name. */
export interface NamedDevice {
  readonly runtime: Runtime;
  close(): void;
}

/** Adapters of Dawn, and targets whose capabilities can be changed; the devices of other targets are what the registry finds. */
const OWN: Readonly<Partial<Record<TargetName, (choice: NamedChoice) => Promise<NamedDevice>>>> = {
  wgsl: openAdapter,
};
const CHANGED: typeof OWN = { wgsl: openAdapter, opencl: openOpenCl, cuda: openCuda };

/** @throws GroupwiseError `device-missing`, `unsupported` */
export async function openNamed(choice: NamedChoice): Promise<NamedDevice> {
  const { target, capabilities } = choice;
  if (!capabilities) return (OWN[target] ?? openListed)(choice);
  const open = CHANGED[target];
  if (open) return open(choice);
  const reason = `the capabilities of devices for ${target} cannot be changed`;
  throw errorOf("unsupported", { what: "a strategy of choice", reason });
}

async function openListed({ target, device: word }: NamedChoice): Promise<NamedDevice> {
  const { devices } = await toolsOf(target).survey();
  const found = devices.find(({ name }) => isNamed(name, word));
  if (!found) throw noSuchDevice(target, word, devices.length);
  return { runtime: await found.open({ clock: true }), close: () => {} };
}
