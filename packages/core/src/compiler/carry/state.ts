/** Where kernels find the state of the items before a chunk, and where they leave that of the items up to its end. */
import type { Carried, CarriedScan } from "../../ir/state/carry.ts";
import { kindOfState, type StateOperator, typesOfState } from "../../ir/state/state.ts";
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { ArrayRef } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { param } from "../kernel/make-expr.ts";
import type { Buffer } from "../kernel/module.ts";
import type { Component } from "../parts/components.ts";
import type { Carrying } from "../parts/strategy.ts";

/**
 * Places within a chunk's blocks have this many bits: a chunk ends where a block of 2^30 items does. The total of all items before
 * that block stands as if it were that of a larger block, in the last element.
 */
export const PLACE_BITS = 30;

/** Sizes of blocks, by log2: places are u32. */
export const SIZES = 32;

/**
 * On work-groups the totals of a chunk's own blocks, by the same sizes, stand before those of its tiles; behind them the prefixes before
 * the chunk and at its end.
 */
export const AT_START: number = SIZES;
export const AT_END: number = SIZES + 1;
/** How many totals that are. */
export const CARRIED: number = SIZES + 2;

/** The state of a carried pipeline in its kernels; part of the key of what is compiled. */
export class CarriedState implements Carrying {
  readonly format = "groupwise-state";
  readonly buffers: readonly Buffer[];
  readonly start: Expr;
  readonly #carried: Carried;

  constructor(carried: Carried) {
    this.#carried = carried;
    this.start = param(carried.place, "u32");
    this.buffers = carried.scans.flatMap(({ operator, to }) =>
      to.map((name, i) => bufferOf(operator, name, i)),
    );
  }

  before(component: Component): readonly ArrayRef[] {
    return arraysOf(component, this.scanOf(component).from);
  }

  after(component: Component): readonly ArrayRef[] {
    return arraysOf(component, this.scanOf(component).to);
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
