/** The state of the items before a chunk comes into its loops, and that of the items up to its end goes out. */
import type { Carried, CarriedScan } from "../../../ir/state/carry.ts";
import { kindOfState, type StateOperator, typesOfState } from "../../../ir/state/state.ts";
import type { Scalar } from "../../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add, and, binary, bool, ne, param, select, sub, u32 } from "../../kernel/make-expr.ts";
import type { Buffer } from "../../kernel/module.ts";
import type { Component } from "../../parts/components.ts";
import { type Monoid, settled } from "../../parts/monoid.ts";
import type { Blocks, Carrying, Running } from "../../parts/strategy.ts";
import { SIZES } from "./counter.ts";

/**
 * Places within a chunk's blocks have this many bits: a chunk ends where a block of 2^30 items does. The total of all items before
 * that block stands as if it were that of a larger block, in the last element.
 */
export const PLACE_BITS = 30;

/** The lowering of a carried pipeline; part of the key of what is compiled. */
export class CarriedLoops implements Carrying {
  readonly format = "groupwise-state";
  readonly buffers: readonly Buffer[];
  private readonly start: Expr;
  readonly #carried: Carried;

  constructor(carried: Carried) {
    this.#carried = carried;
    this.start = param(carried.place, "u32");
    this.buffers = carried.scans.flatMap(({ operator, to }) =>
      to.map((name, i) => bufferOf(operator, name, i)),
    );
  }

  place(index: Expr): Expr {
    return add(this.start, index);
  }

  begin(code: Code, component: Component, { latest, blocks }: Running): void {
    const from = arraysOf(component, this.scanOf(component).from);
    if (blocks) load(code, component.monoid, { from, latest, blocks, start: this.start });
    else for (const [i, array] of from.entries()) code.assign(latest[i] as VarExpr, code.load(array, u32(0)));
  }

  end(code: Code, component: Component, { latest, blocks }: Running): void {
    const to = arraysOf(component, this.scanOf(component).to);
    for (const [i, array] of to.entries()) {
      if (!blocks) code.store(array, u32(0), latest[i] as Expr);
      else
        code.for("level", u32(0), u32(SIZES), (body, level) => {
          body.store(array, level, body.load(blocks.totals[i] as ArrayRef, level));
        });
    }
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

interface Loading {
  readonly from: readonly ArrayRef[];
  readonly latest: Running["latest"];
  readonly blocks: Blocks;
  readonly start: Expr;
}

/** The blocks before the chunk, which the bits of its place tell, from the largest on: their totals, and the prefixes to their ends. */
function load(code: Code, monoid: Monoid, { from, latest, blocks, start }: Loading): void {
  const last = u32(SIZES - 1);
  const begun = code.var("begun", bool(false));
  code.for("step", u32(0), u32(SIZES), (body, step) => {
    const level = body.let("level", and(sub(last, step), last));
    const total = from.map((array) => body.let("total", body.load(array, level)));
    total.forEach((value, i) => {
      body.store(blocks.totals[i] as ArrayRef, level, value);
    });
    const isThere = ne(and(start, binary("shl", u32(1), level)), u32(0));
    body.if(isThere, (inner) => {
      const both = settled(inner, monoid.combine(inner, latest, total), "both");
      both.forEach((value, i) => {
        inner.assign(latest[i] as VarExpr, select(begun, value, total[i] as Expr));
        inner.store(blocks.prefixes[i] as ArrayRef, level, latest[i] as Expr);
      });
      inner.assign(begun, bool(true));
    });
  });
}
