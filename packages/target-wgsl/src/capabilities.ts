/** What any WebGPU device has, and what a given one has. */
import { type Capabilities, SCALAR_NAMES, type Scalar, type Subgroups, type Support } from "@groupwise/core";
import { SPELLING } from "./spelling.ts";

const scalars = Object.fromEntries(
  SCALAR_NAMES.map((type): [Scalar, Support] => {
    const spelling = SPELLING[type];
    return [type, "unsupported" in spelling ? spelling : "native"];
  }),
) as Record<Scalar, Support>;

const TILE: Capabilities["tile"] = { workGroupSize: 256, itemsPerWorkItem: 8 };

/** What every WebGPU device has: its default limits. */
export const WGSL_CAPABILITIES: Capabilities = {
  execution: "simt",
  scalars,
  maxWorkGroupSize: 256,
  workGroupMemory: 16384,
  // Indexes are u32, and rounding n up to whole tiles and dispatches must not pass 2^32.
  maxItems: 0xf0000000,
  tile: TILE,
  // 65,535 groups a dimension: larger dispatches have two, and may be larger than asked for.
  surplusGroups: true,
  scatter: "native",
  subgroups: { unsupported: "WebGPU devices may lack the feature subgroups" },
  groupFunctions: [],
  // WGSL lets a device flush subnormals in operations, and suppose that there is no NaN and no infinity;
  // division and conversions of integers are not exactly rounded; a product and a sum may become one operation.
  expand: [
    "float-min-max",
    "float-compare",
    "float-to-int",
    "int-to-float",
    "float-divide",
    "float-constants",
    "guard-products",
  ],
};

/** The limits of a GPUDevice that a lowering looks at. */
export interface DeviceLimits {
  readonly maxComputeInvocationsPerWorkgroup: number;
  readonly maxComputeWorkgroupSizeX: number;
  readonly maxComputeWorkgroupStorageSize: number;
}

/** The parts of a GPUDevice that a lowering looks at. */
export interface DeviceFacts {
  readonly limits: DeviceLimits;
  readonly features?: { has(name: string): boolean };
  readonly adapterInfo?: { readonly subgroupMinSize?: number; readonly subgroupMaxSize?: number };
}

// The bounds of WGSL, where a device names none.
const subgroupsOf = ({ adapterInfo }: DeviceFacts): Subgroups => ({
  minSize: adapterInfo?.subgroupMinSize ?? 4,
  maxSize: adapterInfo?.subgroupMaxSize ?? 128,
});

/** What a device can do, by its limits and features. */
export function capabilitiesOf(device: DeviceFacts): Capabilities {
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupStorageSize } =
    device.limits;
  const maxWorkGroupSize = Math.min(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX);
  const workGroupSize = Math.min(TILE.workGroupSize, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return {
    ...WGSL_CAPABILITIES,
    maxWorkGroupSize,
    workGroupMemory: maxComputeWorkgroupStorageSize,
    ...(device.features?.has("subgroups") && { subgroups: subgroupsOf(device) }),
    tile: { ...TILE, workGroupSize },
  };
}
