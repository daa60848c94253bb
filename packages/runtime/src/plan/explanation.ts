/** The types of explanations. */

import type { Formula, FormulaScalars } from "@groupwise/ir/base/formula.js";
import type { FunctionName } from "@groupwise/ir/functions/spec.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Subnormals } from "@groupwise/kernel/capabilities/subnormals.js";
import type { Memory } from "@groupwise/kernel/language/memory.js";
import type { Buffer } from "@groupwise/kernel/language/module.js";
import type { ArrayUse } from "@groupwise/kernel/language/uses.js";
import type { Plan } from "@groupwise/lower/lower.js";
import type { SmallRuns } from "../api/runtime.ts";
import type { ExplainedOperator, NativeUse, SubgroupUse } from "./explain-use.ts";

/** A size: a formula of n in mathematical notation, and its value if the number of items was given. */
export interface Size {
  readonly formula: Formula;
  readonly text: string;
  readonly value?: number;
}

/** An array of device memory. */
export interface ExplainedArray {
  readonly name: string;
  readonly role: Buffer["role"];
  readonly type: ArrayType;
  /** How its elements are stored in device memory: see the manifest's bindings. */
  readonly memory: Memory;
  readonly elements: Size;
  readonly bytes: Size;
}

/**
 * Bytes of device memory: what a run allocates at most, or a step with arrays of its own. Not included: the scalars of the launch, and what
 * the driver needs for kernels and transfers.
 */
export interface ExplainedMemory {
  /** Inputs and tables. */
  readonly inputs: Size;
  readonly outputs: Size;
  /** What callers need not pass, in one allocation in which each array begins at a multiple of 256 bytes: `Executable.scratchBytes`. */
  readonly scratch: Size;
  /** All of it. */
  readonly total: Size;
}

/** One pass. It is skipped if `groups` is 0. */
export interface ExplainedPass {
  readonly entryPoint: string;
  readonly about: readonly string[];
  readonly workGroupSize: number;
  readonly groups: Size;
  /** Bytes of work-group memory. */
  readonly workGroupBytes: number;
  /** Barriers in the text of the kernel, and of functions for each call. */
  readonly barriers: number;
  /** The number of these barriers that are in loops, where they are executed in every iteration. */
  readonly barriersInLoops: number;
  /** The number of uniform loads among the barriers: one call each, or two barriers in a language without such a function. */
  readonly uniformLoads: number;
  /** Shuffles of values within subgroups in the text of the kernel, and of functions for each call. */
  readonly shuffles: number;
  /** Functions of the language that replace code if the compiler has them. */
  readonly natives: readonly NativeUse[];
  readonly arrays: readonly ArrayUse[];
  /**
   * Maximum number of bytes of device memory: each element that the pass accesses counts once if it is read and once if it is written.
   * 0 if the pass is skipped.
   */
  readonly bytesMoved: Size;
}

/** The fast functions of a plan. */
export interface ExplainedFast {
  /** Each function, and the bound that the language states for its own function; without a bound the exact function is used. */
  readonly functions: readonly { readonly name: FunctionName; readonly bound?: string }[];
  /** Outputs that depend on them. */
  readonly outputs: readonly string[];
}

/** The description of a plan as data: arrays, passes in order, bytes moved, and the strategies that were rejected. */
export interface Explanation {
  readonly pipeline: string;
  /** The pipeline's own work-group size, per dimension. */
  readonly workGroupSize: readonly number[];
  /** Number of items that the sizes were evaluated for. */
  readonly items?: number;
  readonly strategy: string;
  readonly summary: string;
  readonly passedOver: Plan["passedOver"];
  /** Of a pipeline over a chunk: the ends of its pieces. */
  readonly chunks?: string;
  readonly subgroups: SubgroupUse;
  /** How sums and products treat subnormal numbers; absent if none of them is one that a device may flush. */
  readonly subnormals?: Subnormals;
  /** Fast functions, and the outputs whose bits may differ between targets because of them; absent if there are none. */
  readonly fast?: ExplainedFast;
  /** The runs that a runtime of the host's process takes; absent if the options do not have it. */
  readonly small?: SmallRuns;
  /** The user-defined operators. */
  readonly operators: readonly ExplainedOperator[];
  readonly arrays: readonly ExplainedArray[];
  readonly passes: readonly ExplainedPass[];
  readonly bytesMoved: Size;
  readonly memory: ExplainedMemory;
}

/** The values for which an explanation evaluates its sizes. */
export interface ExplainOptions {
  /** Number of items to evaluate the sizes for; for a range of several dimensions `globalSize` gives it. */
  readonly n?: number;
  /** Items per dimension to evaluate the sizes for. */
  readonly globalSize?: readonly number[];
  /** Parameters and lengths of tables, if sizes depend on them. */
  readonly scalars?: FormulaScalars;
  /** `executable.small`: which runs the device leaves to a runtime of the host's process. */
  readonly small?: SmallRuns | undefined;
}
