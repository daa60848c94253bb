/** Kernels and functions, the arrays and parameters that they share, and the module that holds them. */
import type { Formula } from "@groupwise/ir/base/formula.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Memory } from "./memory.ts";
import type { Stmt } from "./stmt.ts";

/** A pure function of scalars that kernels call. */
export interface Fn {
  readonly name: string;
  readonly doc: string;
  readonly params: readonly { readonly name: string; readonly type: Scalar }[];
  readonly returns: Scalar;
  /** The number of results, 1 to 4, all of that type. A call statement names several results; one result is an expression. */
  readonly width: number;
  /** Names and types of the results, if each has its own; their number is then unlimited. */
  readonly results?: readonly { readonly name: string; readonly type: Scalar }[];
  readonly body: readonly Stmt[];
  /** Whether the language has the function: the body is then empty, and the target prints the name. */
  readonly own?: true;
}

/** An array of the work-group's memory. */
export interface SharedArray {
  readonly name: string;
  readonly type: Scalar;
  readonly length: number;
}

/** A parameter of a group function; `part` expressions read one of a width above 1. */
export interface FnParam {
  readonly name: string;
  readonly type: Scalar;
  readonly width?: number;
}

/**
 * A function that all work-items of a group call together: it has barriers, and takes the work-group
 * memory that it needs as arguments. Libraries consist of such functions; kernels of a pipeline do not use them.
 */
export interface GroupFn {
  readonly name: string;
  /** Lines for readers of the emitted text. */
  readonly doc: readonly string[];
  readonly params: readonly FnParam[];
  readonly returns: Scalar;
  readonly width: number;
  /** Work-items of a group, at most. */
  readonly workGroupSize: number;
  /** The memory that it takes, for a group of that size. */
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** Group functions, and the functions that they call. */
export interface Library<Group extends GroupFn = GroupFn> {
  readonly functions: readonly Fn[];
  readonly groups: readonly Group[];
}

/** One pass: a kernel and its number of work-groups. */
export interface Kernel {
  readonly name: string;
  /** Lines for readers of the emitted text. */
  readonly doc: readonly string[];
  /** Work-items of a group; 1 for sequential and per-output kernels. */
  readonly workGroupSize: number;
  /** Number of work-groups (simt) or output elements (per-output), or 1 (sequential). */
  readonly groups: Formula;
  /** Whether no earlier kernel reads or writes its items. */
  readonly isIndependent?: boolean;
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** `table`: an input of its own length. `scratch` lives during one run only; `status` is one word per 32 scatters that runtimes read after a run. */
export type BufferRole = "input" | "table" | "output" | "scratch" | "status";

/** An array of device memory. */
export interface Buffer {
  readonly name: string;
  readonly role: BufferRole;
  /** The pipeline's type of an element. */
  readonly type: ArrayType;
  /** The form of an element in kernels, if it is not the type's own: words, or another form of a half. */
  readonly memory?: Memory;
  /** Elements of the pipeline's type. */
  readonly elements: Formula;
  /** Whether it must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** For an output: whether items write to computed slots. */
  readonly scatter?: true;
  /** For an output in place: the input whose elements it holds before the first pass. */
  readonly inPlace?: string;
  /** The scratch arrays that share this one, in order. */
  readonly holds?: readonly Buffer[];
  /** For a part of an array that is split into several buffers. */
  readonly part?: Part;
}

/** One of the buffers that hold an array. */
export interface Part {
  /** The whole array. */
  readonly of: Buffer;
  readonly index: number;
  readonly count: number;
  /** Elements of the pipeline's type in every part but the last. */
  readonly elements: number;
}

/**
 * `length`: n; `size`: a side of the range; `offset`: what global ids count from; `table-length`: elements of a
 * table; `zero`: always 0, unknown to compilers; `user`: a parameter of the pipeline.
 */
export interface LaunchParam {
  readonly name: string;
  readonly type: Scalar;
  readonly role: "length" | "size" | "offset" | "table-length" | "zero" | "user";
  /** Of `size` and `offset`. */
  readonly dimension?: number;
  /** Of `table-length`. */
  readonly table?: string;
  /** For a word of the pipeline's parameter. */
  readonly from?: ParamSource;
  /** True: a run is refused unless the value is positive and divides the number of items. */
  readonly divides?: true;
}

/** The origin of a launch scalar. */
export interface ParamSource {
  /** The pipeline's parameter. */
  readonly name: string;
  readonly type: Scalar;
  /** 32 of its bits, word 0 the low ones; an f16 has 16 bits, in word 0. */
  readonly word: 0 | 1;
}

/** What a bit of the status says of a debug run: a kernel accesses an array outside, or reads an element that nothing wrote. */
export interface AccessCheck {
  readonly kernel: string;
  readonly array: string;
  readonly problem: "reads" | "writes" | "unwritten";
}

/** All kernels of a pipeline, in the order in which they run. */
export interface Module {
  readonly name: string;
  readonly params: readonly LaunchParam[];
  readonly buffers: readonly Buffer[];
  readonly functions: readonly Fn[];
  readonly kernels: readonly Kernel[];
  /** In debug runs: what the bits of the status say, from the first word after those of scatters on. */
  readonly checks?: readonly AccessCheck[];
}
