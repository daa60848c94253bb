/**
 * The search for the prefix of a tile whose lanes exchange values through work-group memory. It loops over the levels, and work-items
 * reach each of its barriers whatever the tile is: compilers that split kernels at barriers copy all code after a barrier that may be
 * skipped, once for each such barrier (`docs/decisions/printed-functions.md`).
 */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, and, binary, eq, lt, select, sub, u32, unary } from "../../kernel/make-expr.ts";
import { scanOfLanes, totalOfLanes } from "../../lanes/lane-routines.ts";
import { nothing } from "../../parts/monoid.ts";
import { assignAll, type Finished, type Prefix, presentAt, withOwn } from "./prefix.ts";
import { blockOf, blocksAt, digitOf, RADIX_BITS, trailingOnes } from "./shape.ts";
import { firstMissing, NONE, publish, unseen, waitAt } from "./slots.ts";
import { pick, publishes, type TileStatus } from "./tile-status.ts";

/** What a search found. */
export interface Found extends Prefix {
  /** The first slot that is missing, or NONE. */
  readonly missing: Expr;
}

/** The number of levels that the tiles of a range need, at least 1. */
export function levelsUsed(code: Code, { shape, n }: TileStatus): Expr {
  const { levels } = shape;
  if (levels === 1) return u32(1);
  const tiles = binary("max", blocksAt(shape, n, 0), u32(1));
  const log32 = binary("div", sub(u32(31), unary("clz", tiles)), u32(RADIX_BITS));
  // The maximum with 1 tells compilers that loops over the levels run at least once.
  return code.let("levels", binary("min", binary("max", add(log32, u32(1)), u32(1)), u32(levels)));
}

/** Visits the levels that the tiles of a range need, the highest first. */
export function downLevels(
  code: Code,
  { shape }: TileStatus,
  used: Expr,
  visit: (code: Code, level: Expr) => void,
): void {
  if (shape.levels === 1) {
    visit(code, u32(0));
    return;
  }
  code.for("step", u32(0), used, (body, step) => {
    const level = binary("min", sub(sub(used, u32(1)), step), u32(shape.levels - 1));
    visit(body, body.let("level", level));
  });
}

/** The slots of a tile, by level. */
interface Slots {
  readonly values: readonly ArrayRef[];
  /** The first that is missing, or NONE. */
  readonly missing: Expr;
}

/** Waits for the slots before a tile, the highest level first. */
function waitForAll(code: Code, { status, team, tile }: Finished, used: Expr): Slots {
  const values = status.monoid.types.map((type) => code.array("slots", type, status.shape.levels));
  const missing = code.var("missing", u32(NONE));
  downLevels(code, status, used, (body, level) => {
    const waited = waitAt(body, { status, team, tile }, { level: [level], seen: unseen(status) });
    values.forEach((array, i) => {
      body.store(array, level, waited.slot[i] as Expr);
    });
    body.assign(missing, binary("min", waited.missing, missing));
  });
  return { values, missing: firstMissing(code, team, [{ slot: [], missing }]) };
}

/** Puts the tile and the blocks that end with it into their slots, and publishes the blocks; if a slot is missing, the work-group that waits for a block computes it. */
function publishEnded(
  code: Code,
  { status, team, tile, own }: Finished,
  { values, missing }: Slots,
  { used, ends }: Readonly<Record<"used" | "ends", Expr>>,
): void {
  const total = own.map((v) => code.var("total", v));
  code.for("level", u32(0), used, (body, level) => {
    const slots = values.map((array) => body.load(array, level));
    const mine = withOwn(body, team, slots, total, digitOf(tile, level));
    values.forEach((array, i) => {
      body.store(array, level, mine[i] as Expr);
    });
    if (status.shape.levels === 1) return;
    assignAll(body, total, totalOfLanes(body, team.lanes, status.monoid, mine));
    const above = add(level, u32(1));
    const isEnded = and(lt(level, ends), eq(missing, u32(NONE)));
    const when = publishes(status, tile);
    const block = { level: above, slot: blockOf(tile, above), total };
    publish(body, { status, team, ...block, when: when ? and(isEnded, when) : isEnded });
  });
}

/** Waits for the slots before a tile, publishes the blocks that end with it, and folds the slots, the highest level first. */
export function searchLevels(code: Code, here: Finished): Found {
  const { status, team, tile, own } = here;
  const { monoid, shape } = status;
  const used = levelsUsed(code, status);
  const ended = binary("div", trailingOnes(tile), u32(RADIX_BITS));
  const ends = shape.levels === 1 ? u32(0) : code.let("ends", binary("min", ended, sub(used, u32(1))));
  const slots = waitForAll(code, here, used);
  publishEnded(code, here, slots, { used, ends });
  const before = nothing(monoid).values.map((v) => code.var("before", v));
  const after = own.map((v) => code.var("after", v));
  downLevels(code, status, used, (body, level) => {
    const seed = { values: before, present: presentAt(monoid, { tile: [tile], level: [level] }) };
    const values = slots.values.map((array) => body.load(array, level));
    const { exclusive, inclusive } = scanOfLanes(body, team.lanes, monoid, values, seed);
    const digit = body.let("digit", digitOf(tile, level));
    assignAll(body, before, pick(body, team, exclusive.values, digit));
    // The order combines the largest block that ends with the tile first.
    const isLargest = eq(level, ends);
    const last = pick(body, team, inclusive, digit);
    assignAll(
      body,
      after,
      last.map((v, i) => select(isLargest, v, after[i] as Expr)),
    );
  });
  return { missing: slots.missing, before, after };
}
