/** Capabilities of CUDA devices, which are known before a device is: CUDA defines its arithmetic and the size of a warp. */
import type { Capabilities } from "@groupwise/core";
import { type LookBackTraits, lookBackFor, type TilesByKind } from "@groupwise/core/target";
import { FAST_BOUNDS } from "./spelling/fast.ts";
import { OWN } from "./spelling/own.ts";

/** Work-items of a warp; on devices with waves of 64, a subgroup is a half of a wave. */
export const WARP = 32;

const TALL = { workGroupSize: 128, rows: 16 };
const TOGETHER = { ...TALL, together: true } as const;
/** The sizes that were measured with NVIDIA's compiler of OpenCL C, which generates code as nvcc does (docs/decisions/tiles.md). */
const KINDS: TilesByKind = { wide: { ...TOGETHER, width: 2 }, record: TOGETHER, pairs: TALL, segments: TALL };
const TRAITS: LookBackTraits = { kinds: KINDS, slowRecords: true, slotRows: true, prefetch: 128 };

const BASIC: Capabilities = {
  execution: "simt",
  scalars: {
    i32: "native",
    u32: "native",
    i64: "native",
    u64: "native",
    // Without a header the language has no half; sums and products of halves are rounded from an f32, with the same bits.
    f16: "emulated",
    f32: "native",
    f64: "native",
    bool: "native",
  },
  halfMemory: "u16",
  boolMemory: "u8",
  halfConversions: "exact",
  narrow: "native",
  routines: "array-parameters",
  maxWorkGroupSize: 1024,
  // Of a kernel that asks for no more as it is launched.
  workGroupMemory: 49152,
  // Above, an item's index plus a tile could pass 2^32.
  maxItems: 0xf0000000,
  // On an H200 a reduce of 2^28 f32 takes 0.91 of its time with four items of a work-item; with 32 it takes 1.17.
  tile: { workGroupSize: 256, itemsPerWorkItem: 4, reducedPerWorkItem: 16 },
  mixedRows: "any",
  windows: true,
  surplusGroups: false,
  scatter: "native",
  subgroups: { minSize: WARP, maxSize: WARP, ballots: true, reduces: true },
  lookBack: { unsupported: "the parameters follow" },
  lookBackTraits: TRAITS,
  groupFunctions: [],
  // A function of a warp needs all of its work-items.
  leastGroup: WARP,
  // Compilers make minima of comparisons of floats, and take magnitudes for positive: `findings/nvcc-select-as-minimum.sh`, `findings/ptxas-magnitudes.sh`.
  // They take a choice between the least float and 0 for a truth value: `findings/ptxas-least-floats.sh`. CUDA leaves integer division by 0 open.
  expand: ["float-compare", "int-abs", "int-divide", "least-floats"],
  own: Object.keys(OWN),
  fast: FAST_BOUNDS,
};

/** Capabilities of every device of compute capability 7.0 or higher. */
export const CUDA_CAPABILITIES: Capabilities = { ...BASIC, lookBack: lookBackFor(BASIC) };
