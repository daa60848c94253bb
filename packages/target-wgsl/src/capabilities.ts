/** What any WebGPU device has, and what a given one has. */
import {
  type Capabilities,
  type LookBack,
  lookBackFor,
  type Subgroups,
  type Unsupported,
} from "@groupwise/core";

// Four items of a word are a load of 16 bytes: more of them stride past the lines that neighbours load.
const TILE: Capabilities["tile"] = { workGroupSize: 256, itemsPerWorkItem: 4 };

/** What every WebGPU device has: its default limits. */
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
  // Two halves in one word would have two writers.
  halfMemory: "f32",
  maxWorkGroupSize: 256,
  workGroupMemory: 16384,
  // Indexes are u32, and rounding n up to whole tiles and dispatches must not pass 2^32.
  maxItems: 0xf0000000,
  tile: TILE,
  // 65,535 groups a dimension: larger dispatches have two, and may be larger than asked for.
  surplusGroups: true,
  splitArrays: true,
  scatter: "native",
  subgroups: { unsupported: "WebGPU devices may lack the feature subgroups" },
  lookBack: { unsupported: "whether work-groups make progress is not known of any device" },
  groupFunctions: [],
  // WGSL lets a device flush subnormals in operations, and suppose that there is no NaN and no infinity;
  // division and conversions of integers are not exactly rounded; operations may be regrouped, fused and cancelled.
  expand: [
    "float-min-max",
    "float-compare",
    "float-to-int",
    "int-to-float",
    "float-divide",
    "float-constants",
    "guard-rounding",
  ],
};

/** For devices with the feature `shader-f16`: WGSL rounds sums and products of halves right, nothing else for sure. */
export function withHalves(capabilities: Capabilities): Capabilities {
  const { scalars, expand } = capabilities;
  return {
    ...capabilities,
    scalars: { ...scalars, f16: "native" },
    expand: ["half-divide", "round-to-half", ...expand],
  };
}

/** The limits of a GPUDevice that a lowering looks at. */
export interface DeviceLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupSizeX: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

/** The parts of a GPUDevice that a lowering looks at. */
export interface DeviceFacts {
  readonly limits: DeviceLimits;
  readonly features?: Pick<ReadonlySet<string>, "has">;
  readonly adapterInfo?: { readonly subgroupMinSize?: number; readonly subgroupMaxSize?: number };
}

// The bounds of WGSL, where a device names none.
const subgroupsOf = ({ adapterInfo }: DeviceFacts): Subgroups => ({
  minSize: adapterInfo?.subgroupMinSize ?? 4,
  maxSize: adapterInfo?.subgroupMaxSize ?? 128,
});

/** Work-items of a subgroup from which on waiting for other work-groups pays: what graphics processors have. */
const WIDE = 32;
/** Walks that look back, where subgroups are those of a graphics processor. */
function lookBackOf(device: DeviceFacts, maxWorkGroupSize: number): LookBack | Unsupported {
  if (!device.features?.has("subgroups")) return { unsupported: "the device has no subgroups" };
  const { minSize } = subgroupsOf(device);
  if (minSize < WIDE)
    return {
      unsupported: `subgroups of ${minSize} work-items: the device hardly hides that one group waits`,
    };
  return lookBackFor(maxWorkGroupSize);
}

/** What a device can do, by its limits and features. */
export function capabilitiesOf(device: DeviceFacts): Capabilities {
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupStorageSize } =
    device.limits;
  const maxWorkGroupSize = Math.min(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX);
  const workGroupSize = Math.min(TILE.workGroupSize, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return {
    ...(device.features?.has("shader-f16") ? withHalves(WGSL_CAPABILITIES) : WGSL_CAPABILITIES),
    maxWorkGroupSize,
    workGroupMemory: maxComputeWorkgroupStorageSize,
    ...(device.features?.has("subgroups") && { subgroups: subgroupsOf(device) }),
    lookBack: lookBackOf(device, maxWorkGroupSize),
    tile: { ...TILE, workGroupSize },
  };
}
