/** The device of a page, and of engines that have `navigator.gpu`. */
/// <reference types="@webgpu/types" preserve="true" />
import { errorOf } from "@groupwise/core/target";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import type { Open } from "../opening.ts";

const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups"];

/** @throws GroupwiseError `device-missing` */
export const openWeb: Open = async (options) => {
  const { navigator } = globalThis as { readonly navigator?: { readonly gpu?: GPU } };
  const adapter = await navigator?.gpu?.requestAdapter();
  if (!adapter) throw errorOf("device-missing", { what: "WebGPU", reason: "navigator.gpu has no adapter" });
  const requiredFeatures = FEATURES.filter((feature) => adapter.features.has(feature));
  return webgpuRuntime(await adapter.requestDevice({ requiredFeatures }), options);
};
