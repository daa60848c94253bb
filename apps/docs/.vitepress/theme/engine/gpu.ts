/** The visitor's GPU. */
import type { CompileProgress, WebGpuRuntime } from "@groupwise/target-wgsl/runtime";

/** A runtime and the name of its device, or why there is none. */
export type FoundGpu =
  | { readonly runtime: WebGpuRuntime; readonly name: string }
  | { readonly missing: string };

const FEATURES: readonly GPUFeatureName[] = ["shader-f16", "subgroups"];
const LIMITS = ["maxStorageBuffersPerShaderStage", "maxStorageBufferBindingSize", "maxBufferSize"] as const;

/**
 * Opens the device. A lost device is opened again by the next call, so callers do not keep the answer.
 * @param onCompile called for kernels that take long to compile
 */
export async function openGpu(onCompile: (progress: CompileProgress) => void): Promise<FoundGpu> {
  const gpu = (globalThis.navigator as Partial<Navigator>).gpu;
  if (!gpu) return { missing: "this browser has no WebGPU" };
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" }).catch(() => null);
  if (!adapter) return { missing: "this browser has WebGPU, but found no GPU for it" };
  const requiredFeatures = FEATURES.filter((feature) => adapter.features.has(feature));
  const requiredLimits = Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]]));
  const device = await adapter.requestDevice({ requiredFeatures, requiredLimits });
  const { webgpuRuntime } = await import("@groupwise/target-wgsl/runtime");
  const { vendor, architecture, description } = adapter.info;
  const name = description || [vendor, architecture].filter(Boolean).join(" ") || "GPU";
  return { runtime: webgpuRuntime(device, { name, onCompile }), name };
}
