/** The arrays in which kernels read the state before a chunk, and in which they store the state up to its end. */
import type { NodeId } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { param } from "@groupwise/kernel/language/make-expr.js";
import type { Buffer, Kernel, Module } from "@groupwise/kernel/language/module.js";
import type { Component } from "@groupwise/lower/parts/components.js";
import type { Carry } from "@groupwise/lower/parts/monoid.js";
import { type Running, SIZES } from "@groupwise/lower/parts/strategy.js";
import type { CarryingLookBack, Fused } from "@groupwise/lower/strategies/look-back/fused.js";
import type { CarryingGroups, GroupContext, GroupEnding } from "@groupwise/lower/work-groups/context.js";
import type { TileTotals } from "@groupwise/lower/work-groups/tile-totals.js";
import type { Carried, CarriedScan } from "../state/carry.ts";
import { kindOfState, type StateOperator, typesOfState } from "../state/state.ts";
import { carryKernels, correctEnd, firstOf } from "./kernels.ts";
import { endKernels, startKernels } from "./look-back.ts";
import { giveState, takeState } from "./loops.ts";
import { turned } from "./turned.ts";

/**
 * Places within a chunk's blocks have this many bits: a chunk ends where a block of 2^30 items does. The total of all items before
 * that block is stored as if it were that of a larger block, in the last element.
 */
export const PLACE_BITS = 30;
/** The index of the total of all items before the block of 2^30 items of a chunk, in the arrays of a state. */
export const AT_LAST = 31;
/** The level of a block for these items: no other block is merged with it. */
export const HIGHEST = 63;

/**
 * The state of a carried pipeline in its kernels; part of the cache key of compiled pipelines. It has references to the code for chunks, so that
 * bundles without it omit that code.
 */
export class CarriedState implements CarryingGroups, CarryingLookBack {
  readonly format = "groupwise-state";
  readonly buffers: readonly Buffer[];
  readonly start: Expr;
  readonly counted: ReadonlyMap<NodeId, string>;
  readonly #carried: Carried;

  constructor(carried: Carried) {
    this.#carried = carried;
    this.start = param(carried.place, "u32");
    this.buffers = carried.scans.flatMap(({ operator, to }) =>
      to.map((name, i) => bufferOf(operator, name, i)),
    );
    this.counted = new Map(
      [...carried.appended.values()].flatMap((scan) => {
        const { nodes, from } = carried.scans[scan] as CarriedScan;
        return nodes.map((id) => [id, from[0] as string] as const);
      }),
    );
  }

  /** The pipeline over a chunk that the kernels compute. */
  get carried(): Carried {
    return this.#carried;
  }

  before(component: Component): readonly ArrayRef[] {
    return arraysOf(component, this.scanOf(component).from);
  }

  after(component: Component): readonly ArrayRef[] {
    return arraysOf(component, this.scanOf(component).to);
  }

  take(code: Code, component: Component, running: Running): void {
    takeState(code, this, component, running);
  }

  give(code: Code, component: Component, running: Running): void {
    giveState(code, this.after(component), running);
  }

  kernels(context: GroupContext, stage: number): Iterable<Kernel> {
    return carryKernels(context, this, stage);
  }

  first(code: Code, totals: readonly TileTotals[]): Carry {
    return firstOf(code, this.start, totals);
  }

  correctEnd(context: GroupContext, code: Code, end: GroupEnding): void {
    correctEnd(context, code, end);
  }

  startKernels(context: GroupContext, fused: Fused): Iterable<Kernel> {
    return startKernels(context, this, fused);
  }

  endKernels(context: GroupContext, fused: Fused): Iterable<Kernel> {
    return endKernels(context, this, fused);
  }

  ordered(module: Module): Module {
    return this.#carried.isTurned ? turned(module) : module;
  }

  private scanOf({ nodes }: Component): CarriedScan {
    return this.#carried.scans.find((scan) => scan.nodes.includes(nodes[0]?.id as number)) as CarriedScan;
  }
}

function bufferOf(operator: StateOperator, name: string, field: number): Buffer {
  const type = typesOfState(operator)[field] as Scalar;
  const elements = elementsOfState(operator);
  return { name, role: "output", type, elements, cleared: false };
}

/** Elements of the tables and outputs of a state: a total for each size of blocks, or one. */
export const elementsOfState = (operator: StateOperator): number =>
  kindOfState(operator) === "cover" ? SIZES : 1;

const arraysOf = ({ monoid }: Component, names: readonly string[]): readonly ArrayRef[] =>
  names.map((name, i) => ({ space: "storage", name, type: monoid.types[i] as Scalar }));
