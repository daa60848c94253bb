/** Passes that reduce the items to the totals of full tiles: four items at once. */
import type { NodeId } from "../../ir/document/node.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, mul, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { ROW } from "../kernel/stmt.ts";
import { repeat } from "../lanes/lanes.ts";
import { operandsAt } from "../parts/components.ts";
import { type Monoid, settled } from "../parts/monoid.ts";
import { turnOf } from "../parts/stages.ts";
import { needsCosts } from "../schedule/costly.ts";
import { type Context, countFormula, makeKernel } from "./context.ts";
import { baseOf, monoidOfTileTotals, runOf, storeTileTotals } from "./levels.ts";
import { vec4Of } from "./row.ts";
import { type Run, totalOfTile } from "./tile.ts";
import type { TileTotals } from "./tile-totals.ts";

/** The text of a pass over tiles, for readers. */
export const tileDoc = ({ plan, tiling: { items } }: Context, stage: number, stores: boolean): string[] => [
  `Pass ${turnOf(plan, stage) + 1} over the items, ${items.size} to a work-group, ${items.itemsPerWorkItem} to a work-item.`,
  ...(stores ? ["Stores the total of every full tile for the next pass."] : []),
];

/** The pass of a stage that only reduces the items. Undefined if a work-item has no full vec4. */
export function reduceKernel(context: Context, stage: number): Kernel | undefined {
  const { tiling } = context;
  const totals = context.totals.get(stage) ?? [];
  if (totals.length === 0 || tiling.items.itemsPerWorkItem % ROW !== 0) return undefined;
  const { workGroupSize } = tiling;
  const groups = countFormula(tiling, 1);
  const frame = { hint: "tile_totals", doc: tileDoc(context, stage, true), workGroupSize, groups };
  return makeKernel(context, frame, ({ code, lanes, group: tile }) => {
    const base = baseOf(code, tiling.items, tile, lanes.lane);
    const run = reduceRows(context, code, base, totals);
    const total = totalOfTile(code, lanes, monoidOfTileTotals(totals), run);
    storeTileTotals(context, code, { totals, level: 1, tile, lane: lanes.lane, total });
  });
}

/**
 * The operands of consecutive items, or the totals of four each. Full tiles need no bounds checks. Operands that take long to compute are
 * computed in a loop over the vec4s: copies of their text would fill the caches of instructions.
 */
function reduceRows(context: Context, code: Code, base: Expr, totals: readonly TileTotals[]): Run {
  const { itemsPerWorkItem } = context.tiling.items;
  const components = totals.map(({ component }) => component);
  const roots: readonly NodeId[] = components.flatMap(({ of }) => of);
  const rows = itemsPerWorkItem / ROW;
  const isLoop = rows > 1 && needsCosts(context.checked, roots, context.written);
  const monoid = monoidOfTileTotals(totals);
  const run = runOf(code, monoid, isLoop ? rows : itemsPerWorkItem, true);
  const put = (inner: Code, k: Expr, values: readonly Expr[]): void =>
    values.forEach((value, i) => {
      inner.store(run.arrays[i] as ArrayRef, k, value);
    });
  repeat(code, {
    unrolled: !isLoop,
    hint: "row",
    from: u32(0),
    below: u32(rows),
    body: (body, row) => {
      const first = mul(row, u32(ROW));
      const items: Expr[][] = [];
      const four = vec4Of(context, body, { base: body.let("i", add(base, first)), roots });
      for (const [j, values] of four.entries()) {
        const operands = components.flatMap((component) => operandsAt(component, values, body));
        if (isLoop) items.push(operands.map((operand) => body.named("item", operand)));
        else put(body, add(first, u32(j)), operands);
      }
      if (isLoop) put(body, row, totalOfFour(body, monoid, items));
    },
  });
  return run;
}

/** Like the first rounds of the up-sweep of a work-item. */
function totalOfFour(code: Code, monoid: Monoid, items: readonly (readonly Expr[])[]): readonly Expr[] {
  const both = (a: readonly Expr[], b: readonly Expr[]): readonly Expr[] =>
    settled(code, monoid.combine(code, a, b), "both");
  const [a, b, c, d] = items as [Expr[], Expr[], Expr[], Expr[]];
  return both(both(a, b), both(c, d));
}
