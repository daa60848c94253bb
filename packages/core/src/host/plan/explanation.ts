/** What an explanation holds. */

import type { Memory } from "../../compiler/kernel/memory.ts";
import type { Buffer } from "../../compiler/kernel/module.ts";
import type { ArrayUse } from "../../compiler/kernel/uses.ts";
import type { Plan } from "../../compiler/lower.ts";
import type { Formula, FormulaScalars } from "../../ir/base/formula.ts";
import type { FunctionName } from "../../ir/functions/spec.ts";
import type { ArrayType } from "../../ir/tables/narrow.ts";
import type { ExplainedOperator, NativeUse, SubgroupUse } from "./explain-use.ts";

/** A size: a formula of n, as people write it, and its value where the number of items was given. */
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

/** One pass. It is skipped in a run where `groups` is 0. */
export interface ExplainedPass {
  readonly entryPoint: string;
  readonly about: readonly string[];
  readonly workGroupSize: number;
  readonly groups: Size;
  /** Bytes of work-group memory. */
  readonly workGroupBytes: number;
  /**
   * Barriers in the text of the kernel, and in that of functions for each call; the number of them in a loop and so
   * count every round.
   */
  readonly barriers: number;
  readonly barriersInLoops: number;
  /** The number of barriers that load a value that is the same for all: one call, or two barriers where a language has none. */
  readonly uniformLoads: number;
  /** Shuffles of values within subgroups in the text of the kernel, and in that of functions for each call. */
  readonly shuffles: number;
  /** Functions of the language itself that replace code where the compiler has them. */
  readonly natives: readonly NativeUse[];
  readonly arrays: readonly ArrayUse[];
  /**
   * Bytes of device memory, at most: each element that the pass touches, once if it is read and once if it is written.
   * None where the pass is skipped.
   */
  readonly bytesMoved: Size;
}

/** What fast functions a plan has. */
export interface ExplainedFast {
  /** Each, and the bound that the language states for its own; without it the exact function is used. */
  readonly functions: readonly { readonly name: FunctionName; readonly bound?: string }[];
  /** Outputs that depend on them. */
  readonly outputs: readonly string[];
}

/** What a plan will do, as data: arrays, passes in order, bytes moved, and the strategies passed over. */
export interface Explanation {
  readonly pipeline: string;
  /** The pipeline's own work-group size, per dimension. */
  readonly workGroupSize: readonly number[];
  /** Number of items that the sizes were evaluated for. */
  readonly items?: number;
  readonly strategy: string;
  readonly summary: string;
  readonly passedOver: Plan["passedOver"];
  /** Of a pipeline over a chunk: where its pieces end. */
  readonly chunks?: string;
  readonly subgroups: SubgroupUse;
  /** Fast functions, and the outputs whose bits may differ between targets for them; absent where there is none. */
  readonly fast?: ExplainedFast;
  /** The author's operators. */
  readonly operators: readonly ExplainedOperator[];
  readonly arrays: readonly ExplainedArray[];
  readonly passes: readonly ExplainedPass[];
  readonly bytesMoved: Size;
  /** All scratch arrays together, each rounded up to 256 bytes. */
  readonly scratchBytes: Size;
}

/** For what an explanation evaluates its sizes. */
export interface ExplainOptions {
  /** Number of items to evaluate the sizes for; for a range of several dimensions `globalSize` gives it. */
  readonly n?: number;
  /** Items per dimension to evaluate the sizes for. */
  readonly globalSize?: readonly number[];
  /** Parameters and lengths of tables, where sizes depend on them. */
  readonly scalars?: FormulaScalars;
}
