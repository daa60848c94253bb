/** The totals of the blocks of a chunk after its scan: slots have those of tiles, and the items after the last full tile are reduced. */
import { formula } from "@groupwise/ir/base/formula.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, lt, mul, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Lanes } from "@groupwise/lower/lanes/lanes.js";
import { siteAt } from "@groupwise/lower/parts/site.js";
import { SiteValues } from "@groupwise/lower/parts/values.js";
import { writeBlock } from "@groupwise/lower/strategies/look-back/carried.js";
import { type Fused, operandsOfItem } from "@groupwise/lower/strategies/look-back/fused.js";
import { teamOf } from "@groupwise/lower/strategies/look-back/kernel.js";
import {
  bitsBelow,
  blocksAt,
  digitOf,
  itemsOfLane,
  type TilePlan,
  type TileStatus,
} from "@groupwise/lower/strategies/look-back/shape.js";
import { publishLastBlocks, unseen, waitAt } from "@groupwise/lower/strategies/look-back/slots.js";
import { type GroupContext, makeKernel } from "@groupwise/lower/work-groups/context.js";
import { runOf } from "@groupwise/lower/work-groups/levels.js";
import { coverOfLanes, coverOfTile } from "@groupwise/lower/work-groups/tile.js";

/** The index of the total of the tail if it is as long as a tile. Blocks of tiles may have its size too, and no block of a chunk has 2^31 items. */
const WHOLE = 31;

/** The items of the full tiles, whose blocks the slots have. */
export const itemsInTiles = ({ shape, n }: TileStatus): Expr => mul(blocksAt(shape, n, 0), shape.size);

/** Where the total of a block of the tail is, from log2 of its size. */
export const placeInTail = ({ shift }: TilePlan, level: Expr): Expr => select(lt(level, shift), level, WHOLE);

export function blocksKernel(context: GroupContext, fused: Fused): Kernel {
  const { workGroupSize } = fused.status.shape;
  const doc = ["Totals of the blocks of the chunk, by one work-group: from slots, and of the tail."];
  const frame = { hint: "blocks", doc, workGroupSize, groups: formula("min", "n", 1) };
  return makeKernel(context, frame, ({ code, lanes }) => {
    const tile = code.let("tile", blocksAt(fused.status.shape, context.n, 0));
    blocksOfTiles(code, lanes, fused, tile);
    blocksOfTail(context, code, lanes, fused, tile);
  });
}

/** The blocks of full tiles. Their number gives for each level the number of slots, whose 1 bits are the sizes of the blocks. */
function blocksOfTiles(code: Code, lanes: Lanes, fused: Fused, tile: Expr): void {
  const { status } = fused;
  const { monoid, shape } = status;
  const team = teamOf(code, lanes, fused);
  publishLastBlocks(code, { status, team, tile });
  code.barrier();
  // All slots are published: no wait is needed.
  code.for("level", 0, shape.levels, (body, level) => {
    const { slot } = waitAt(body, { status, team, tile }, { level: [level], seen: unseen(status) });
    const first = body.let("first_size", add(shape.shift, bitsBelow(level)));
    const cover = { lanes: team.lanes, lane: team.lane, monoid, count: digitOf(tile, level) };
    coverOfLanes(body, cover, slot, (inner, round, total) =>
      writeBlock(inner, status, add(first, round), total),
    );
  });
}

/** The blocks of the items after the full tiles. */
function blocksOfTail(context: GroupContext, code: Code, lanes: Lanes, fused: Fused, tile: Expr): void {
  const { status } = fused;
  const { monoid, shape } = status;
  const run = runOf(code, monoid, itemsOfLane(shape));
  const count = code.let("count", sub(context.n, mul(tile, shape.size)));
  const first = code.let("first", mul(lanes.lane, run.length));
  code.for("k", 0, run.length, (body, k) => {
    // A lane past the end reads the last item again.
    const item = binary("min", add(add(mul(tile, shape.size), first), k), sub(context.n, 1));
    const values = new SiteValues(siteAt(context, body.let("i", item)));
    body.storeAll(run.arrays, k, operandsOfItem(fused, values, body));
  });
  const whole = coverOfTile(code, lanes, { monoid, run, count }, (inner, level, total) =>
    writeBlock(inner, status, level, total),
  );
  const isWhole = and(eq(count, shape.size), eq(lanes.lane, 0));
  code.if(isWhole, (then) => writeBlock(then, status, u32(WHOLE), whole));
}
