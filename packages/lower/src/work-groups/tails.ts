/** The tails: the items, and the tile totals of each level, that no full tile holds. One work-group handles them. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, ne, select, sub } from "@groupwise/kernel/language/make-expr.js";
import type { Test } from "../lanes/either-way.ts";
import { operandsAt } from "../parts/components.ts";
import { siteAt } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { type GroupContext, type KernelParts, offsetAt } from "./context.ts";
import { firstItem, monoidOfTileTotals, runOf } from "./levels.ts";
import type { ItemRun } from "./tile.ts";
import { readTileTotals, type TileTotals } from "./tile-totals.ts";

/** The tail of one level. */
interface Tail {
  /** Reads the values of this work-item; those past the end are copies of the last. @param test called with each */
  load(code: Code, offset: Expr, test?: Test): ItemRun;
  /** The index of the level's first total. */
  readonly offset: Expr;
  /** The number of values, at least 1. */
  readonly count: Expr;
  /** The index of the last value in the tail. */
  readonly last: Expr;
  /** log2 of the items of one value. */
  readonly shift: Expr;
}

/** Loads the tail of each level, from the highest level, whose items come first, down to the items. */
export function eachTail(
  context: GroupContext,
  { code, lanes }: KernelParts,
  totals: readonly TileTotals[],
  use: (code: Code, tail: Tail) => void,
): void {
  const { tiling, n } = context;
  const monoid = monoidOfTileTotals(totals);
  const offset = code.var("offset", offsetAt(context, tiling.levels));
  // Every tail is shorter than a tile, and the tiles of totals are the longer ones.
  const { items, tilesOfTotals } = tiling;
  const first = code.let("first", firstItem(tilesOfTotals, lanes.lane));
  code.for("step", 0, tiling.levels + 1, (body, step) => {
    const level = body.let("level", sub(tiling.levels, step));
    const isItems = body.let("is_items", eq(level, 0));
    const above = add(items.shift, binary("mul", sub(level, 1), tilesOfTotals.shift));
    const shift = select(isItems, 0, above);
    const count = body.let("count", binary("shr", n, shift));
    const mask = select(isItems, items.size - 1, tilesOfTotals.size - 1);
    const tail = body.let("tail", binary("and", count, mask));
    const from = body.let("from", sub(count, tail));
    body.if(ne(tail, 0), (some) => {
      const last = some.let("last", sub(tail, 1));
      // A lane past the end reads the last one again: P(tail) does not use it.
      const at = (inner: Code, k: Expr): Expr =>
        inner.let("at", add(from, binary("min", add(first, k), last)));
      const load: Tail["load"] = (outer, levelOffset, test = () => {}) => {
        const run = runOf(outer, monoid, tilesOfTotals.itemsPerWorkItem);
        const each =
          (read: (inner: Code, k: Expr) => readonly Expr[]) =>
          (code: Code): void =>
            code.for("k", 0, run.length, (inner, k) => {
              inner.storeAll(run.arrays, k, read(inner, k));
              test(inner, inner.loadAll(run.arrays, k));
            });
        outer.if(
          isItems,
          each((inner, k) => {
            const values = new SiteValues(siteAt(context, at(inner, k)));
            return totals.flatMap(({ component }) => operandsAt(component, values, inner));
          }),
          each((inner, k) => readTileTotals(inner, totals, add(levelOffset, at(inner, k)))),
        );
        return run;
      };
      use(some, { load, offset, count: tail, last, shift });
    });
    body.if(ne(level, 0), (then) => then.assign(offset, add(offset, count)));
  });
}
