/** The totals of the blocks of a chunk after its scan: slots have those of tiles, and the items after the last full tile are reduced. */
import { formula } from "../../ir/base/formula.ts";
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, eq, lt, mul, select, sub, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { ROW } from "../kernel/stmt.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { siteAt } from "../parts/site.ts";
import { Values } from "../parts/values.ts";
import { type Fused, operandsOfItem } from "../strategies/look-back/fused.ts";
import { publishLastBlocks, unseen, waitAt } from "../strategies/look-back/slots.ts";
import { teamOf } from "../strategies/look-back/team.ts";
import { writeBlock } from "../strategies/look-back/tiles/carried.ts";
import { bitsBelow, blocksAt, digitOf, type Shape } from "../strategies/look-back/tiles/shape.ts";
import type { TileStatus } from "../strategies/look-back/tiles/tile-status.ts";
import { type Context, makeKernel } from "../work-groups/context.ts";
import { runOf } from "../work-groups/levels.ts";
import { coverOfLanes, coverOfTile } from "../work-groups/tile.ts";

/** The index of the total of the tail if it is as long as a tile. Blocks of tiles may have its size too, and no block of a chunk has 2^31 items. */
const WHOLE = 31;

/** The items of the full tiles, whose blocks the slots have. */
export const itemsInTiles = ({ shape, n }: TileStatus): Expr => mul(blocksAt(shape, n, 0), u32(shape.size));

/** Where the total of a block of the tail is, from log2 of its size. */
export const placeInTail = ({ shift }: Shape, level: Expr): Expr =>
  select(lt(level, u32(shift)), level, u32(WHOLE));

export function blocksKernel(context: Context, fused: Fused): Kernel {
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
  code.for("level", u32(0), u32(shape.levels), (body, level) => {
    const { slot } = waitAt(body, { status, team, tile }, { level: [level], seen: unseen(status) });
    const first = body.let("first_size", add(u32(shape.shift), bitsBelow(level)));
    const cover = { lanes: team.lanes, lane: team.lane, monoid, count: digitOf(tile, level) };
    coverOfLanes(body, cover, slot, (inner, round, total) =>
      writeBlock(inner, status, add(first, round), total),
    );
  });
}

/** The blocks of the items after the full tiles. */
function blocksOfTail(context: Context, code: Code, lanes: Lanes, fused: Fused, tile: Expr): void {
  const { status } = fused;
  const { monoid, shape } = status;
  const run = runOf(code, monoid, shape.rows * ROW);
  const count = code.let("count", sub(context.n, mul(tile, u32(shape.size))));
  const first = code.let("first", mul(lanes.lane, u32(run.length)));
  code.for("k", u32(0), u32(run.length), (body, k) => {
    // A lane past the end reads the last item again.
    const item = binary("min", add(add(mul(tile, u32(shape.size)), first), k), sub(context.n, u32(1)));
    const values = new Values(siteAt(context, body.let("i", item)));
    body.storeAll(run.arrays, k, operandsOfItem(fused, values, body));
  });
  const whole = coverOfTile(code, lanes, { monoid, run, count }, (inner, level, total) =>
    writeBlock(inner, status, level, total),
  );
  const isWhole = and(eq(count, u32(shape.size)), eq(lanes.lane, u32(0)));
  code.if(isWhole, (then) => writeBlock(then, status, u32(WHOLE), whole));
}
