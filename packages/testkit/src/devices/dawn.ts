/// <reference types="@webgpu/types" preserve="true" />
import { delimiter } from "node:path";
import { isMainThread } from "node:worker_threads";
import { type Quietly, quieter } from "@groupwise/target-wgsl/internal/dawn";
import { prepareEnvironment, vulkanDrivers, vulkanEnvironment } from "./environment.ts";
import { type Found, found, type Missing, missing, orThrow } from "./found.ts";
import { waitPatiently } from "./patience.ts";

/** `default` is Dawn's own choice; any other text is searched in the adapters' names ("NVIDIA"). */
export type DawnAdapter = "lavapipe" | "swiftshader" | "default" | (string & {});

export interface DawnOptions {
  readonly adapter?: DawnAdapter;
  /** Requested if the adapter has them. `shader-f16`, `subgroups` and `timestamp-query` when not given. */
  readonly features?: readonly GPUFeatureName[];
  /** `most`: the limits of the adapter (the default); `default`: the limits of every WebGPU device. */
  readonly limits?: "most" | "default";
  /** Dawn's toggles, for example `disable_robustness`. Dawn ignores unknown names. */
  readonly enable?: readonly string[];
  /** For example `timestamp_quantization`, to read exact times. */
  readonly disable?: readonly string[];
}

export interface DawnDevice {
  readonly device: GPUDevice;
  readonly info: GPUAdapterInfo;
  /** Every feature of the adapter, also those not requested. */
  readonly features: readonly string[];
}

interface DawnModule {
  create(flags: readonly string[]): GPU;
  readonly globals: Record<string, unknown>;
}

const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups", "timestamp-query"];

/** The driver of a software adapter, and Dawn's name of the adapter. */
const SOFTWARE: Readonly<Record<string, string>> = { lavapipe: "llvmpipe", swiftshader: "SwiftShader" };

// Dawn's objects do not keep the GPU object that they come from alive: once that is collected, any further call is a
// segmentation fault. So none is ever released; there is one for each set of flags.
const ALIVE = new Map<string, GPU>();

let turn: Promise<unknown> = Promise.resolve();

/** Changes process.env for the time of `work`; the Vulkan loader reads it each time an instance is made. */
async function withEnvironment<T>(env: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  const before = Object.keys(env).map((key) => [key, process.env[key]] as const);
  Object.assign(process.env, env);
  try {
    return await work();
  } finally {
    for (const [key, value] of before) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

async function loadDawn(): Promise<DawnModule | undefined> {
  prepareEnvironment();
  waitPatiently();
  try {
    const dawn = (await import("webgpu" as string)) as DawnModule;
    for (const [name, value] of Object.entries(dawn.globals)) {
      if (!(name in globalThis))
        Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    return dawn;
  } catch {
    return undefined;
  }
}

const NO_DAWN: Missing = missing("the package `webgpu` cannot be loaded", "run: npm install webgpu");

function flags(options: DawnOptions): string[] {
  const list = (name: string, values: readonly string[] = []) =>
    values.length > 0 ? [`${name}=${values.join(",")}`] : [];
  const adapter = options.adapter ?? "default";
  return [
    ...list("adapter", adapter === "default" ? [] : [SOFTWARE[adapter] ?? adapter]),
    ...list("enable-dawn-features", options.enable),
    ...list("disable-dawn-features", options.disable),
  ];
}

/** On Linux a software adapter belongs to one driver. Only that driver is loaded, which is also faster. */
function driverEnvironment(adapter: DawnAdapter): Found<Record<string, string>> {
  if (!(adapter in SOFTWARE) || process.platform !== "linux") return found({});
  const driver = vulkanDrivers().find(({ name }) => name === adapter);
  if (!driver) return missing(`no Vulkan driver of ${adapter} is installed`);
  if (!isMainThread)
    return missing("a worker thread cannot choose a Vulkan driver", "open it in the main thread");
  return found(vulkanEnvironment(driver.file));
}

function instance(dawn: DawnModule, flags: readonly string[]): GPU {
  const key = JSON.stringify(flags);
  const gpu = ALIVE.get(key) ?? dawn.create(flags);
  ALIVE.set(key, gpu);
  return gpu;
}

async function open(dawn: DawnModule, options: DawnOptions, quietly: Quietly): Promise<Found<DawnDevice>> {
  const gpu = instance(dawn, flags(options));
  const name = options.adapter ?? "default";
  let adapter: GPUAdapter | null;
  try {
    adapter = await quietly(() => gpu.requestAdapter());
  } catch (error) {
    return missing(`Dawn has no adapter "${name}": ${(error as Error).message.replaceAll("\n", " ")}`);
  }
  if (!adapter) return missing(`Dawn has no adapter "${name}" (Mesa must be 23 or newer)`);
  const features = [...adapter.features];
  const requiredLimits: Record<string, number> = {};
  if (options.limits !== "default") {
    for (const limit in adapter.limits) {
      requiredLimits[limit] = (adapter.limits as unknown as Record<string, number>)[limit] as number;
    }
  }
  const requiredFeatures = (options.features ?? FEATURES).filter((feature) => features.includes(feature));
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
  return found({ device, info: adapter.info, features });
}

/** A new device of Dawn in this process, or why there is none. Also defines WebGPU's globals (GPUBufferUsage, …). */
export async function findDawn(options: DawnOptions = {}): Promise<Found<DawnDevice>> {
  const dawn = await loadDawn();
  if (!dawn) return NO_DAWN;
  const env = driverEnvironment(options.adapter ?? "default");
  if (!env.found) return env;
  const quietly = await quieter();
  const result = turn.then(() => withEnvironment(env.value, () => open(dawn, options, quietly)));
  turn = result.catch(() => {});
  return result;
}

/** A new device; several adapters can be open in one process. `device.destroy()` when done. */
export async function openDawn(options: DawnOptions = {}): Promise<GPUDevice> {
  return orThrow(await findDawn(options)).device;
}

/** The names of all adapters that Dawn finds, including the software adapters of browsers. */
export async function listDawnAdapters(): Promise<readonly string[]> {
  const dawn = await loadDawn();
  if (!dawn) return [];
  const extra = vulkanDrivers().find(({ name }) => name === "swiftshader")?.file;
  // The list of additional drivers is used only if no list is named.
  const named = process.env.VK_DRIVER_FILES ?? process.env.VK_ICD_FILENAMES;
  const env = !extra
    ? {}
    : named
      ? vulkanEnvironment(`${named}${delimiter}${extra}`)
      : { VK_ADD_DRIVER_FILES: extra };
  const quietly = await quieter();
  const list = async (): Promise<string[]> => {
    const gpu = instance(dawn, ["adapter=(list)"]);
    // The only way to list all of them is to request one that does not exist, and to read the error.
    const text = await quietly(() => gpu.requestAdapter()).then(
      () => "",
      (error: Error) => error.message,
    );
    return [...text.matchAll(/name: '(.*)'/g)].map((match) => match[1] as string);
  };
  const result = turn.then(() => withEnvironment(env, list));
  turn = result.catch(() => {});
  return result;
}
