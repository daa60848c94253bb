/** Capabilities of any WebGPU device, and of a given one. */

import type { Capabilities } from "@groupwise/core";
import type { LookBack, LookBackTraits, Subgroups } from "@groupwise/core/target";
import {
  LIST,
  lookBackFor,
  NUMBER,
  OBJECT,
  type Remedy,
  requireArguments,
  shaped,
  type Unsupported,
  withRemedies,
} from "@groupwise/core/target";
import { FAST_BOUNDS } from "./fast.ts";
import { OWN } from "./own.ts";
import { LEAST_GROUP, QUIRKS } from "./quirks.ts";

// Four items of one word are a load of 16 bytes; with more, neighbouring work-items load different cache
// lines. A reduce writes nothing there, and has half as many groups with eight: 3870 GB/s and not 3010 on an
// H200.
const TILE: Capabilities["tile"] = { workGroupSize: 256, itemsPerWorkItem: 4, reducedPerWorkItem: 8 };

const TALL = { workGroupSize: 128, rows: 16 };
/**
 * For 2^26 items an H100 takes, with the default sizes and with these: u32 204 and 195 us, f16 124 and 117. Emulated 64-bit values take longer with
 * them.
 */
const TRAITS: LookBackTraits = { kinds: { word: TALL, pairs: TALL, segments: TALL } };

/** Arrays that a kernel accesses: the default of the limit `maxStorageBuffersPerShaderStage`. */
const LEAST_ARRAYS = 8;

/** Capabilities of a WebGPU device with the default limits that computes what WGSL defines, as a probe shows. */
export const WGSL_CAPABILITIES: Capabilities = {
  execution: "simt",
  scalars: {
    i32: "native",
    u32: "native",
    i64: "emulated",
    u64: "emulated",
    f16: "emulated",
    f32: "native",
    f64: "emulated",
    bool: "native",
  },
  halfMemory: "u16",
  boolMemory: "u32",
  subnormals: "exact",
  lookBackTraits: TRAITS,
  // 8 and 16 bits are no types of its arrays.
  narrow: "words",
  maxWorkGroupSize: 256,
  workGroupMemory: 16384,
  // Indexes are u32, and rounding n up to whole tiles and dispatches must not pass 2^32.
  maxItems: 0xf0000000,
  tile: TILE,
  // Dispatches of more than 65,535 work-groups have two dimensions, and may have surplus work-groups.
  surplusGroups: true,
  guardsAccesses: true,
  // Every device binds as many arrays.
  mixedRows: LEAST_ARRAYS,
  arraysPerKernel: LEAST_ARRAYS,
  splitArrays: true,
  routines: "module-arrays",
  scatter: "native",
  subgroups: { unsupported: "WebGPU devices may lack the feature subgroups" },
  shuffles: QUIRKS.shuffleXor.value,
  lookBack: { unsupported: "no device is known to guarantee progress of work-groups" },
  groupFunctions: [],
  leastGroup: LEAST_GROUP,
  // WGSL allows a device to assume that there is no NaN and no infinity; division
  // and conversions of integers are not correctly rounded; operations may be regrouped, fused and cancelled.
  expand: [
    "float-min-max",
    "float-compare",
    "float-to-int",
    "int-to-float",
    "float-divide",
    "float-constants",
    "guard-rounding",
    ...QUIRKS.minusZero.value,
  ],
  own: Object.keys(OWN),
  fast: FAST_BOUNDS,
};

export const CAREFUL_DIVISION: readonly Remedy[] = ["int-divide", "int-remainder"];
/** For a device that no probe has seen: translations to OpenGL ES have its division, which leaves negative operands and 0 open. */
export const CAREFUL: Capabilities = /*@__PURE__*/ withRemedies(WGSL_CAPABILITIES, CAREFUL_DIVISION);

const CAPABILITIES = /*@__PURE__*/ shaped("capabilities", { scalars: OBJECT, expand: LIST });

/**
 * For devices with the feature `shader-f16`: WGSL guarantees correct rounding only for sums and products of
 * halves.
 * @category Authors
 */
export function withHalves(capabilities: Capabilities): Capabilities {
  requireArguments(arguments, "withHalves", { capabilities: CAPABILITIES });
  const { scalars, expand } = capabilities;
  return {
    ...capabilities,
    scalars: { ...scalars, f16: "native" },
    expand: ["half-divide", "round-to-half", ...expand],
  };
}

/** The limits of a GPUDevice that a lowering uses. */
export interface DeviceLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupSizeX: number;
  readonly maxComputeWorkgroupStorageSize: number;
  /** The default is that of WebGPU, 8. */
  readonly maxStorageBuffersPerShaderStage?: number;
}

/** The properties of a GPUDevice that a lowering uses. */
export interface DeviceFacts {
  readonly limits: DeviceLimits;
  readonly features?: Pick<ReadonlySet<string>, "has">;
  readonly adapterInfo?: { readonly subgroupMinSize?: number; readonly subgroupMaxSize?: number };
}

// The bounds of WGSL, if a device reports none.
const subgroupsOf = ({ adapterInfo }: DeviceFacts): Subgroups => ({
  minSize: adapterInfo?.subgroupMinSize ?? 4,
  maxSize: adapterInfo?.subgroupMaxSize ?? 128,
  ballots: true,
  ranksByBallots: true,
});

/** For devices with subgroups, all of which vote. */
export function withVotes(capabilities: Capabilities): Capabilities {
  const { subgroups } = capabilities;
  return "unsupported" in subgroups
    ? capabilities
    : { ...capabilities, subgroups: { ...subgroups, ballots: true, ranksByBallots: true } };
}

/** Minimum subgroup size for look-back, as GPUs have it. */
const WIDE = 32;
/** Look-back, if the subgroups are those of a GPU. */
function lookBackOf(device: DeviceFacts, maxWorkGroupSize: number): LookBack | Unsupported {
  if (!device.features?.has("subgroups")) return { unsupported: "the device has no subgroups" };
  const { minSize } = subgroupsOf(device);
  if (minSize < WIDE)
    return {
      unsupported: `subgroups of ${minSize} work-items: the device is assumed not to hide the waiting of a work-group`,
    };
  return lookBackFor({ maxWorkGroupSize, lookBackTraits: TRAITS });
}

const DEVICE = /*@__PURE__*/ shaped("a GPUDevice", {
  limits: /*@__PURE__*/ shaped("limits", {
    maxComputeInvocationsPerWorkgroup: NUMBER,
    maxComputeWorkgroupSizeX: NUMBER,
    maxComputeWorkgroupStorageSize: NUMBER,
  }),
});

/**
 * The capabilities of a device, from its limits and features.
 * @category Authors
 */
export function capabilitiesOf(device: DeviceFacts): Capabilities {
  requireArguments(arguments, "capabilitiesOf", { device: DEVICE });
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupStorageSize } =
    device.limits;
  const { maxStorageBuffersPerShaderStage: arraysPerKernel = LEAST_ARRAYS } = device.limits;
  const maxWorkGroupSize = Math.min(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX);
  const workGroupSize = Math.min(TILE.workGroupSize, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return {
    ...(device.features?.has("shader-f16") ? withHalves(WGSL_CAPABILITIES) : WGSL_CAPABILITIES),
    maxWorkGroupSize,
    workGroupMemory: maxComputeWorkgroupStorageSize,
    arraysPerKernel,
    ...(device.features?.has("subgroups") && { subgroups: subgroupsOf(device) }),
    lookBack: lookBackOf(device, maxWorkGroupSize),
    tile: { ...TILE, workGroupSize },
  };
}
