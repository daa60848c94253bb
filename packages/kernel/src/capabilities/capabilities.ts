/** The features that a lowering may use: plain data about an implementation, without a target's name. */

import type { BinaryOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { Narrow } from "@groupwise/ir/tables/narrow.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { CoreChunks } from "./chunks.ts";
import type { HalfConversions } from "./half-conversions.ts";
import type { Subnormals } from "./subnormals.ts";

/**
 * `simt`: work-groups with barriers. `sequential`: one thread, loops. `per-output`: each output element on its
 * own, no barriers.
 */
export type Execution = "simt" | "sequential" | "per-output";

/** The reason why something is unavailable, in words for users. */
export interface Unsupported {
  readonly unsupported: string;
}
/**
 * Whether something is available, and the reason if not. `emulated`: computed exactly with native types: 64-bit types
 * as two words, an f16 as an f32 that is rounded after every operation.
 */
export type Support = "native" | "emulated" | Unsupported;

/**
 * Operations that a lowering expands into simpler ones, because the implementation lacks them or guarantees
 * too little.
 */
export type Expansion =
  | "float-min-max"
  | "float-reduce-min-max"
  | "float-compare"
  | "float-to-int"
  | "nan-to-wide-int"
  | "int-to-float"
  | "float-divide"
  | "divide-by-power"
  | "float-constants"
  | "half-divide"
  | "round-to-half"
  | "guard-rounding"
  | "guard-minus-zero"
  | "least-floats"
  | "int-divide"
  | "int-remainder"
  | "int-abs"
  | "zero-minus"
  | "popcount";

/** The range of subgroup sizes: work-items of a subgroup can shuffle values. */
export interface Subgroups {
  readonly minSize: number;
  readonly maxSize: number;
  /** True if a subgroup also votes, and one of at most 32 collects a condition of its work-items as bits of a word. */
  readonly ballots?: true;
  /** True if ballots find the lanes with equal keys of a rank faster than bits in work-group memory. */
  readonly ranksByBallots?: true;
  /** True if 32 work-items of a subgroup also combine integers of 32 bits faster than by shuffles. */
  readonly reduces?: true;
}

/**
 * Work-group functions that a language may have, in the order in which kernels try them: `common-operators` are
 * add, min, max, all, any and broadcast, `other-operators` the other operators. Targets map them to their own names.
 */
export const GROUP_FEATURES = ["common-operators", "other-operators"] as const;
/** One of the groups of work-group functions. */
export type GroupFeature = (typeof GROUP_FEATURES)[number];

/** A fault or a limit of one implementation: a row of a target's table, whose value the target puts into capabilities or text. */
export interface Quirk<Value = undefined> {
  /** The driver or compiler, with the version in which it was found. */
  readonly who: string;
  readonly what: string;
  /** The workaround of the target. */
  readonly remedy: string;
  readonly value: Value;
}

/** Sizes of tiles, powers of two. */
export interface TileSize {
  /** Work-items of a tile's work-group. */
  readonly workGroupSize: number;
  /** Consecutive items of each work-item. */
  readonly itemsPerWorkItem: number;
  /** The same if every pass over the items only stores tile totals of one word; `itemsPerWorkItem` by default. */
  readonly reducedPerWorkItem?: number;
}

/** The size of a tile of look-back. */
export type LookBackShape = Pick<LookBack, "workGroupSize" | "rows">;

/**
 * What a pass of look-back combines, if that is one value of 32 bits (`word`) or of 64 bits (`wide`), a record of two words, halves in pairs, or
 * values that exactly associative operators combine within segments.
 */
export type TileKind = "word" | "wide" | "record" | "pairs" | "segments";
/** The tiles of a kind of pass. Work-groups have at most as many work-items as those of other passes. */
export interface KindTiles extends LookBackShape {
  /**
   * Given if their rows are folded together, and what that combines is kept in place of the values, for 1.3 to 2.4 times the text. Halves in pairs
   * always are.
   */
  readonly together?: true;
  /**
   * Given if their rows have two items of a work-item, of 16 bytes, where a pipeline has no arrays of shorter elements with one for each item. They are
   * then twice as many.
   */
  readonly width?: 2;
}
/** The tiles of the kinds for which the default sizes are not the fastest. */
export type TilesByKind = Readonly<Partial<Record<TileKind, KindTiles>>>;

/**
 * Parameters of look-back: a scan in one pass that reads the aggregates of earlier tiles. It is correct
 * whether or not other work-groups make progress, because a work-group that has waited too long computes the
 * aggregate itself. It is fast if they do.
 */
export interface LookBack {
  /** Work-items of a work-group: a power of two, at least 32. */
  readonly workGroupSize: number;
  /** Tile rows, each of work-group size x 4 items; fewer for wide items. A power of two. */
  readonly rows: number;
  /** The tiles of the kinds for which others are faster. */
  readonly kinds?: TilesByKind;
  /** Maximum number of work-groups of a dispatch, which should fill a device. */
  readonly groups: number;
  /** Number of polls of a slot before the waiting work-group computes it. */
  readonly polls: number;
  /** Given if chunks take longer than in two passes if a scan combines records. */
  readonly slowRecords?: true;
  /** Given if a language reads the words of a slot as vectors, each word by itself. */
  readonly slotRows?: true;
  /** Tiles between the one that a work-group reads and a later one whose cache lines it asks for; none by default. */
  readonly prefetch?: number;
  /** Tiles that never publish, for tests; the last full tile does nevertheless. */
  readonly withheld?: readonly number[];
}

/**
 * A kind of loop that vectors are for. `map`: each item by itself; `reduce`: an operator that is exact in any order; `tree`: a sum or product of floats;
 * `scan`: a scan of integers.
 * `where`: items that do nothing unless a condition holds, which is computed for a vector of them.
 */
export type VectorLoop = "map" | "reduce" | "tree" | "scan" | "where";

/** Vectors of values, on which operators apply to each element with the bits that they have on one value. */
export interface Vectors {
  /** Bytes of a vector: a power of two. */
  readonly bytes: number;
  /** The loops for which they are faster. */
  readonly loops: readonly VectorLoop[];
  /** By type of the operands: the operators, of one operand and of two, that vectors have. Shifts have the same right operand for every element. */
  readonly operators: Readonly<Partial<Record<Scalar, readonly (UnaryOp | BinaryOp)[]>>>;
  /** By type of the operand: the types that vectors are cast to, `bool` for comparisons' results. */
  readonly casts: Readonly<Partial<Record<Scalar, readonly Scalar[]>>>;
  /** Elements of memory that a load widens, and that a store narrows. */
  readonly widens: readonly (Narrow | "bool")[];
  readonly narrows: readonly (Narrow | "bool")[];
  /**
   * By the bytes of an element, 1 and 2: the operators of integers that vectors of such elements have. A vector of `i32` or `u32` with more than `bytes` / 4 elements
   * has as many of the lowest bits of each.
   */
  readonly short?: Readonly<Partial<Record<number, readonly (UnaryOp | BinaryOp)[]>>>;
  /** True if the compiler of the text may lack vectors: loops without them follow, which then take all items. */
  readonly isOptional?: true;
}

/** Parameters of look-back that do not depend on a device's limits. */
export type LookBackTraits = Pick<LookBack, "kinds" | "slowRecords" | "slotRows" | "prefetch">;

/**
 * The arrays of a function: `module-arrays` are declared outside of kernels and accessed by name; `array-parameters` are
 * arguments, as are the launch scalars, where only a kernel has access to them.
 */
export type RoutineArrays = "module-arrays" | "array-parameters";

/** The features that a lowering may use: plain data about an implementation or a device, without its name. */
export interface Capabilities {
  readonly execution: Execution;
  readonly scalars: Readonly<Record<Scalar, Support>>;
  /**
   * The form of halves in device memory if f16 is emulated. `u16`: their bits, two to a word where `narrow` is `words`; `f32`: one word
   * each, which the host converts.
   */
  readonly halfMemory: "f32" | "u16";
  /** The form of a bool in device memory, 0 or 1. */
  readonly boolMemory: "u8" | "u32" | "f32";
  /** Present if the device's own conversions of halves are exact. Languages that state none of this need a test of the device. */
  readonly halfConversions?: HalfConversions;
  /** How sums and products treat subnormal numbers, for languages that let a device flush them. Absent: the language keeps them. */
  readonly subnormals?: Subnormals;
  /**
   * How kernels access elements of 8 and 16 bits. `native`: each by itself; `words`: for languages that write at least 32 bits, where
   * several elements share a word.
   */
  readonly narrow: "native" | "words" | Unsupported;
  /** Maximum number of work-items in a work-group. */
  readonly maxWorkGroupSize: number;
  /** Bytes of work-group memory. */
  readonly workGroupMemory: number;
  /** Maximum number of items of a run, up to which the index arithmetic is correct. */
  readonly maxItems: number;
  readonly tile: TileSize;
  /** True if functions can access arrays by name, so that an array may be split into several bindings. */
  readonly splitArrays?: boolean;
  /**
   * The most arrays of a kernel that reads some of its arrays both by element and as vec4s. Each of these counts twice, as a language may have to bind
   * it twice. `any`: a kernel may read and write any array in both ways. Absent if no kernel may do so.
   */
  readonly mixedRows?: number | "any";
  /** The most arrays of device memory that a kernel may access: those of a kernel with more share one where they can. Absent for any number. */
  readonly arraysPerKernel?: number;
  /** Given in debug runs: kernels report accesses outside of arrays, and reads of elements that nothing wrote. */
  readonly accesses?: "checked";
  /** How functions access the arrays of kernels, if they can also shuffle: kernels may then have routines. */
  readonly routines?: RoutineArrays;
  /**
   * Given if an address and an offset that is a constant are one operand of a read: gathers at an index and the constants after it are
   * compared with the end once.
   */
  readonly windows?: true;
  /** True if more work-groups may run than requested, because a dispatch has several dimensions. */
  readonly surplusGroups: boolean;
  readonly scatter: Support;
  /** Work-items i and i ^ bit of the same subgroup can shuffle values. */
  readonly subgroups: Subgroups | Unsupported;
  /** Given if shuffles name the work-item that they read by its place in the subgroup, instead of by the bit in which it differs. */
  readonly shuffles?: "by-place";
  /** Whether look-back is efficient on the device, and its parameters. */
  readonly lookBack: LookBack | Unsupported;
  /** What look-back has where it is supported, besides the sizes that depend on the device. */
  readonly lookBackTraits?: LookBackTraits;
  /** For a device of few wide cores, such as a CPU: one work-item for each chunk of the range. */
  readonly chunks?: CoreChunks;
  /** Features that emitted text may use if its compiler has them; the text also has code without them. */
  readonly groupFunctions: readonly GroupFeature[];
  /**
   * Minimum size of work-groups that use `groupFunctions` or shuffles. In smaller ones the rounds over work-group memory are as few.
   */
  readonly leastGroup: number;
  readonly expand: readonly Expansion[];
  /**
   * By operator: types of scans that one thread computes faster by combining eight items with one another before it adds the prefix. Only operators
   * that are exactly associative.
   */
  readonly blockScans?: Readonly<Partial<Record<Op, readonly Scalar[]>>>;
  /** True if short loops of one thread take eight items a round: a round costs as much as an item, and compilers do not unroll. */
  readonly unrolls?: true;
  /** Given if implementations guard each access to device memory, so that compilers take long for many of them. */
  readonly guardsAccesses?: true;
  /** Given if loops of one thread may compute vectors. */
  readonly vectors?: Vectors;
  /** Present if emitted text cannot call functions: only functions of the language itself are available. */
  readonly calls?: Unsupported;
  /** Bodies of functions, by name, for which the language's own function returns the same bits on native types. */
  readonly own?: readonly string[];
  /** Fast functions, by name, for which the language has its own, and the bound of the error that it states. */
  readonly fast?: Readonly<Record<string, string>>;
}

/** True if it is available; otherwise the value has the reason. */
export function isSupported(support: Support): support is "native" | "emulated" {
  return typeof support === "string";
}

/**
 * Whether work-items of a work-group of this size may shuffle: powers of two.
 * @param leastGroup that of the capabilities
 */
export const hasSiblings = (size: number, leastGroup: number): boolean =>
  size >= leastGroup && Number.isInteger(Math.log2(size));

/** Capabilities without the kernels that compilers take long for. Results are equal; runs take longer. */
export const quicklyCompiled = (capabilities: Capabilities): Capabilities => ({
  ...capabilities,
  lookBack: { unsupported: "kernels that compile quickly are requested" },
});

/** Work-items of a subgroup of a GPU, at least. */
const WIDE = 32;
/** Whether every subgroup has at least 32 work-items, as those of GPUs have. */
export const hasWideSubgroups = ({ subgroups }: Pick<Capabilities, "subgroups">): boolean =>
  !("unsupported" in subgroups) && subgroups.minSize >= WIDE;

/** Capabilities for the runs of a runtime. @param debug its option */
export const debugging = (capabilities: Capabilities, debug: boolean | undefined): Capabilities =>
  debug ? { ...capabilities, accesses: "checked" } : capabilities;

/** Capabilities without subgroups, with the reason. */
export const lackingSubgroups = (capabilities: Capabilities, unsupported: string): Capabilities => ({
  ...capabilities,
  subgroups: { unsupported },
  // Look-back is efficient only with subgroups.
  lookBack: { unsupported: `no subgroups: ${unsupported}` },
});

/** On the cards that were measured, 512 take as long or longer for every number of items (docs/decisions/tiles.md). */
const MOST_WORK_ITEMS = 256;
/** The number of items that compilers keep in registers if loops over them are unrolled. */
const ROWS = 8;

/** The look-back parameters for a device. */
export function lookBackFor({
  maxWorkGroupSize,
  lookBackTraits,
}: Pick<Capabilities, "maxWorkGroupSize" | "lookBackTraits">): LookBack {
  const workGroupSize = Math.min(MOST_WORK_ITEMS, 2 ** Math.floor(Math.log2(maxWorkGroupSize)));
  return { workGroupSize, rows: ROWS, ...lookBackTraits, groups: 512, polls: 4096 };
}
