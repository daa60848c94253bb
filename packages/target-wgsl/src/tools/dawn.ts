/** WebGPU in Node: the adapters that Dawn finds. */
import type { Runtime, Tuning } from "@groupwise/core";
import {
  type DeviceSurvey,
  errorOf,
  type FoundDevice,
  firstLine,
  loadFailure,
  type MissingPart,
  surveyMissing,
} from "@groupwise/core/target";
import { prepareEnvironment, vulkanDrivers, vulkanEnvironment } from "./environment.ts";
import { quieter } from "./quiet.ts";

interface Dawn {
  create(flags: readonly string[]): GPU;
  readonly globals: Readonly<Record<string, unknown>>;
}

const FEATURES: readonly string[] = ["shader-f16", "subgroups", "timestamp-query"];
/** Otherwise Dawn's clock ticks every 0.1 ms. */
const EXACT_TIMES: readonly string[] = ["disable-dawn-features=timestamp_quantization"];
const LIMITS = [
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
] as const;

// Dawn's objects do not hold the GPU object that they come from: once that is collected, any further call
// is a segmentation fault. So none is ever let go; there is one per set of flags.
const ALIVE = new Map<string, GPU>();

async function loadDawn(): Promise<Dawn> {
  prepareEnvironment();
  Object.assign(process.env, vulkanEnvironment());
  const dawn = (await import("webgpu" as string)) as Dawn;
  for (const [name, value] of Object.entries(dawn.globals)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return dawn;
}

function instance(dawn: Dawn, flags: readonly string[]): GPU {
  const key = flags.join(" ");
  const gpu = ALIVE.get(key) ?? dawn.create(flags);
  ALIVE.set(key, gpu);
  return gpu;
}

async function requestAdapter(dawn: Dawn, flags: readonly string[]): Promise<GPUAdapter | null> {
  const quietly = await quieter();
  return quietly(() => instance(dawn, flags).requestAdapter());
}

/** Only the refusal of an adapter that does not exist names all that do. */
async function adapterNames(dawn: Dawn): Promise<string[]> {
  const refusal = await requestAdapter(dawn, ["adapter=(list)"]).then(() => "", firstText);
  return [...refusal.matchAll(/name: '(.*)'/g)].map((match) => match[1] as string);
}
const firstText = (error: unknown): string => (error as Error).message;

/** Every adapter of Dawn; opens none. */
export async function findWebGpu(): Promise<DeviceSurvey> {
  let dawn: Dawn;
  try {
    dawn = await loadDawn();
  } catch (error) {
    const reason = loadFailure("webgpu", error);
    const remedy = reason.endsWith("not installed") ? "npm install webgpu" : "npm install webgpu@latest";
    return surveyMissing("Dawn, WebGPU for Node", reason, remedy);
  }
  const names = await adapterNames(dawn);
  if (names.length === 0) return { devices: [], missing: [noAdapter()] };
  const ranked = [...new Set(names)].sort((a, b) => slowness(a) - slowness(b));
  return { devices: ranked.map((name) => deviceOf(dawn, name)), missing: [] };
}

/** GPUs first, then the software adapters, the slowest last. */
const slowness = (name: string): number =>
  ["llvmpipe", "SwiftShader"].findIndex((part) => name.includes(part));

function noAdapter(): MissingPart {
  const what = "a GPU adapter for Dawn";
  const files = vulkanDrivers();
  const remedies: Readonly<Record<string, string>> = {
    linux:
      "sudo apt-get install mesa-vulkan-drivers libvulkan1 (Mesa 23 or newer; on Debian 12 from bookworm-backports)",
    darwin: "update macOS: Dawn runs on Metal",
    win32: "install the driver of your GPU's vendor: Dawn runs on Direct3D 12",
  };
  const reason =
    process.platform !== "linux"
      ? "Dawn finds no adapter"
      : files.length === 0
        ? "no Vulkan driver is installed"
        : `Dawn accepts none of the ${files.length} installed Vulkan drivers`;
  return { what, reason, remedy: remedies[process.platform] ?? "install a Vulkan driver" };
}

function deviceOf(dawn: Dawn, name: string): FoundDevice {
  return {
    name,
    driver: "Dawn",
    subnormals: "unspecified",
    facts: async () => {
      const adapter = await adapterOf(dawn, name);
      const limits = LIMITS.map((limit) => [limit, adapter.limits[limit] as number] as const);
      const { vendor, architecture, description } = adapter.info;
      return {
        adapter: [vendor, architecture, description].filter(Boolean).join(", "),
        features: FEATURES.filter((feature) => adapter.features.has(feature as GPUFeatureName)),
        ...Object.fromEntries(limits),
      };
    },
    open: ({ tuning, clock } = {}) => open(dawn, name, tuning, clock ? EXACT_TIMES : []),
  };
}

async function adapterOf(dawn: Dawn, name: string, flags: readonly string[] = []): Promise<GPUAdapter> {
  const adapter = await requestAdapter(dawn, [`adapter=${name}`, ...flags]).catch(firstLine);
  if (adapter !== null && typeof adapter === "object") return adapter;
  throw errorOf("device-missing", { what: name, reason: adapter ?? "Dawn no longer finds it" });
}

async function open(
  dawn: Dawn,
  name: string,
  tuning: Tuning | undefined,
  flags: readonly string[],
): Promise<Runtime> {
  const { webgpuRuntime } = await import("../runtime.ts");
  const adapter = await adapterOf(dawn, name, flags);
  const requiredLimits: Record<string, number> = {};
  for (const limit in adapter.limits) {
    requiredLimits[limit] = (adapter.limits as unknown as Record<string, number>)[limit] as number;
  }
  const requiredFeatures = FEATURES.filter((f) =>
    adapter.features.has(f as GPUFeatureName),
  ) as GPUFeatureName[];
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
  const runtime = webgpuRuntime(device, tuning && { tuning });
  return {
    device: { ...runtime.device, name },
    // A compilation may find that subgroups cannot be used.
    get capabilities() {
      return runtime.capabilities;
    },
    sliceAlignment: runtime.sliceAlignment,
    compile: (source, options) => runtime.compile(source, options),
    array: (type, lengthOrValues) => runtime.array(type, lengthOrValues),
    record: () => runtime.record(),
    ...(runtime.deviceTime && { deviceTime: runtime.deviceTime }),
    dispose: () => {
      runtime.dispose();
      device.destroy();
    },
  };
}
