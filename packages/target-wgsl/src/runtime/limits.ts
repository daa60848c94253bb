/** What a device must allow: for a pipeline at all, and for a number of items. */
import { errorOf, evaluate, itemsIn, type Manifest } from "@groupwise/core";
import { bytesOf } from "./memory.ts";

/** The parameters' binding, which stands before the arrays'. */
const PARAMS = 1;

/** @throws GroupwiseError `device-limit`; `unsupported` for a feature that the device was not asked for */
export function checkDevice(
  manifest: Manifest,
  limits: GPUSupportedLimits,
  features: GPUSupportedFeatures,
): void {
  for (const what of manifest.requires) {
    const reason = "the device was made without the feature; ask for it in requestDevice, or emit without";
    if (!features.has(what)) throw errorOf("unsupported", { what, reason }, `pipeline ${manifest.pipeline}`);
  }
  const need = (what: string, needed: number, limit: number, where: string): void => {
    if (needed > limit) throw errorOf("device-limit", { what, need: needed, limit }, where);
  };
  const where = `pipeline ${manifest.pipeline}`;
  const bindings = manifest.bindings.length + PARAMS;
  need("bindings per bind group (maxBindingsPerBindGroup)", bindings, limits.maxBindingsPerBindGroup, where);
  for (const pass of manifest.passes) {
    const at = `${where}, pass ${pass.entryPoint}`;
    const arrays = "arrays in one pass (maxStorageBuffersPerShaderStage)";
    need(arrays, pass.bindings.length, limits.maxStorageBuffersPerShaderStage, at);
    const most = Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
    need("work-items in a work-group", pass.workGroupSize, most, at);
    const bytes = "bytes of work-group memory (maxComputeWorkgroupStorageSize)";
    need(bytes, pass.workGroupBytes, limits.maxComputeWorkgroupStorageSize, at);
  }
}

/** Why so many items do not fit; undefined where they do. */
function obstacle(
  manifest: Manifest,
  limits: GPUSupportedLimits,
  sides: readonly number[],
): string | undefined {
  if (itemsIn(sides) > manifest.maxItems) return "the index arithmetic";
  for (const binding of manifest.bindings) {
    const bytes = bytesOf(binding, sides);
    if (bytes > limits.maxStorageBufferBindingSize)
      return `the device's maxStorageBufferBindingSize of ${limits.maxStorageBufferBindingSize} bytes, for ${binding.name},`;
    if (bytes > limits.maxBufferSize)
      return `the device's maxBufferSize of ${limits.maxBufferSize} bytes, for ${binding.name},`;
  }
  const perDimension = limits.maxComputeWorkgroupsPerDimension;
  const tooMany = manifest.passes.some((pass) => evaluate(pass.groups, sides) > perDimension ** 2);
  return tooMany ? `the device's ${perDimension} work-groups per dimension` : undefined;
}

/** @throws GroupwiseError `too-many-items`, with the number that would fit if the last side were shorter */
export function checkItems(manifest: Manifest, limits: GPUSupportedLimits, sides: readonly number[]): void {
  const why = obstacle(manifest, limits, sides);
  if (why === undefined) return;
  const others = sides.slice(0, -1);
  let [fits, limit] = [0, sides.at(-1) as number];
  while (limit - fits > 1) {
    const middle = Math.floor((fits + limit) / 2);
    if (obstacle(manifest, limits, [...others, middle]) === undefined) fits = middle;
    else limit = middle;
  }
  const details = { n: itemsIn(sides), limit: itemsIn([...others, fits]), why };
  throw errorOf("too-many-items", details, `pipeline ${manifest.pipeline}`);
}

/** Work-groups of a dispatch in two dimensions, as few too many as possible. */
export function gridOf(groups: number, perDimension: number): readonly [number, number] {
  const rows = Math.ceil(groups / perDimension);
  return [Math.ceil(groups / rows), rows];
}
