/** The device of a page, and of engines that have `navigator.gpu`. */
/// <reference types="@webgpu/types" preserve="true" />
import type { Runtime } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";

const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups"];

/** @throws GroupwiseError `device-missing` */
export async function openWeb(): Promise<Runtime> {
  const { navigator } = globalThis as { readonly navigator?: { readonly gpu?: GPU } };
  const adapter = await navigator?.gpu?.requestAdapter();
  if (!adapter) throw errorOf("device-missing", { what: "WebGPU", reason: "navigator.gpu has no adapter" });
  const requiredFeatures = FEATURES.filter((feature) => adapter.features.has(feature));
  return webgpuRuntime(await adapter.requestDevice({ requiredFeatures }));
}
