/** Devices that are selected by the name of a target and a word. */

import { type TargetName, toolsOf } from "@groupwise/cli/targets";
import type { Runtime } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { openAdapter } from "./dawn.ts";

export interface NamedChoice {
  readonly target: TargetName;
  /** A part of the device's name. */
  readonly device: string;
  /** Limits in bytes of a binding and of a buffer, so that small arrays are split like long ones. */
  readonly bindingBytes?: number;
  readonly bufferBytes?: number;
}

/** A device that is selected by name. */
export interface Named {
  readonly runtime: Runtime;
  readonly limits: Readonly<Record<string, number>>;
  /** The limits at which arrays are split into parts. */
  readonly partBytes?: number;
  close(): void;
}

/** Targets whose devices have limits that can be lowered; those of other targets are what the registry finds. */
const OWN: Readonly<Partial<Record<TargetName, (choice: NamedChoice) => Promise<Named>>>> = {
  wgsl: openAdapter,
};

/** @throws GroupwiseError `device-missing` */
export async function openNamed(choice: NamedChoice): Promise<Named> {
  return (OWN[choice.target] ?? openListed)(choice);
}

async function openListed({ target, device: word }: NamedChoice): Promise<Named> {
  const { devices } = await toolsOf(target).survey();
  const found = devices.find(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
  const reason = `of ${devices.length} devices none has ${JSON.stringify(word)} in its name`;
  if (!found) throw errorOf("device-missing", { what: `a device for ${target}`, reason });
  return { runtime: await found.open({ clock: true }), limits: {}, close: () => {} };
}
