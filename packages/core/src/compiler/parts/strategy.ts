/** What a strategy is given, and what it makes. */

import type { Names } from "../../ir/base/names.ts";
import type { Checked } from "../../ir/document/check.ts";
import type { Capabilities } from "../capabilities/capabilities.ts";
import type { Geometry } from "../geometry/index.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import type { Buffer, Kernel } from "../kernel/module.ts";
import type { Component } from "./components.ts";

/** How the loops over a chunk take the state of the items before it, and give that of the items up to its end. */
export interface Carrying {
  /** The place of an item of the chunk in the order of the range. @param index its number in the chunk */
  place(index: Expr): Expr;
  /** Before the loops. */
  begin(code: Code, component: Component, running: Running): void;
  /** After the loops. */
  end(code: Code, component: Component, running: Running): void;
  /** The outputs that take the state. */
  readonly buffers: readonly Buffer[];
}

/** One scan or reduce in progress, item by item. */
export interface Running {
  /** The prefix up to and with the last item; the identity before the first. */
  readonly latest: readonly VarExpr[];
  /** The totals and prefixes of the blocks that were completed last, by size; undefined where one prefix is enough. */
  readonly blocks: Blocks | undefined;
}

/** Arrays by log2 of the size of blocks, one for each value of a total. */
export interface Blocks {
  readonly totals: readonly ArrayRef[];
  readonly prefixes: readonly ArrayRef[];
}

/** A pipeline to lower. */
export interface Lowering {
  readonly checked: Checked;
  readonly capabilities: Capabilities;
  /** Where names for kernels and arrays come from. */
  readonly names: Names;
  /** The shape of the range. */
  readonly geometry: Geometry;
  /** Where the items are a chunk of a range. */
  readonly carrying?: Carrying | undefined;
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
  /** Whether it lowers pipelines over chunks, whose state comes in and goes out. */
  readonly carries?: true;
  /** Why it cannot be taken; undefined where it can. */
  refuses(checked: Checked, capabilities: Capabilities): string | undefined;
  /** @throws GroupwiseError `work-group-too-large` */
  lower(lowering: Lowering): Lowered;
}
