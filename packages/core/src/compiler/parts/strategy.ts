/** What a strategy is given, and what it makes. */

import type { Checked } from "../../ir/document/check.ts";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { Geometry } from "../geometry/index.ts";
import type { Buffer, Kernel } from "../kernel/module.ts";
import type { Names } from "../kernel/names.ts";

/** A pipeline to lower. */
export interface Lowering {
  readonly checked: Checked;
  readonly capabilities: Capabilities;
  /** Where names for kernels and arrays come from. */
  readonly names: Names;
  /** The shape of the range. */
  readonly geometry: Geometry;
}

/** A pipeline as kernels. */
export interface Lowered {
  /** All arrays, once all kernels are made. */
  readonly buffers: readonly Buffer[];
  /** In the order in which they run; made one by one, so that whoever refuses one makes no more. */
  readonly kernels: Iterable<Kernel>;
}

/** One way to lower a pipeline. */
export interface Strategy {
  readonly name: "one-thread" | "per-output" | "look-back" | "reduce-then-scan";
  /** What it does, for `explain`. */
  readonly summary: string;
  /** Why it cannot be taken; undefined where it can. */
  refuses(checked: Checked, capabilities: Capabilities): string | undefined;
  /** @throws GroupwiseError `work-group-too-large` */
  lower(lowering: Lowering): Lowered;
}
