/** The limits that a pipeline needs: in general, and for a number of items. */
import { type Binding, evaluate, type Manifest, type Pass } from "@groupwise/core";
import type { Sides, Split } from "@groupwise/core/target";
import { errorOf, extentOf, itemsIn } from "@groupwise/core/target";
import { featuresIn } from "../print/half-conversions.ts";
import { bytesOf } from "./memory.ts";
import { partBytesOf } from "./parts.ts";

/** The limits of a device that runs depend on. */
const LIMITS = [
  "maxBindingsPerBindGroup",
  "maxBufferSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxComputeWorkgroupStorageSize",
  "maxComputeWorkgroupsPerDimension",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "minStorageBufferOffsetAlignment",
] as const;

/** The limits of a device that runs depend on. */
export type Limits = Readonly<Record<(typeof LIMITS)[number], number>>;

/** The limits of a device, or smaller ones for tests. */
export function limitsOf(device: GPUDevice, smaller: Partial<Limits> = {}): Limits {
  const limits = LIMITS.map((name) => [name, Math.min(device.limits[name], smaller[name] ?? Infinity)]);
  // The alignment is one that grows worse as it grows.
  const minStorageBufferOffsetAlignment = device.limits.minStorageBufferOffsetAlignment;
  return { ...(Object.fromEntries(limits) as Limits), minStorageBufferOffsetAlignment };
}

/** The parameters' binding, which precedes those of the arrays. */
const PARAMS = 1;

/** How often an array, or each of its parts, is bound. */
const timesOf = ({ rowSlot }: Binding): number => (rowSlot === undefined ? 1 : 2);
const bindingsFor = (binding: Binding): number => (binding.parts ?? 1) * timesOf(binding);
const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

/**
 * @throws GroupwiseError `device-limit`; `unsupported` for a feature that was not requested for the device
 */
export function checkDevice(manifest: Manifest, limits: Limits, features: GPUSupportedFeatures): void {
  for (const what of featuresIn(manifest)) {
    const reason =
      "the device was created without the feature; request it in requestDevice, or emit without it";
    if (!features.has(what)) throw errorOf("unsupported", { what, reason }, `pipeline ${manifest.pipeline}`);
  }
  const need = (what: string, needed: number, limit: number, where: string): void => {
    if (needed > limit) throw errorOf("device-limit", { what, need: needed, limit }, where);
  };
  const where = `pipeline ${manifest.pipeline}`;
  const bindings = sum(manifest.bindings.map(bindingsFor)) + PARAMS;
  need("bindings per bind group (maxBindingsPerBindGroup)", bindings, limits.maxBindingsPerBindGroup, where);
  for (const pass of manifest.passes) {
    const at = `${where}, pass ${pass.entryPoint}`;
    const arrays = "arrays in one pass (maxStorageBuffersPerShaderStage)";
    need(arrays, bindingsOf(manifest, pass, bindingsFor), limits.maxStorageBuffersPerShaderStage, at);
    const most = Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX);
    need("work-items in a work-group", pass.workGroupSize, most, at);
    const bytes = "bytes of work-group memory (maxComputeWorkgroupStorageSize)";
    need(bytes, pass.workGroupBytes, limits.maxComputeWorkgroupStorageSize, at);
  }
}

/** Bindings of a pass; `count` returns the number for each array. */
function bindingsOf(manifest: Manifest, pass: Pass, count: (binding: Binding) => number): number {
  const used = pass.bindings.map(({ name }) => manifest.bindings.find((b) => b.name === name) as Binding);
  return sum(used.map(count));
}

/** Bindings that an array of a range needs. */
const partsFor = (binding: Binding, limits: Limits, sides: Sides): number =>
  Math.ceil(bytesOf(binding, sides) / partBytesOf(limits));

/** The arrays that are too large for one binding, with their numbers of parts; undefined if there are none. */
export function splitFor(manifest: Manifest, limits: Limits, sides: Sides): Split | undefined {
  const counted = manifest.bindings.map((b): [string, number] => [b.name, partsFor(b, limits, sides)]);
  const parts = counted.filter(([, count]) => count > 1);
  if (parts.length === 0) return undefined;
  const count = (binding: Binding): number => partsFor(binding, limits, sides) * timesOf(binding);
  const isBound = manifest.passes.every(
    (pass) => bindingsOf(manifest, pass, count) <= limits.maxStorageBuffersPerShaderStage,
  );
  const twice = manifest.bindings.filter((b) => isBound && timesOf(b) > 1).map(({ name }) => name);
  return {
    partBytes: partBytesOf(limits),
    parts: Object.fromEntries(parts),
    ...(twice.length > 0 && { twice }),
  };
}

/** The reason why the items do not fit; undefined if they do. */
type Obstacle = (manifest: Manifest, limits: Limits, sides: Sides) => string | undefined;

/** The reason, if every array has the bindings of the manifest. */
const ofBindings: Obstacle = (manifest, limits, sides) => {
  for (const binding of manifest.bindings) {
    const bytes = bytesOf(binding, sides);
    const { name, parts, partElements = 0, bytesPerElement } = binding;
    const most = limits.maxStorageBufferBindingSize;
    if (parts !== undefined && bytes > parts * partElements * bytesPerElement)
      return `the ${parts} parts of ${name}, as it was emitted,`;
    if (parts === undefined && bytes > most)
      return `the device's maxStorageBufferBindingSize of ${most} bytes, for ${name},`;
    if (parts === undefined && bytes > limits.maxBufferSize)
      return `the device's maxBufferSize of ${limits.maxBufferSize} bytes, for ${name},`;
  }
  return undefined;
};

/** The reason, if long arrays may have more bindings. */
const ofParts: Obstacle = (manifest, limits, sides) => {
  const most = limits.maxStorageBuffersPerShaderStage;
  const count = (binding: Binding): number => partsFor(binding, limits, sides);
  const full = manifest.passes.find((pass) => bindingsOf(manifest, pass, count) > most);
  return full
    ? `the device's maxStorageBuffersPerShaderStage of ${most} bindings of ${partBytesOf(limits)} bytes each, in pass ${full.entryPoint},`
    : undefined;
};

function obstacle(manifest: Manifest, limits: Limits, sides: Sides, ofArrays: Obstacle): string | undefined {
  if (itemsIn(sides) > manifest.maxItems) return "the index arithmetic";
  const why = ofArrays(manifest, limits, sides);
  if (why !== undefined) return why;
  const perDimension = limits.maxComputeWorkgroupsPerDimension;
  const tooMany = manifest.passes.some((pass) => evaluate(pass.groups, sides) > perDimension ** 2);
  return tooMany ? `the device's ${perDimension} work-groups per dimension` : undefined;
}

/**
 * @param canSplit arrays may be split into more bindings than the manifest has
 * @throws GroupwiseError `too-many-items`, with the number that would fit if the last side were shorter
 */
export function checkItems(manifest: Manifest, limits: Limits, sides: Sides, canSplit: boolean): void {
  const ofArrays = canSplit ? ofParts : ofBindings;
  const why = obstacle(manifest, limits, sides, ofArrays);
  if (why === undefined) return;
  const extent = extentOf(sides);
  const others = extent.globalSize.slice(0, -1);
  const withLast = (last: number): Sides => ({ ...extent, globalSize: [...others, last] });
  let [fits, limit] = [0, extent.globalSize.at(-1) as number];
  while (limit - fits > 1) {
    const middle = Math.floor((fits + limit) / 2);
    if (obstacle(manifest, limits, withLast(middle), ofArrays) === undefined) fits = middle;
    else limit = middle;
  }
  const details = { n: itemsIn(sides), limit: itemsIn(withLast(fits)), why };
  throw errorOf("too-many-items", details, `pipeline ${manifest.pipeline}`);
}

/**
 * Work-groups of a dispatch in two dimensions, with as few surplus work-groups as possible. A third dimension
 * is never needed: 65,535 squared is more than the number of items of any run.
 */
export function gridOf(groups: number, perDimension: number): readonly [number, number] {
  const rows = Math.ceil(groups / perDimension);
  return [Math.ceil(groups / rows), rows];
}
