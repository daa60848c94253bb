/** What a lowering may rely on. Plain data about an implementation; it has no name of a target in it. */
import type { Memory } from "./kernel/memory.ts";
import type { Scalar } from "./scalar.ts";

/** `simt`: work-groups with barriers. `sequential`: one thread, loops. `gather`: one output cell a thread, no barriers. */
export type Execution = "simt" | "sequential" | "gather";

/** Why something is not to be had; the reason is what a user reads. */
export interface Unsupported {
  readonly unsupported: string;
}
/**
 * Whether something can be had, and why not. `emulated`: exactly, out of what is native: 64-bit types as two
 * words, an f16 as an f32 that is rounded after every operation.
 */
export type Support = "native" | "emulated" | Unsupported;

/**
 * Operations that a lowering spells out in simpler ones, because the implementation lacks them or
 * promises less than `semantics.md` asks.
 */
export type Expansion =
  | "float-min-max"
  | "float-compare"
  | "float-to-int"
  | "nan-to-wide-int"
  | "int-to-float"
  | "float-divide"
  | "float-constants"
  | "half-divide"
  | "round-to-half"
  | "guard-rounding"
  | "int-divide"
  | "popcount";

/** Work-items of a work-group that can exchange values without its memory: from how many to how many. */
export interface Subgroups {
  readonly minSize: number;
  readonly maxSize: number;
}

/**
 * Functions of a whole work-group that a language may have, as its features name them: `collectives` are add,
 * min, max, all, any and broadcast, `uniform-arithmetic` the other operators.
 */
export type GroupFeature = "collectives" | "uniform-arithmetic";

/**
 * How a walk over the items looks back at the totals of tiles that other work-groups take. It is right whether or not
 * these make progress: who waits too long computes the total itself. It is fast where they do.
 */
export interface LookBack {
  /** Work-items of a work-group: a power of two, 32 at least. */
  readonly workGroupSize: number;
  /** Rows of work-group size x 4 items in a tile; fewer where items are wide. A power of two. */
  readonly rows: number;
  /** Work-groups of a dispatch, at most: enough to fill a device. */
  readonly groups: number;
  /** Polls of a total before who waits for it computes it. */
  readonly polls: number;
  /** Tiles that never publish anything, for tests. */
  readonly withheld?: readonly number[];
}

/** What a lowering may rely on: plain data about an implementation or a device, without its name. */
export interface Capabilities {
  readonly execution: Execution;
  readonly scalars: Readonly<Record<Scalar, Support>>;
  /**
   * How halves stand in device memory where f16 is emulated. `f32`: a word each, where 16 bits cannot be
   * written without their neighbour.
   */
  readonly halfMemory: Extract<Memory, "f32" | "half" | "u16">;
  /** Most work-items in a work-group. */
  readonly maxWorkGroupSize: number;
  /** Bytes of work-group memory. */
  readonly workGroupMemory: number;
  /** Most items of a run; the index arithmetic holds up to here. */
  readonly maxItems: number;
  /** Work-items of a tile's work-group and consecutive items of each; powers of two. */
  readonly tile: { readonly workGroupSize: number; readonly itemsPerWorkItem: number };
  /** True where functions see arrays by name, so that one array may stand in several bindings. */
  readonly splitArrays?: boolean;
  /** True where more groups may run than were asked for, because a dispatch has several dimensions. */
  readonly surplusGroups: boolean;
  readonly scatter: Support;
  /** Work-item i of a group exchanges values with i ^ bit, where both are of one subgroup. */
  readonly subgroups: Subgroups | Unsupported;
  /** Whether work-groups that wait for one another are worth it, and how large they are then. */
  readonly lookBack: LookBack | Unsupported;
  /** Features that emitted text may ask its compiler for, beside code that works without. */
  readonly groupFunctions: readonly GroupFeature[];
  readonly expand: readonly Expansion[];
}

/** True where it can be had; else the value carries the reason. */
export function isSupported(support: Support): support is "native" | "emulated" {
  return typeof support === "string";
}

/**
 * Sizes of work-groups whose work-items may exchange values: powers of two. For two there is one round, which is not
 * worth a trial of the device (PoCL 6.0 ends the process there).
 */
export const hasSiblings = (size: number): boolean => size > 2 && Number.isInteger(Math.log2(size));

/** What is left of capabilities where subgroups are not to be used, and why not. */
export const lackingSubgroups = (capabilities: Capabilities, unsupported: string): Capabilities => ({
  ...capabilities,
  subgroups: { unsupported },
  // What waits for other groups was chosen for the subgroups' sake.
  lookBack: { unsupported: `no subgroups: ${unsupported}` },
});

/** Items of a tile of a walk that looks back: enough that what a tile waits for has come when it is asked for. */
const TILE_ITEMS = 16384;
const MOST_WORK_ITEMS = 512;

/** How walks look back in work-groups of a device. */
export function lookBackFor(maxWorkGroupSize: number): LookBack {
  const workGroupSize = Math.min(MOST_WORK_ITEMS, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return { workGroupSize, rows: TILE_ITEMS / (4 * workGroupSize), groups: 512, polls: 4096 };
}
