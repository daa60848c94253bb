/** The input and the result of a strategy. */

import type { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import type { Buffer, Kernel, Module } from "@groupwise/kernel/language/module.js";
import type { Geometry } from "../geometry/index.ts";
import type { Component } from "./components.ts";

/** Sizes of blocks, by log2: places are u32. */
export const SIZES = 32;

/**
 * The arrays of the state before a chunk, and of the state up to its end: for each value of a total an
 * array of totals by log2 of the size of their block, or of one total if the operator is exactly associative.
 */
export interface Carrying {
  /** The index of the chunk's first item in the range. Its 1 bits are the sizes of the blocks before the chunk. */
  readonly start: Expr;
  /** By scan that counts the elements of a scatter: the table with their number before the chunk. */
  readonly counted: ReadonlyMap<NodeId, string>;
  /** The tables with the state of a component. */
  before(component: Component): readonly ArrayRef[];
  /** The outputs for its state. */
  after(component: Component): readonly ArrayRef[];
  /** Before loops over the items of the chunk. */
  take(code: Code, component: Component, running: Running): void;
  /** After them. */
  give(code: Code, component: Component, running: Running): void;
  /** The outputs for the state. */
  readonly buffers: readonly Buffer[];
  /** The kernels for the order in which arrays hold the items. */
  ordered(module: Module): Module;
}

/** One scan or reduce in progress, item by item. */
export interface Running {
  /** The prefix up to and including the last item; the identity before the first. */
  readonly latest: readonly VarExpr[];
  /** The totals of the blocks that were completed last, and the prefixes before them, by size; undefined if one prefix is enough. */
  readonly blocks: Blocks | undefined;
}

/** Arrays by log2 of the size of blocks, one for each value of a total. */
export interface Blocks {
  readonly totals: readonly ArrayRef[];
  /** Of the items before each block; before the first block, the neutral value of the monoid, or anything if it has none. */
  readonly prefixes: readonly ArrayRef[];
}

/**
 * The chunks for which a strategy accepts a state: `any`, or `blocks`, which are at most as long as the largest block
 * that begins where they begin. Exactly associative operators accept any.
 */
export type Carries = "any" | "blocks";

/** A pipeline to lower. */
export interface Lowering {
  readonly checked: Checked;
  readonly capabilities: Capabilities;
  /** Makes the names of kernels and arrays. */
  readonly names: Names;
  /** The shape of the range. */
  readonly geometry: Geometry;
  /** Whether outputs use the arrays of inputs. */
  readonly isInPlace: boolean;
  /** Given if the items are a chunk of a range. */
  readonly carrying?: Carrying | undefined;
}

/** A pipeline as kernels. */
export interface Lowered {
  /** All arrays, once all kernels are made. */
  readonly buffers: readonly Buffer[];
  /** In the order in which they run; made one by one, so that a refusal of one stops the others. */
  readonly kernels: Iterable<Kernel>;
}

/** One way to lower a pipeline. */
export interface Strategy {
  readonly name: "one-thread" | "per-output" | "chunks" | "look-back" | "reduce-then-scan";
  /** The description for `explain`. */
  readonly summary: string;
  /** Given if it lowers pipelines over chunks, which read and store a state. */
  readonly carries?: Carries;
  /** The reason why it cannot be used; undefined if it can. */
  refuses(checked: Checked, capabilities: Capabilities, carrying?: Carrying): string | undefined;
  /** @throws GroupwiseError `work-group-too-large` */
  lower(lowering: Lowering): Lowered;
}
