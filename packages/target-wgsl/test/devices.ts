import type { Runtime } from "@groupwise/core";
import { type DawnOptions, type Found, findDawn, found } from "@groupwise/testkit/devices";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";

/** A device of its own: losing it is nobody else's loss. */
export async function dawn(options: DawnOptions = { adapter: "lavapipe" }): Promise<Found<GPUDevice>> {
  const opened = await findDawn(options);
  return opened.found ? found(opened.value.device) : opened;
}

export async function runtimeOn(
  adapter: "lavapipe" | "swiftshader",
  options: Omit<DawnOptions, "adapter"> = {},
): Promise<Found<Runtime>> {
  const device = await dawn({ ...options, adapter });
  return device.found ? found(webgpuRuntime(device.value)) : device;
}

/** A runtime whose tiles are so small that a few items have several levels of totals. */
export function tiny(device: GPUDevice, tile: readonly [number, number], maxItems: number): WebGpuRuntime {
  const [workGroupSize, itemsPerWorkItem] = tile;
  return webgpuRuntime(device, {
    capabilities: { ...capabilitiesOf(device), maxItems, tile: { workGroupSize, itemsPerWorkItem } },
  });
}
