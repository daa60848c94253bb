/** Loops over the items of a chunk load the state of the items before it, and store the state up to its end. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { and, binary, bool, ne, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Component } from "@groupwise/lower/parts/components.js";
import { type Monoid, named, namedResults } from "@groupwise/lower/parts/monoid.js";
import { type Blocks, type Carrying, type Running, SIZES } from "@groupwise/lower/parts/strategy.js";

/** Before the loops. */
export function takeState(code: Code, carrying: Carrying, component: Component, running: Running): void {
  const from = carrying.before(component);
  const { latest, blocks } = running;
  if (blocks) load(code, component.monoid, { from, latest, blocks, start: carrying.start });
  else for (const [i, array] of from.entries()) code.assign(latest[i] as VarExpr, code.load(array, 0));
}

/** After the loops. @param to the outputs for the state */
export function giveState(code: Code, to: readonly ArrayRef[], { latest, blocks }: Running): void {
  for (const [i, array] of to.entries()) {
    if (!blocks) code.store(array, 0, latest[i] as Expr);
    else
      code.for("level", 0, SIZES, (body, level) => {
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
  const started = code.var("started", bool(false));
  code.for("step", 0, SIZES, (body, step) => {
    const level = body.let("level", and(sub(last, step), last));
    const total = named(body, monoid, "total", body.loadAll(from, level));
    body.storeAll(blocks.totals, level, total);
    const isPresent = ne(and(start, binary("shl", 1, level)), 0);
    body.if(isPresent, (inner) => {
      latest.forEach((prefix, i) => {
        const first = monoid.neutral?.[i];
        const value = first ? select(started, prefix, first) : prefix;
        inner.store(blocks.prefixes[i] as ArrayRef, level, value);
      });
      const both = namedResults(inner, monoid, monoid.combine(inner, latest, total), "both");
      both.forEach((value, i) => {
        inner.assign(latest[i] as VarExpr, select(started, value, total[i] as Expr));
      });
      inner.assign(started, bool(true));
    });
  });
}
