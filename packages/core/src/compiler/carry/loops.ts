/** Loops over the items of a chunk load the state of the items before it, and store the state up to its end. */
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { and, binary, bool, ne, select, sub, u32 } from "../kernel/make-expr.ts";
import type { Component } from "../parts/components.ts";
import { type Monoid, settled } from "../parts/monoid.ts";
import { type Blocks, type Carrying, type Running, SIZES } from "../parts/strategy.ts";

/** Before the loops. */
export function takeState(code: Code, carrying: Carrying, component: Component, running: Running): void {
  const from = carrying.before(component);
  const { latest, blocks } = running;
  if (blocks) load(code, component.monoid, { from, latest, blocks, start: carrying.start });
  else for (const [i, array] of from.entries()) code.assign(latest[i] as VarExpr, code.load(array, u32(0)));
}

/** After the loops. @param to the outputs for the state */
export function giveState(code: Code, to: readonly ArrayRef[], { latest, blocks }: Running): void {
  for (const [i, array] of to.entries()) {
    if (!blocks) code.store(array, u32(0), latest[i] as Expr);
    else
      code.for("level", u32(0), u32(SIZES), (body, level) => {
        body.store(array, level, body.load(blocks.totals[i] as ArrayRef, level));
      });
  }
}

interface Loading {
  readonly from: readonly ArrayRef[];
  readonly latest: Running["latest"];
  readonly blocks: Blocks;
  readonly start: Expr;
}

/** The blocks before the chunk, from the largest: their totals, and the prefixes before them. The 1 bits of its place are their sizes. */
function load(code: Code, monoid: Monoid, { from, latest, blocks, start }: Loading): void {
  const last = u32(SIZES - 1);
  const begun = code.var("begun", bool(false));
  code.for("step", u32(0), u32(SIZES), (body, step) => {
    const level = body.let("level", and(sub(last, step), last));
    const total = from.map((array) => body.let("total", body.load(array, level)));
    body.storeAll(blocks.totals, level, total);
    const isPresent = ne(and(start, binary("shl", u32(1), level)), u32(0));
    body.if(isPresent, (inner) => {
      latest.forEach((prefix, i) => {
        const first = monoid.neutral?.[i];
        const value = first ? select(begun, prefix, first) : prefix;
        inner.store(blocks.prefixes[i] as ArrayRef, level, value);
      });
      const both = settled(inner, monoid.combine(inner, latest, total), "both");
      both.forEach((value, i) => {
        inner.assign(latest[i] as VarExpr, select(begun, value, total[i] as Expr));
      });
      inner.assign(begun, bool(true));
    });
  });
}
