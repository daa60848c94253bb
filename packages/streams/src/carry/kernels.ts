/** Chunks on work-groups: the kernels between the pass that stores tile totals and the one that scans them, and the start of that scan. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, lt, ne, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Carry } from "@groupwise/lower/parts/monoid.js";
import type { Carrying } from "@groupwise/lower/parts/strategy.js";
import { type GroupContext, type GroupEnding, makeKernel } from "@groupwise/lower/work-groups/context.js";
import { monoidOfTileTotals } from "@groupwise/lower/work-groups/levels.js";
import { eachTail } from "@groupwise/lower/work-groups/tails.js";
import { coverOfTile } from "@groupwise/lower/work-groups/tile.js";
import {
  AT_END,
  AT_START,
  blockTotalsIn,
  readTileTotals,
  type TileTotals,
  writeTileTotals,
} from "@groupwise/lower/work-groups/tile-totals.js";
import { carryKernel } from "./carry-kernel.ts";

/** For the scans and reduces that are ready at a stage. */
export function* carryKernels(context: GroupContext, carrying: Carrying, stage: number): Generator<Kernel> {
  const ready = [...context.totals.values()]
    .flat()
    .filter(({ component }) => component.nodes.some(({ id }) => context.plan.ready[id] === stage));
  if (ready.length === 0) return;
  yield blocksKernel(context, ready);
  for (const totals of ready) yield carryKernel(context, carrying, blockTotalsIn(totals));
}

/** The totals of the blocks of the chunk. The 1 bits of its length are the sizes of the blocks. */
function blocksKernel(context: GroupContext, totals: readonly TileTotals[]): Kernel {
  const doc = ["Totals of the blocks of the chunk, by one work-group."];
  const frame = { hint: "blocks", doc, workGroupSize: context.tiling.workGroupSize, groups: 1 };
  const monoid = monoidOfTileTotals(totals);
  return makeKernel(context, frame, (parts) =>
    eachTail(context, parts, totals, (code, { load, offset, count, shift }) =>
      coverOfTile(code, parts.lanes, { monoid, run: load(code, offset), count }, (inner, level, total) =>
        writeTileTotals(inner, totals, inner.let("size", add(shift, level)), total),
      ),
    ),
  );
}

/** The prefix before a chunk; absent at place 0. */
export function firstOf(code: Code, start: Expr, totals: readonly TileTotals[]): Carry {
  return {
    values: readTileTotals(code, totals, u32(AT_START)).map((value) => code.let("first", value)),
    present: monoidOfTileTotals(totals).reassociable ? undefined : ne(start, 0),
  };
}

/** The last item's prefix is the prefix at the chunk's end, because the order first combines the block that ends there and begins before the chunk. */
export function correctEnd({ n }: GroupContext, code: Code, { totals, base, run }: GroupEnding): void {
  if (totals.length === 0 || monoidOfTileTotals(totals).reassociable) return;
  const last = code.let("last", sub(sub(n, 1), base));
  code.if(lt(last, run.length), (then) => {
    then.storeAll(run.arrays, last, readTileTotals(then, totals, u32(AT_END)));
  });
}
