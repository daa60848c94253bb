/** WebGPU in Node: the adapters that Dawn finds. */
import type { Runtime } from "@groupwise/core";
import type { DeviceSurvey, FoundDevice, OpenOptions } from "@groupwise/core/target";
import { adapterNames, missingPackage, noAdapter, versionOfDawn } from "../node/dawn.ts";
import { adapterOf, FEATURES, nodeDevice } from "../node/device.ts";
import { browserDrivers } from "../node/environment.ts";

const LIMITS = [
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
] as const;

/** Every adapter of Dawn; opens none. */
export async function findWebGpu(): Promise<DeviceSurvey> {
  let names: readonly string[];
  try {
    names = await adapterNames(browserDrivers());
  } catch (error) {
    return { devices: [], missing: [missingPackage((error as Error).cause)] };
  }
  if (names.length === 0) return { devices: [], missing: [noAdapter()] };
  const ranked = [...names].sort((a, b) => slowness(a) - slowness(b));
  return { devices: ranked.map(deviceOf), missing: [] };
}

/** GPUs first, then the software adapters, the slowest last. */
const slowness = (name: string): number =>
  ["llvmpipe", "SwiftShader"].findIndex((part) => name.includes(part));

const deviceOf = (name: string): FoundDevice => ({
  name,
  driver: versionOfDawn(),
  subnormals: "unspecified",
  facts: async () => {
    const adapter = await adapterOf({ adapter: name }, browserDrivers());
    const limits = LIMITS.map((limit) => [limit, adapter.limits[limit] as number] as const);
    const { vendor, architecture, description } = adapter.info;
    return {
      adapter: [vendor, architecture, description].filter(Boolean).join(", "),
      features: FEATURES.filter((feature) => adapter.features.has(feature)),
      ...Object.fromEntries(limits),
    };
  },
  open: (options) => open(name, options),
});

async function open(name: string, { tuning, probed, clock }: OpenOptions = {}): Promise<Runtime> {
  const { webgpuRuntime } = await import("../../runtime.ts");
  const device = await nodeDevice({ adapter: name, ...(clock && { disable: ["timestamp_quantization"] }) });
  const runtime = webgpuRuntime(device, { ...(tuning && { tuning }), ...(probed && { probed }) });
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
    stats: () => runtime.stats(),
    ...(runtime.probe && { probe: runtime.probe }),
    ...(runtime.probed && { probed: runtime.probed }),
    ...(runtime.deviceTime && { deviceTime: runtime.deviceTime }),
    dispose: () => {
      runtime.dispose();
      device.destroy();
    },
  };
}
