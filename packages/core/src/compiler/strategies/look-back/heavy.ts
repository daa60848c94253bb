/**
 * Look-back where combining takes many operations: no value is combined twice. The rows of a tile are folded together, what the up-sweep
 * combined is kept for the down-sweep, and the first block of lanes finds the prefix of the tile with a combination for each 1 of its number.
 */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, binary, eq, lt, mul, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import { totalOfLanes } from "../../lanes/lane-routines.ts";
import { ascendRows, descendRows, type Rows, rowOfLane } from "../../lanes/rows-of-lanes.ts";
import { prefixesAt, treeOf } from "../../lanes/tree.ts";
import { presentIf } from "../../parts/monoid.ts";
import { named, prefixesOfFew, recordsOf, totalOfFew } from "../../work-groups/tile.ts";
import { type Found, firstOf, presentAt } from "./prefix.ts";
import { digitOf, RADIX, type Shape } from "./shape.ts";
import { endsOf, type Finished, firstMissing, look, NONE, waitAt, withOwn } from "./slots.ts";
import type { TileToFinish, TileToReduce } from "./tile.ts";
import { eachRow, precededIf, type Team, type TileStatus } from "./tile-status.ts";
import type { Partials } from "./values/partials.ts";

/** The rows of a tile that the lanes of a block fold. */
export const togetherOf = ({ lanes }: Team, { shape: { rows }, monoid }: TileStatus): Rows => ({
  lanes,
  monoid,
  rows,
});

/** Stores the totals of the blocks of a tile in a region of memory, visible to all after a barrier. */
export function reduceTogether(
  code: Code,
  { status, team, memory, items, region, rows, partials }: TileToReduce & { readonly rows: Expr },
): void {
  const { shape, monoid } = status;
  const of = togetherOf(team, status);
  const totals = monoid.types.map((type) => code.array("row_totals", type, shape.rows));
  eachRow(code, team, rows, (body, row) => {
    const values = items.row(body, row);
    const { total, pair = [] } = totalOfFew(body, monoid, values);
    partials?.putRow(body, row, [values[0] as Expr[], pair, values[2] as Expr[]]);
    body.storeAll(totals, row, total);
  });
  const doc = `Stores the totals of the blocks: of the items of ${RADIX} lanes in each of ${shape.rows} rows.`;
  const slot = add(mul(region, u32(shape.blocks)), blockOfLane(of, team, shape));
  const total = Array.from({ length: shape.rows }, (_, row) => code.loadAll(totals, u32(row))).flat();
  const { lower } = code.routine({ title: "store_blocks", doc }, { total, slot: [slot] }, (args) => {
    const up = ascendRows(code, of, recordsOf(monoid, args.total));
    code.if(lt(team.sub, u32(shape.rows)), (then) => {
      then.storeAll(memory.blockTotals, args.slot[0] as Expr, up.total);
    });
    return { lower: up.lower.flat() };
  });
  partials?.putAcross(code, recordsOf(monoid, lower));
  code.barrier();
}

/** The block whose row a lane has after the up-sweep. */
const blockOfLane = (of: Rows, { block }: Team, { lanes32 }: Shape): Expr =>
  add(mul(rowOfLane(of), u32(lanes32)), block);

/** The prefixes of a lane's items in a row, and the prefix before the next lane's, if there is one. */
export interface RowScan {
  readonly before: readonly (readonly Expr[])[];
  readonly inclusive: readonly Expr[];
}

/** Whether items precede a block of a tile. */
export const follows = (status: TileStatus, tile: Expr, block: Expr): Expr =>
  precededIf(status, binary("or", ne(tile, u32(0)), ne(block, u32(0))));

/** Scans of rows from what the up-sweep kept. */
export function rowsFrom(
  code: Code,
  finish: TileToFinish,
  partials: Partials,
): (code: Code, row: Expr) => RowScan {
  const { status, team, tile } = finish;
  const { monoid } = status;
  const starts = startsOf(code, finish, partials);
  return (body, row) => {
    const values = named(body, "start", body.loadAll(starts, row));
    const isLater = (): Expr =>
      binary("or", follows(status, tile, team.block), ne(binary("or", row, team.sub), u32(0)));
    const present = presentIf(monoid, () => body.let("is_later", isLater()));
    const inclusive = values.map((v) => body.shuffle("next", v, team.lanes.next as Expr));
    const [first, pair, third] = partials.takeRow(body, row) as [Expr[], Expr[], Expr[]];
    const items = [first, [], third, []];
    return { before: prefixesOfFew(body, monoid, { values, present }, items, pair), inclusive };
  };
}

/** The prefixes before a lane's items, by row. */
function startsOf(code: Code, { status, team, memory, tile }: TileToFinish, partials: Partials): ArrayRef[] {
  const { shape, monoid } = status;
  const of = togetherOf(team, status);
  const doc = `The prefixes before the items that a lane has in ${shape.rows} rows, from the prefixes before the blocks.`;
  const given = {
    lower: partials.takeAcross(code).flat(),
    block: code.loadAll(memory.prefixes, blockOfLane(of, team, shape)),
    is_later: monoid.neutral ? [] : [follows(status, tile, team.block)],
  };
  const { start } = code.routine({ title: "start_rows", doc }, given, (args) => {
    const seed = { values: args.block, present: args.is_later[0], lower: recordsOf(monoid, args.lower) };
    return { start: descendRows(code, of, seed).flat() };
  });
  const starts = monoid.types.map((type) => code.array("starts", type, shape.rows));
  recordsOf(monoid, start).forEach((values, row) => {
    code.storeAll(starts, u32(row), values);
  });
  return starts;
}

/** The values of the slots of a tile's levels. */
interface Slots {
  readonly values: readonly ArrayRef[];
  readonly missing: Expr;
  /** The highest level of which a block ends with the tile. */
  readonly ends: Expr;
}

/** Waits for the slots before a tile, which it first reads for all levels at once. The tile and the blocks that end with it have slots too. */
function slotsOf(code: Code, here: Finished): Slots {
  const { status, team, tile, own } = here;
  const { levels, slotWords } = status.shape;
  const seen = code.array("seen", "u32", levels * slotWords);
  const words = Array.from({ length: levels }, (_, level) => look(code, here, level)).flat();
  for (const [i, word] of words.entries()) code.store(seen, u32(i), word);
  const values = status.monoid.types.map((type) => code.array("slots", type, levels));
  const missing = code.var("missing", u32(NONE));
  const total = own.map((v) => code.var("total", v));
  const ends = endsOf(code, status, tile);
  code.for("level", u32(0), u32(levels), (body, level) => {
    const first = mul(level, u32(slotWords));
    const read = Array.from({ length: slotWords }, (_, i) => body.load(seen, add(first, u32(i))));
    const waited = waitAt(body, here, { level: [level], seen: read });
    body.assign(missing, binary("min", waited.missing, missing));
    const mine = withOwn(body, team, waited.slot, total, digitOf(tile, level));
    body.storeAll(values, level, mine);
    body.if(lt(level, ends), (then) =>
      then.assignAll(total, totalOfLanes(then, team.lanes, status.monoid, mine)),
    );
  });
  return { values, missing: firstMissing(code, team, [{ slot: [], missing }]), ends };
}

/** Finds the prefixes before and after a tile, the highest level of its slots first. */
export function searchHeavy(code: Code, here: Finished): Found {
  const { status, team, tile, own } = here;
  const { monoid, shape } = status;
  const { values, missing, ends } = slotsOf(code, here);
  const before = firstOf(here).map((v) => code.var("before", v));
  const after = own.map((v) => code.var("after", v));
  code.for("step", u32(0), u32(shape.levels), (body, step) => {
    const level = body.let("level", sub(u32(shape.levels - 1), step));
    const digit = body.let("digit", digitOf(tile, level));
    // The order combines the largest block that ends with the tile first.
    const isLargest = body.let("is_largest", eq(level, ends));
    body.if(binary("or", ne(digit, u32(0)), isLargest), (then) => {
      const slot = values.map((array) => then.let("slot", then.load(array, level)));
      const { ending } = treeOf(then, team.lanes, monoid, slot);
      const present = presentAt(status, { tile: [tile], level: [level] });
      const seeded = { ending, seed: { values: before, present } };
      const found = prefixesAt(then, team.lanes, monoid, seeded, { at: digit, needsAfter: isLargest });
      then.assignAll(before, found.before);
      then.assignAll(
        after,
        found.after.map((v, i) => select(isLargest, v, after[i] as Expr)),
      );
    });
  });
  return { missing, before, after };
}
