/** The items after the last full tile, handled by one work-group. */
import { formula } from "@groupwise/ir/base/formula.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import { eq, ne, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Lanes } from "../../lanes/lanes.ts";
import { type Context, makeKernel } from "../../work-groups/context.ts";
import type { Fused } from "./fused.ts";
import { TileItems } from "./items.ts";
import { prefixBefore } from "./prefix.ts";
import { publishLastBlocks } from "./slots.ts";
import { memoryOf, teamOf } from "./team.ts";
import { endOfChunk, firstOfChunk } from "./tiles/carried.ts";
import { blocksAt, tilesFormula } from "./tiles/shape.ts";
import { finishRows, reduceBlocks, startBlocks } from "./tiles/tile.ts";
import { leaveTotals, Writer } from "./write.ts";

export function tailKernel(context: Context, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const { size, workGroupSize } = shape;
  const items = formula("sub", "n", formula("mul", tilesFormula(shape), size));
  const some = formula("min", items, 1);
  // Without items the totals are identities, which a pass has to write.
  const groups =
    fused.totals.length > 0 ? formula("max", some, formula("sub", 1, formula("min", "n", 1))) : some;
  const doc = ["The items after the last full tile."];
  return makeKernel(context, { hint: "tail", doc, workGroupSize, groups }, ({ code, lanes }) => {
    if (fused.totals.length === 0) return writeTail(context, stage, fused, code, lanes);
    const { n, monoid } = fused.status;
    code.if(
      ne(n, 0),
      (some) => writeTail(context, stage, fused, some, lanes),
      (none) =>
        none.if(eq(lanes.lane, 0), (one) =>
          leaveTotals(context, fused, one, endOfChunk(one, fused.status) ?? monoid.identity),
        ),
    );
  });
}

/** Writes the items after the last full tile, and the totals if there is such an item. */
function writeTail(context: Context, stage: number, fused: Fused, code: Code, lanes: Lanes): void {
  const { status } = fused;
  const team = teamOf(code, lanes, fused);
  const memory = memoryOf(lanes.shared, fused);
  const items = new TileItems(context, fused, team);
  const tile = code.let("tile", blocksAt(status.shape, status.n, 0));
  const held = items.hold(code, "items");
  items.loadSome(code, tile, held);
  const first = firstOfChunk(code, status, lanes);
  const writer = new Writer(context, stage, fused, first);
  publishLastBlocks(code, { status, team, tile });
  const tileItems = items.held(tile, held);
  const region = u32(0);
  const partials = items.partials(code, "kept");
  reduceBlocks(code, { status, team, memory, items: tileItems, region, partials });
  // All slots are published: no wait is needed.
  const before = prefixBefore(code, { status, team, tile, first });
  startBlocks(code, { status, team, memory, region, tile, before });
  code.barrier();
  finishRows(code, { status, team, memory, items: tileItems, tile, partials }, (row, number, prefixes) =>
    writer.some(row, row.let("base", items.base(tile, number)), prefixes),
  );
}
