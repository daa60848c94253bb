import type { Runtime } from "@groupwise/core";
import type { LookBack } from "@groupwise/core/target";
import { type DawnOptions, type Found, findDawn, found } from "@groupwise/testkit/devices";
import { capabilitiesOf } from "../src/index.ts";
import { type WebGpuOptions, type WebGpuRuntime, webgpuRuntime } from "../src/runtime.ts";

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

const [MAP_READ, COPY_DST] = [1, 8];

/** What a buffer holds. */
export async function contentOf(device: GPUDevice, buffer: GPUBuffer): Promise<ArrayBuffer> {
  const read = device.createBuffer({ size: buffer.size, usage: MAP_READ | COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, read, 0, buffer.size);
  device.queue.submit([encoder.finish()]);
  await read.mapAsync(MAP_READ);
  return read.getMappedRange().slice(0);
}

/** A runtime whose scans look back, whether or not that pays: the least tiles that there are. */
export function lookingBack(device: GPUDevice, more: Partial<LookBack> = {}): WebGpuRuntime {
  const lookBack: LookBack = { workGroupSize: 128, rows: 8, groups: 3, polls: 16, ...more };
  // Two levels of slots: 1024 tiles.
  return webgpuRuntime(device, {
    capabilities: { ...capabilitiesOf(device), lookBack, maxItems: 1024 * 4096 },
  });
}

/** A runtime whose tiles are so small that a few items have several levels of totals. */
export function tiny(
  device: GPUDevice,
  tile: readonly [number, number],
  maxItems: number,
  limits: WebGpuOptions["limits"] = {},
): WebGpuRuntime {
  const [workGroupSize, itemsPerWorkItem] = tile;
  return webgpuRuntime(device, {
    capabilities: { ...capabilitiesOf(device), maxItems, tile: { workGroupSize, itemsPerWorkItem } },
    limits,
  });
}
