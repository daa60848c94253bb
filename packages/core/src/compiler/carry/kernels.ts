/** Chunks on work-groups: what stands between the pass that leaves the totals of tiles and the one that scans them. */
import { add } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { type Context, makeKernel } from "../work-groups/context.ts";
import { monoidOfTileTotals } from "../work-groups/levels.ts";
import { eachRest } from "../work-groups/rest.ts";
import { coverOfTile } from "../work-groups/tile.ts";
import { type TileTotals, writeTileTotals } from "../work-groups/tile-totals.ts";
import { carryKernel } from "./carry-kernel.ts";

/** For the scans and reduces that are ready at a stage; nothing where the items are the whole range. */
export function* carryKernels(context: Context, stage: number): Generator<Kernel> {
  const { carrying, plan } = context;
  if (!carrying) return;
  const ready = [...context.totals.values()]
    .flat()
    .filter(({ component }) => component.nodes.some(({ id }) => plan.ready[id] === stage));
  if (ready.length === 0) return;
  yield blocksKernel(context, ready);
  for (const totals of ready) yield carryKernel(context, carrying, totals);
}

/** The totals of the blocks that the chunk consists of, which the bits of its length tell. */
function blocksKernel(context: Context, totals: readonly TileTotals[]): Kernel {
  const doc = ["Totals of the blocks of the chunk, by one work-group."];
  const frame = { hint: "blocks", doc, workGroupSize: context.tiling.workGroupSize, groups: 1 };
  const monoid = monoidOfTileTotals(totals);
  return makeKernel(context, frame, (parts) =>
    eachRest(context, parts, totals, (code, { run, tail, shift }) =>
      coverOfTile(code, parts.lanes, { monoid, run, count: tail }, (inner, level, total) =>
        writeTileTotals(inner, totals, inner.let("size", add(shift, level)), total),
      ),
    ),
  );
}
