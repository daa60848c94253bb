/** Dawn, WebGPU for Node: the package `webgpu`, its GPU objects, and the adapters that they find. */
import { createRequire } from "node:module";
import { errorOf, loadFailure, type MissingPart } from "@groupwise/core/target";
import { type Environment, prepareEnvironment, vulkanDrivers, withEnvironment } from "./environment.ts";
import { WHERE } from "./options.ts";
import { quieter } from "./quiet.ts";

interface Dawn {
  create(flags: readonly string[]): GPU;
  readonly globals: Readonly<Record<string, unknown>>;
}

// Dawn's objects do not hold the GPU object that they come from: once that is collected, any further call is a segmentation
// fault. So none is ever let go; there is one for each set of flags and drivers. A variable of a module may be collected.
const ALIVE: unique symbol = Symbol.for("groupwise.dawn");
const global = globalThis as { [ALIVE]?: Map<string, GPU> };
const alive = global[ALIVE] ?? new Map<string, GPU>();
global[ALIVE] = alive;

/** Also defines the globals of WebGPU that this process lacks. @throws GroupwiseError `device-missing` */
async function loadDawn(): Promise<Dawn> {
  prepareEnvironment();
  const dawn = (await import("webgpu" as string).catch((error: unknown) => {
    throw errorOf("device-missing", missingPackage(error), WHERE, error);
  })) as Dawn;
  for (const [name, value] of Object.entries(dawn.globals)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return dawn;
}

/** Its name and version: which texts it makes of WGSL depends on it. */
export function versionOfDawn(): string {
  try {
    return `Dawn ${createRequire(import.meta.url)("webgpu/package.json").version}`;
  } catch {
    return "Dawn";
  }
}

/** What the package lacks that did not load. */
export function missingPackage(error: unknown): MissingPart {
  const reason = loadFailure("webgpu", error);
  const remedy = reason.endsWith("not installed") ? "npm install webgpu" : "npm install webgpu@latest";
  return { what: "Dawn, WebGPU for Node", reason, remedy };
}

/**
 * The adapter of Dawn's flags; one that a flag names and that does not exist is an error of Dawn.
 * @param env variables that the Vulkan loader reads
 * @throws GroupwiseError `device-missing` without the package
 */
export async function requestAdapter(flags: readonly string[], env: Environment): Promise<GPUAdapter | null> {
  const [dawn, quietly] = [await loadDawn(), await quieter()];
  const key = JSON.stringify([flags, env]);
  return withEnvironment(env, () => {
    const gpu = alive.get(key) ?? dawn.create(flags);
    alive.set(key, gpu);
    return quietly(() => gpu.requestAdapter());
  });
}

/** The names of all adapters. Only the refusal of one that does not exist has them. @throws GroupwiseError `device-missing` without the package */
export async function adapterNames(env: Environment): Promise<readonly string[]> {
  await loadDawn();
  const refusal = await requestAdapter(["adapter=(list)"], env).then(() => "", textOf);
  return [...new Set([...refusal.matchAll(/name: '(.*)'/g)].map((match) => match[1] as string))];
}
const textOf = (error: unknown): string => (error as Error).message;

const DRIVERS: Readonly<Record<string, string>> = {
  linux:
    "sudo apt-get install mesa-vulkan-drivers libvulkan1 (Mesa 23 or newer; on Debian 12 from bookworm-backports)",
  darwin: "update macOS: Dawn runs on Metal",
  win32: "install the driver of your GPU's vendor: Dawn runs on Direct3D 12",
};

/** Why Dawn finds no adapter at all. */
export function noAdapter(): MissingPart {
  const files = vulkanDrivers();
  const reason =
    process.platform !== "linux"
      ? "Dawn finds no adapter"
      : files.length === 0
        ? "no Vulkan driver is installed"
        : `Dawn accepts none of the ${files.length} installed Vulkan drivers`;
  const remedy = DRIVERS[process.platform] ?? "install a Vulkan driver";
  return { what: "a GPU adapter for Dawn", reason, remedy };
}
