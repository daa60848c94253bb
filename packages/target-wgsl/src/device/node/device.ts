/** Opens devices of Dawn. */
import { GroupwiseError } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { adapterNames, noAdapter, requestAdapter } from "./dawn.ts";
import { browserDrivers, type Environment } from "./environment.ts";
import { flagsOf, type NodeDeviceOptions, nodeDeviceOptions, WHERE } from "./options.ts";

/** What pipelines use: halves, shuffles, and the time on the device. */
export const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups", "timestamp-query"];

/** A device and where it comes from. */
export interface OpenDevice {
  readonly adapter: GPUAdapter;
  readonly device: GPUDevice;
}

/** @throws GroupwiseError `device-missing` */
export async function adapterOf(options: NodeDeviceOptions, env: Environment): Promise<GPUAdapter> {
  let refusal: unknown;
  const adapter = await requestAdapter(flagsOf(options), env).catch((error: unknown) => {
    if (error instanceof GroupwiseError) throw error;
    refusal = error; // Dawn's own, of a name that no adapter has
  });
  if (adapter) return adapter;
  const names = await adapterNames(browserDrivers());
  if (names.length === 0) throw errorOf("device-missing", noAdapter(), WHERE, refusal);
  const what = options.adapter === undefined ? "Dawn's adapter" : `the adapter "${options.adapter}"`;
  const reason = `Dawn finds ${names.map((name) => `"${name}"`).join(", ")}`;
  const remedy = "set the option `adapter` to a part of one of these names";
  throw errorOf("device-missing", { what, reason, remedy }, WHERE, refusal);
}

/** A new device. @throws GroupwiseError `device-missing` */
export async function openDevice(options: NodeDeviceOptions, env: Environment): Promise<OpenDevice> {
  const adapter = await adapterOf(options, env);
  const { features = FEATURES, limits = "most" } = options;
  const requiredLimits: Record<string, number> = {};
  for (const limit in limits === "most" ? adapter.limits : {})
    requiredLimits[limit] = adapter.limits[limit as keyof GPUSupportedLimits] as number;
  const requiredFeatures = features.filter((feature) => adapter.features.has(feature));
  return { adapter, device: await adapter.requestDevice({ requiredFeatures, requiredLimits }) };
}

/**
 * Opens a device in Node, by the package `webgpu`, which has to be installed: Dawn, the WebGPU of Chromium. It has all limits of its
 * adapter and the features that pipelines use. Dawn's GPU object is held until the process ends, since calls of a device
 * whose GPU object was collected crash. The globals of WebGPU, such as `GPUBufferUsage`, are defined if they are not. End with `device.destroy()`.
 * @throws GroupwiseError `device-missing` if the package is not installed or no adapter has the name; `bad-argument`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
 * import { nodeDevice } from "@groupwise/target-wgsl/node";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const program = await webgpuRuntime(await nodeDevice({ adapter: "NVIDIA" })).compile(sums);
 * const { y } = await program.run({ x: Float32Array.of(1, 2, 4) });
 * console.log(y); // [1, 3, 7]
 * ```
 */
export async function nodeDevice(options?: NodeDeviceOptions): Promise<GPUDevice> {
  const given = nodeDeviceOptions(options);
  // SwiftShader only for those who name it: Dawn might prefer it.
  const env = given.adapter === undefined ? {} : browserDrivers();
  return (await openDevice(given, env)).device;
}
