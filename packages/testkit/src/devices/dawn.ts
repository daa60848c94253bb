/// <reference types="@webgpu/types" preserve="true" />
import { isMainThread } from "node:worker_threads";
import { GroupwiseError } from "@groupwise/core";
import {
  adapterNames,
  browserDrivers,
  type NodeDeviceOptions,
  openDevice,
} from "@groupwise/target-wgsl/internal/dawn";
import { prepareEnvironment, vulkanDrivers, vulkanEnvironment } from "./environment.ts";
import { type Found, found, type Missing, missing, orThrow } from "./found.ts";
import { waitPatiently } from "./patience.ts";

/** `default` is Dawn's own choice; any other text is searched in the adapters' names ("NVIDIA"). */
export type DawnAdapter = "lavapipe" | "swiftshader" | "default" | (string & {});

export interface DawnOptions extends Omit<NodeDeviceOptions, "adapter"> {
  readonly adapter?: DawnAdapter;
}

export interface DawnDevice {
  readonly device: GPUDevice;
  readonly info: GPUAdapterInfo;
}

/** The driver of a software adapter, and Dawn's name of the adapter. */
const SOFTWARE: Readonly<Record<string, string>> = { lavapipe: "llvmpipe", swiftshader: "SwiftShader" };

/** On Linux a software adapter belongs to one driver. Only that driver is loaded, which is also faster. */
function driverEnvironment(adapter: DawnAdapter): Found<Record<string, string>> {
  if (!(adapter in SOFTWARE) || process.platform !== "linux") return found({});
  const driver = vulkanDrivers().find(({ name }) => name === adapter);
  if (!driver) return missing(`no Vulkan driver of ${adapter} is installed`);
  if (!isMainThread)
    return missing("a worker thread cannot choose a Vulkan driver", "open it in the main thread");
  return found(vulkanEnvironment(driver.file));
}

function asMissing(error: unknown): Missing {
  if (error instanceof GroupwiseError && error.code === "device-missing")
    return missing(error.what, error.hint);
  throw error;
}

/** A new device of Dawn in this process, or why there is none. Also defines WebGPU's globals (GPUBufferUsage, …). */
export async function findDawn(options: DawnOptions = {}): Promise<Found<DawnDevice>> {
  const { adapter: name = "default", ...rest } = options;
  const env = driverEnvironment(name);
  if (!env.found) return env;
  const choice = name === "default" ? rest : { ...rest, adapter: SOFTWARE[name] ?? name };
  prepareEnvironment();
  waitPatiently();
  return openDevice(choice, env.value).then(
    ({ adapter, device }) => found({ device, info: adapter.info }),
    asMissing,
  );
}

/** A new device; several adapters can be open in one process. `device.destroy()` when done. */
export async function openDawn(options: DawnOptions = {}): Promise<GPUDevice> {
  return orThrow(await findDawn(options)).device;
}

/** The names of all adapters that Dawn finds, including the software adapters of browsers. */
export async function listDawnAdapters(): Promise<readonly string[]> {
  prepareEnvironment();
  waitPatiently();
  return adapterNames(browserDrivers()).catch(() => []);
}
