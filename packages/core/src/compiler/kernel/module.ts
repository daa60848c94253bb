/** Kernels and functions, the arrays and parameters that they share, and the module that holds them. */
import type { Formula } from "../../ir/base/formula.ts";
import type { ArrayType } from "../../ir/tables/narrow.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { Memory } from "./memory.ts";
import type { Stmt } from "./stmt.ts";

/** A pure function of scalars that kernels call. */
export interface Fn {
  readonly name: string;
  readonly doc: string;
  readonly params: readonly { readonly name: string; readonly type: Scalar }[];
  readonly returns: Scalar;
  /** Results, all of that type: 1 to 4. Several are named by a call statement, one is an expression. */
  readonly width: number;
  /** Names and types of the results, where each has its own; then any number of them. */
  readonly results?: readonly { readonly name: string; readonly type: Scalar }[];
  readonly body: readonly Stmt[];
  /** The language has the function: the body is empty, and the target spells it. */
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
 * A function that all work-items of a group call together: it has barriers, and is given the memory of the
 * work-group that it needs. Libraries consist of them; a pipeline's kernels are complete.
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
  /** The memory that it is given, for a group of that size. */
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** Group functions, and the functions that they call. */
export interface Library<Group extends GroupFn = GroupFn> {
  readonly functions: readonly Fn[];
  readonly groups: readonly Group[];
}

/** One pass: a kernel and how many work-groups of it run. */
export interface Kernel {
  readonly name: string;
  /** Lines for readers of the emitted text. */
  readonly doc: readonly string[];
  /** Work-items of a group; 1 for sequential and gather kernels. */
  readonly workGroupSize: number;
  /** Work-groups (simt), cells (gather), or 1 (sequential). None where it is 0. */
  readonly groups: Formula;
  /** No earlier kernel reads or writes its items. */
  readonly apart?: boolean;
  readonly shared: readonly SharedArray[];
  readonly body: readonly Stmt[];
}

/** `table`: an input of its own length. `scratch` lives during one run only; `status` is one word per 32 scatters that runtimes look at after a run. */
export type BufferRole = "input" | "table" | "output" | "scratch" | "status";

/** An array of device memory. */
export interface Buffer {
  readonly name: string;
  readonly role: BufferRole;
  /** The pipeline's type of an element. */
  readonly type: ArrayType;
  /** What the kernels see, where that is not the type: words, or a half in another form. */
  readonly memory?: Memory;
  /** Elements of the pipeline's type. */
  readonly elements: Formula;
  /** It must hold zeros before the first pass of every run. */
  readonly cleared: boolean;
  /** Of an output: items write to slots that they compute. */
  readonly scatter?: true;
  /** Of an output: the input whose elements it holds before the first pass. */
  readonly inPlace?: string;
  /** Where an array is split into several buffers, of which this is one. */
  readonly part?: Part;
}

/** One of the buffers that hold an array. */
export interface Part {
  /** The whole array. */
  readonly of: Buffer;
  readonly index: number;
  readonly count: number;
  /** Elements of the pipeline's type in every part but the last, a power of two. */
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
  /** Where it is not the pipeline's parameter itself, but a word of it. */
  readonly from?: ParamSource;
}

/** What a launch scalar is made from. */
export interface ParamSource {
  /** The pipeline's parameter. */
  readonly name: string;
  readonly type: Scalar;
  /** 32 of its bits, word 0 the low ones; an f16 has 16 bits, in word 0. */
  readonly word: 0 | 1;
}

/** All kernels of a pipeline, in the order in which they run. */
export interface Module {
  readonly name: string;
  readonly params: readonly LaunchParam[];
  readonly buffers: readonly Buffer[];
  readonly functions: readonly Fn[];
  readonly kernels: readonly Kernel[];
}
