/** What any WebGPU device has, and what a given one has. */
import { type Capabilities, SCALAR_NAMES, type Scalar, type Support } from "@groupwise/core";
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

/** What a device can do, by its limits. */
export function capabilitiesOf(device: { readonly limits: DeviceLimits }): Capabilities {
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupStorageSize } =
    device.limits;
  const maxWorkGroupSize = Math.min(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX);
  const workGroupSize = Math.min(TILE.workGroupSize, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return {
    ...WGSL_CAPABILITIES,
    maxWorkGroupSize,
    workGroupMemory: maxComputeWorkgroupStorageSize,
    tile: { ...TILE, workGroupSize },
  };
}
