/** Capabilities of OpenCL devices: of any device, and of a given one. */

import type { Capabilities, Vectors } from "@groupwise/core";
import {
  BOOLEAN,
  type CoreChunks,
  chunksFor,
  type Expansion,
  GROUP_FEATURES,
  type GroupFeature,
  hasWideSubgroups,
  LIST,
  type LookBackTraits,
  lookBackFor,
  NUMBER,
  OBJECT,
  oneOf,
  optionsOf,
  requireArguments,
  type Subgroups,
  shaped,
  TEXT,
  type TilesByKind,
  type Wanted,
  withRemedies,
} from "@groupwise/core/target";
import type { OpenClDevice } from "../device/device.ts";
import { FAST_BOUNDS } from "./fast.ts";
import { OWN } from "./own.ts";
import { QUIRKS } from "./quirks.ts";
import { WARP } from "./warps.ts";

/** The language leaves `min` and `max` of floats and integer division by 0 open; the others are quirks. */
const ALWAYS: readonly Expansion[] = [
  "float-min-max",
  ...QUIRKS.floatCompare.value,
  "int-divide",
  ...QUIRKS.leastMagnitude.value,
  ...QUIRKS.nanToWide.value,
];
/** Quirks of drivers for GPUs alone. */
const OF_GPUS: ReadonlySet<Expansion> = new Set([
  ...QUIRKS.floatCompare.value,
  ...QUIRKS.nanToWide.value,
  ...QUIRKS.fusedQuotient.value,
]);

/** Options that depend on the device or the user. */
export interface OpenClChoices {
  /**
   * Division of 32-bit floats. `exact` works everywhere, in integers; `native` is the language's operator,
   * which rounds correctly only on a device with the build option `-cl-fp32-correctly-rounded-divide-sqrt`
   * (without it 2.5 ulp are allowed).
   */
  readonly divide?: "exact" | "native";
  /**
   * True for devices with the extension `cl_khr_fp64`, or `cl_khr_fp16`: uses the language's own type.
   * Otherwise an f64 is computed in integers, and an f16 in f32, with the same bits.
   */
  readonly fp64?: boolean;
  readonly fp16?: boolean;
  /** Features whose functions the text uses if its compiler has them; default: all. */
  readonly groupFunctions?: readonly GroupFeature[];
  /** The range of subgroup sizes, for devices with cl_khr_subgroup_shuffle. */
  readonly subgroups?: Subgroups;
  /** For a device of few wide cores, such as a CPU: the chunks of the range, one for each work-item. */
  readonly chunks?: CoreChunks;
  readonly maxWorkGroupSize?: number;
  readonly workGroupMemory?: number;
}

/** More compute units take no more chunks. */
const MOST_CORES = 4096;
const TILE = 256;
// More stride past the lines that neighbours load: with eight, scans on an H100 take twice as long.
const ITEMS = 4;
const REDUCED = 16;
const TALL = { workGroupSize: 128, rows: 16 };
const TOGETHER = { ...TALL, together: true } as const;
/**
 * NVIDIA's compiler keeps sums of i64 with 256 work-items and 4 rows in 173 registers, so that a multiprocessor has a single work-group. For
 * 2^26 items an H100 takes, with the default sizes, row by row, and with these: i64 770 and 472 us, f16 174 and 125, affine maps of u32 403 and 364.
 */
export const KINDS: TilesByKind = {
  wide: { ...TOGETHER, width: 2 },
  record: TOGETHER,
  pairs: TALL,
  segments: TALL,
};

const TRAITS: LookBackTraits = {
  kinds: KINDS,
  slowRecords: true,
  slotRows: true,
};

/** Types of an unknown device. */
const SCALARS_OF_ANY: Capabilities["scalars"] = {
  i32: "native",
  u32: "native",
  i64: "native",
  u64: "native",
  f16: "emulated",
  f32: "native",
  f64: "emulated",
  bool: "native",
};

const CHOICES: { readonly [K in keyof Required<OpenClChoices>]: Wanted } = {
  divide: /*@__PURE__*/ oneOf("exact", "native"),
  fp64: BOOLEAN,
  fp16: BOOLEAN,
  groupFunctions: LIST,
  subgroups: OBJECT,
  chunks: OBJECT,
  maxWorkGroupSize: NUMBER,
  workGroupMemory: NUMBER,
};

/**
 * Capabilities with some options; the defaults are safe on any device.
 * @category Authors
 */
export function openclCapabilities(given?: OpenClChoices): Capabilities {
  const choices = optionsOf(given, CHOICES, "the options of openclCapabilities") as OpenClChoices;
  const { divide = "exact", fp64 = false, fp16 = false } = choices;
  const { maxWorkGroupSize = 256, workGroupMemory = 32768 } = choices;
  const { groupFunctions = GROUP_FEATURES, subgroups, chunks } = choices;
  const basic: Capabilities = {
    execution: "simt",
    scalars: SCALARS_OF_ANY,
    // Not by vload_half, with which sums of halves take twice as long on PoCL.
    halfMemory: "u16",
    boolMemory: "u32",
    narrow: "native",
    routines: "array-parameters",
    maxWorkGroupSize,
    workGroupMemory,
    // Above, an item's index plus a tile could pass 2^32.
    maxItems: 0xf0000000,
    tile: {
      workGroupSize: 2 ** Math.floor(Math.log2(Math.min(TILE, maxWorkGroupSize))),
      itemsPerWorkItem: ITEMS,
      reducedPerWorkItem: REDUCED,
    },
    // A pointer serves for both.
    mixedRows: "any",
    windows: true,
    surplusGroups: false,
    scatter: "native",
    subgroups: subgroups ?? { unsupported: "a device may lack cl_khr_subgroup_shuffle" },
    lookBack: { unsupported: "no device is known to guarantee progress of work-groups" },
    lookBackTraits: TRAITS,
    ...(chunks && { chunks }),
    groupFunctions,
    leastGroup: QUIRKS.smallGroup.value,
    expand: [
      ...ALWAYS,
      ...(divide === "exact" ? (["float-divide"] as const) : []),
      ...QUIRKS.fusedQuotient.value,
    ],
    own: Object.keys(OWN),
    fast: FAST_BOUNDS,
  };
  const withHalf = fp16 ? withHalves(basic) : basic;
  return fp64 ? withDoubles(withHalf) : withHalf;
}

/**
 * For devices with cl_khr_fp16. Sums and products are rounded right; a quotient may be off by its last bit.
 * @category Authors
 */
export function withHalves(capabilities: Capabilities): Capabilities {
  const { scalars, expand } = capabilities;
  return { ...capabilities, scalars: { ...scalars, f16: "native" }, expand: ["half-divide", ...expand] };
}

/** For devices with cl_khr_fp64, which is IEEE 754 in all operations that kernels use. */
export function withDoubles(capabilities: Capabilities): Capabilities {
  return { ...capabilities, scalars: { ...capabilities.scalars, f64: "native" } };
}

/** For devices with subgroups of at least 32 work-items: compilers of GPUs keep halves that are converted in registers, PoCL calls functions. */
export const inWideSubgroups = (capabilities: Capabilities): Capabilities => {
  const { subgroups } = capabilities;
  return {
    ...capabilities,
    halfConversions: "exact",
    ...(!("unsupported" in subgroups) && { subgroups: { ...subgroups, reduces: true } }),
  };
};

/**
 * The assumptions if no device is known: the minimum work-group memory of the full profile, and work-groups
 * of 256, which all current GPUs and CPUs support. Division is exact, because an artifact may be built for
 * any device later, and a quotient that is off by one ulp would go unnoticed. For the same reason rounded results are guarded, and fma is computed
 * in integers: drivers fold and flush what the language defines.
 */
export const OPENCL_CAPABILITIES: Capabilities = /*@__PURE__*/ withRemedies(openclCapabilities(), [
  "guard-rounding",
  "without-fma_of_f32",
  "without-fma_of_f64",
]);

const hasShuffles = ({ extensions }: OpenClDevice): boolean =>
  extensions.includes("cl_khr_subgroups") && extensions.includes("cl_khr_subgroup_shuffle");
/** NVIDIA's devices, whose texts have subgroup functions of their own (`warps.ts`). */
const hasWarps = ({ extensions }: OpenClDevice): boolean =>
  extensions.includes("cl_nv_device_attribute_query");

/** Whether a device has shuffles within subgroups. */
export const hasSubgroups = (device: OpenClDevice): boolean => hasShuffles(device) || hasWarps(device);

/** OpenCL reports the subgroup size only in kernels. */
export const subgroupsOf = (device: OpenClDevice): Subgroups =>
  hasShuffles(device)
    ? { minSize: 1, maxSize: device.maxWorkGroupSize }
    : { minSize: WARP, maxSize: WARP, ballots: true };

/** The chunks for the compute units of a device. */
export const chunksOf = ({ computeUnits }: OpenClDevice): CoreChunks =>
  chunksFor(Math.min(Math.max(1, computeUnits), MOST_CORES));

const BITS_AND_SUMS = ["add", "sub", "and", "or", "xor"] as const;
/** Of CPUs, whose compilers vectorise the other loops. */
const VECTORS: Vectors = {
  bytes: 16,
  loops: ["scan"],
  operators: { i32: BITS_AND_SUMS, u32: BITS_AND_SUMS },
  casts: {},
  widens: [],
  narrows: [],
};

const DEVICE = /*@__PURE__*/ shaped("a device of `listOpenClDevices`", {
  ...{ type: TEXT, extensions: LIST, maxWorkGroupSize: NUMBER, localMemory: NUMBER, computeUnits: NUMBER },
  floats: OBJECT,
});

/**
 * The capabilities that a device reports.
 * @category Authors
 */
export function capabilitiesOf(device: OpenClDevice): Capabilities {
  requireArguments(arguments, "capabilitiesOf", { device: DEVICE });
  const reported = openclCapabilities({
    divide: device.floats.correctlyRoundedDivide ? "native" : "exact",
    fp64: device.extensions.includes("cl_khr_fp64"),
    fp16: device.extensions.includes("cl_khr_fp16"),
    maxWorkGroupSize: device.maxWorkGroupSize,
    workGroupMemory: device.localMemory,
    // On a CPU work-group memory is as fast, and drivers implement shuffles with it.
    ...(device.type !== "cpu" && hasSubgroups(device) && { subgroups: subgroupsOf(device) }),
  });
  const known: Capabilities = device.floats.subnormals ? reported : { ...reported, subnormals: "exact" };
  if (device.type === "cpu") {
    const expand = known.expand.filter((name) => !OF_GPUS.has(name));
    return { ...known, expand, chunks: chunksOf(device), vectors: VECTORS };
  }
  // A device whose subgroups may have fewer work-items than a block of 32 is not known to gain from it.
  return hasWideSubgroups(known) ? { ...inWideSubgroups(known), lookBack: lookBackFor(known) } : known;
}
