/** Devices that are selected by the name of a target and a word. */

import { type TargetName, toolsOf } from "@groupwise/cli/targets";
import type { Capabilities, Runtime } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { openAdapter } from "./dawn.ts";
import { openCuda, openOpenCl } from "./native.ts";
import { isNamed, noSuchDevice } from "./word.ts";

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
