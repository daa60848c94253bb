/** A tile in rows of vectors: its total, and with the prefix before it the prefixes of its items. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, eq, lt, mul, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import { ROW } from "@groupwise/kernel/language/stmt.js";
import { scanOfLanes, totalInFirst, totalOfLanes } from "../../../lanes/lane-routines.ts";
import { descendTree, treeOf } from "../../../lanes/tree.ts";
import { type Carry, type Monoid, presentIf } from "../../../parts/monoid.ts";
import { named, prefixesOfFew, recordsOf, totalOfFew } from "../../../work-groups/tile.ts";
import { inEitherWay, routineInWay, someSmall, type Way, wayOf, withSizes } from "./normal.ts";
import type { Partials } from "./partials.ts";
import { RADIX, type Shape } from "./shape.ts";
import { precededIf, type Team, type TileStatus } from "./tile-status.ts";
import { finishTogether, follows, reduceTogether } from "./together.ts";

/** Reads the operands of a tile: those of the four items of a work-item in a row. */
export interface Items {
  row(code: Code, row: Expr): Expr[][];
  /** Those of a row and of the next one, as words of two halves. */
  pair(code: Code, row: Expr): Expr[];
}

/** Work-group memory that the tiles of a kernel share. */
export interface Memory {
  /** Totals of the blocks of 32 lanes, `regions` times. */
  readonly blockTotals: readonly ArrayRef[];
  /** Prefixes before the blocks, and the one after the last. */
  readonly prefixes: readonly ArrayRef[];
}

/** The first item of a row that a lane has. */
export const rowBase = ({ size, workGroupSize }: Shape, tile: Expr, row: Expr, lane: Expr): Expr =>
  add(add(mul(tile, size), mul(row, workGroupSize * ROW)), mul(lane, ROW));

/** The total of a block: of the four items of a row that each of its lanes has. */
interface BlockTotal {
  readonly items: readonly Expr[][];
  readonly into: readonly ArrayRef[];
  readonly slot: Expr;
  readonly way: Way | undefined;
}

/** Stores the aggregate of a block. */
function storeBlock(
  code: Code,
  { lanes, sub }: Team,
  monoid: Monoid,
  { items, into, slot, way }: BlockTotal,
): void {
  const doc = `Stores the aggregate of a block: ${RADIX} lanes, each with four items of a tile row.`;
  const given = { item: items.flat(), slot: [slot] };
  routineInWay(code, { monoid, way }, { title: "store_block", doc }, given, (args, inner) => {
    const { total } = totalOfFew(code, inner, recordsOf(inner, args.item));
    const block = totalInFirst(code, lanes, inner, total);
    code.if(eq(sub, 0), (then) => {
      then.storeAll(into, args.slot[0] as Expr, block);
    });
    return {};
  });
}

/** The items of a tile, and their place in work-group memory. */
export interface TileToReduce {
  readonly status: TileStatus;
  readonly team: Team;
  readonly memory: Memory;
  readonly items: Items;
  readonly region: Expr;
  /** The number of rows; that of the shape by default. */
  readonly rows?: Expr;
  /** Keeps what the down-sweep needs. */
  readonly partials?: Partials | undefined;
  /** The items as memory has them, for rows that are computed again. */
  readonly again?: Again;
}

/** The rows of a tile that are read again. */
export interface Again {
  readonly items: Items;
  /** Their number, which compilers do not know: they keep the loop, which rarely runs. */
  readonly rows: Expr;
}

/**
 * Stores the totals of a tile's blocks in a region of memory, visible to all after a barrier.
 * @returns whether one of the block's items is too small for the device's own sums; undefined if that is not tested
 */
export function reduceBlocks(code: Code, tile: TileToReduce): Expr | undefined {
  const { status, team, memory, region, rows = u32(tile.status.shape.rows), again } = tile;
  const { shape, monoid } = status;
  if (team.together) {
    reduceTogether(code, team.together, tile, rows);
    return undefined;
  }
  const reduce = (outer: Code, items: Items, count: Expr, way?: Way): void =>
    outer.for("row", 0, count, (body, row) => {
      const slot = add(mul(region, shape.blocks), add(mul(row, shape.lanes32), team.block));
      const values = items.row(body, row);
      if (way?.isNormal) withSizes(body, way.smallest, values.flat());
      storeBlock(body, team, monoid, { items: values, into: memory.blockTotals, slot, way });
    });
  const way = wayOf(code, status, again !== undefined);
  reduce(code, tile.items, rows, way);
  const isSmall = way?.isNormal ? someSmall(code, way) : undefined;
  if (isSmall && way && again)
    code.ifSubgroup(isSmall, (then) => reduce(then, again.items, again.rows, { ...way, isNormal: false }));
  code.barrier();
  return isSmall;
}

/** The total of a tile, in every lane, after the totals of its blocks are stored in a region of memory; and what its down-sweep needs of it, or nothing. */
export function totalOfBlocks(
  code: Code,
  { status, team, memory, region, again }: Omit<TileToReduce, "items">,
): { readonly total: readonly Expr[]; readonly ending: readonly Expr[] } {
  const { shape, isHeavy } = status;
  const doc = "The total of a tile, from the totals of its blocks.";
  const first = mul(region, shape.blocks);
  const { monoid, native } = status;
  const reduce = (body: Code, way?: Way): { total: readonly Expr[]; ending: readonly Expr[] } =>
    routineInWay(
      body,
      { monoid, way },
      { title: "total_of_blocks", doc },
      { first: [first] },
      (args, inner) => {
        const blocks = blocksOf(body, shape, team, memory, args.first[0] as Expr);
        const { total } = totalOfFew(body, inner, blocks);
        if (isHeavy) return treeOf(body, team.lanes, inner, total);
        return { total: totalOfLanes(body, team.lanes, inner, total), ending: [] };
      },
    );
  // Only a tile whose items may be read again has been tested.
  if (!native || !again) return reduce(code, wayOf(code, status, false));
  const read = (): Expr[] => blocksOf(code, shape, team, memory, first).flat();
  const [total] = inEitherWay(code, status, read, (body, way) => [reduce(body, way).total]);
  return { total: total as readonly Expr[], ending: [] };
}

/** The blocks' totals that a lane of 32 has. */
const blocksOf = (code: Code, shape: Shape, team: Team, memory: Memory, region: Expr): Expr[][] => {
  const first = add(region, mul(team.sub, shape.perLane));
  return Array.from({ length: shape.perLane }, (_, e) =>
    named(code, "block", code.loadAll(memory.blockTotals, add(first, e))),
  );
};

/** The operands of four items, where they are held, with the prefixes before each and after each. */
export interface RowPrefixes {
  readonly items: readonly (readonly Expr[])[] | undefined;
  readonly before: readonly (readonly Expr[])[];
  readonly after: readonly (readonly Expr[])[];
}

/** A tile, and the prefix that its blocks begin with. */
export interface TileToStart {
  readonly status: TileStatus;
  readonly team: Team;
  readonly memory: Memory;
  readonly region: Expr;
  readonly tile: Expr;
  /** The prefix before the tile, held by the first block of lanes. */
  readonly before: readonly Expr[];
  /** What `totalOfBlocks` left. */
  readonly ending?: readonly Expr[];
}

/** The prefixes before the blocks of a tile, which its first block of lanes stores. */
export function startBlocks(
  code: Code,
  { status, team, memory, region, tile, before, ending = [] }: TileToStart,
): void {
  const { shape } = status;
  const doc =
    "Stores the prefix before each block of a tile, from the totals of the blocks and the prefix before the tile.";
  const first = mul(region, shape.blocks);
  const start = (body: Code, way: Way | undefined): readonly [] => {
    const given = { first: [first], tile: [tile], before, ending };
    const heading = { title: "start_blocks", doc };
    routineInWay(body, { monoid: status.monoid, way }, heading, given, (args, monoid) => {
      const blocks = blocksOf(body, shape, team, memory, args.first[0] as Expr);
      const few = totalOfFew(body, monoid, blocks);
      const present = presentIf(monoid, () => precededIf(status, ne(args.tile[0] as Expr, 0)));
      const seed = { values: args.before, present };
      const { exclusive } =
        ending.length > 0
          ? descendTree(body, team.lanes, monoid, { ending: args.ending, seed })
          : scanOfLanes(body, team.lanes, monoid, few.total, seed);
      const starts = prefixesOfFew(body, monoid, exclusive, blocks, few.pair);
      body.if(lt(team.lane, RADIX), (then) => {
        starts.forEach((values, e) => {
          const slot = add(mul(team.sub, shape.perLane), e);
          then.storeAll(memory.prefixes, slot, values);
        });
      });
      return {};
    });
    return [];
  };
  const read = (): Expr[] => [...before, ...blocksOf(code, shape, team, memory, first).flat()];
  inEitherWay(code, status, read, start);
}

/** Stores the prefix after a tile, following those before its blocks. */
export const storeAfter = (
  code: Code,
  { shape }: TileStatus,
  { prefixes }: Memory,
  after: readonly Expr[],
): void => code.storeAll(prefixes, shape.blocks, after);

/** Prefixes of the four items of a row that each lane of a block has: before each, and after the last. */
function scanOfRow(
  code: Code,
  { lanes }: Team,
  monoid: Monoid,
  items: readonly (readonly Expr[])[],
  { values: start, present, way }: Carry & { readonly way: Way | undefined },
): { readonly before: Expr[][]; readonly inclusive: readonly Expr[] } {
  const doc = `The prefixes before the four items that each of ${RADIX} lanes has in a tile row, and after the last.`;
  const given = { item: items.flat(), start, has_start: present ? [present] : [] };
  const heading = { title: "scan_of_rows", doc, returns: "scanned" };
  const { before, inclusive } = routineInWay(code, { monoid, way }, heading, given, (args, inner) => {
    const values = recordsOf(inner, args.item);
    const { total, pair } = totalOfFew(code, inner, values);
    const seed = { values: args.start, present: args.has_start[0] };
    const down = scanOfLanes(code, lanes, inner, total, seed);
    return {
      before: prefixesOfFew(code, inner, down.exclusive, values, pair).flat(),
      inclusive: down.inclusive,
    };
  });
  return { before: recordsOf(monoid, before), inclusive };
}

/** A tile, and a function of each of its rows. */
export interface TileToFinish {
  readonly status: TileStatus;
  readonly team: Team;
  readonly memory: Memory;
  /** Undefined if no output needs the operands. */
  readonly items: Items | undefined;
  readonly tile: Expr;
  /** The values that the up-sweep stored; if undefined, the operands are read again. */
  readonly partials: Partials | undefined;
  /** Where the device's own sums come first: what `reduceBlocks` returned, and the rows to read again. */
  readonly small?: { readonly isSmall: Expr; readonly again: Again } | undefined;
}

/** The down-sweep from the prefixes before the blocks of a tile to its items, row by row. */
export function finishRows(
  code: Code,
  finish: TileToFinish,
  visit: (code: Code, row: Expr, prefixes: RowPrefixes) => void,
): void {
  const { status, team, memory, partials, small } = finish;
  const { shape, monoid } = status;
  if (team.together && partials) {
    finishTogether(code, team.together, { ...finish, partials }, visit);
    return;
  }
  const isEnd = eq(team.sub, 31);
  const finishWith = (outer: Code, items: Items | undefined, rows: Expr, way?: Way): void =>
    outer.for("row", 0, rows, (body, row) => {
      const block = add(mul(row, shape.lanes32), team.block);
      const values = items?.row(body, row);
      const seed = seedOf(body, finish, block);
      if (way?.isNormal) withSizes(body, way.smallest, seed.values);
      const { before, inclusive } = scanOfRow(body, team, monoid, values ?? [], { ...seed, way });
      // The prefix after the last lane ends a larger block too, which the order combines first.
      const ends = body.loadAll(memory.prefixes, add(block, 1));
      const last = inclusive.map((v, i) =>
        monoid.reassociable ? v : body.let("last", select(isEnd, ends[i] as Expr, v)),
      );
      visit(body, row, { items: values, before, after: [...before.slice(1), last] });
    });
  const way = wayOf(code, status, small !== undefined);
  finishWith(code, finish.items, u32(shape.rows), way);
  if (!small || !way) return;
  const isSmall = someSmall(code, way, small.isSmall);
  code.ifSubgroup(isSmall, (then) =>
    finishWith(then, small.again.items, small.again.rows, { ...way, isNormal: false }),
  );
}

/** The prefix before a block. */
const seedOf = (code: Code, { status, memory, tile }: TileToFinish, block: Expr): Carry => ({
  values: named(code, "start", code.loadAll(memory.prefixes, block)),
  present: presentIf(status.monoid, () => follows(status, tile, block)),
});
