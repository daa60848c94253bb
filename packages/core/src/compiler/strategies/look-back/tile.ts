/** A tile in rows of vectors: its total, and with the prefix before it the prefixes of its items. */
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, binary, eq, lt, mul, ne, select, u32 } from "../../kernel/make-expr.ts";
import { ROW } from "../../kernel/stmt.ts";
import { scanOfLanes, totalOfLanes } from "../../lanes/lane-routines.ts";
import { ascendRows, descendRows, keptOf, type Rows, rowOfLane } from "../../lanes/rows-of-lanes.ts";
import { descendTree, treeOf } from "../../lanes/tree.ts";
import { type Carry, join, type Monoid } from "../../parts/monoid.ts";
import { named, totalOfFew } from "../../work-groups/tile.ts";
import type { Partial } from "./held.ts";
import { RADIX, type Shape } from "./shape.ts";
import type { Team, TileStatus } from "./tile-status.ts";

/** Reads the operands of a tile: those of the four items of a work-item in a row. */
export interface Items {
  row(code: Code, row: Expr): Expr[][];
}

/** Work-group memory that the tiles of a kernel share. */
export interface Memory {
  /** Totals of the blocks of 32 lanes, `regions` times. */
  readonly blockTotals: readonly ArrayRef[];
  /** Prefixes before the blocks, and the one after the last. */
  readonly prefixes: readonly ArrayRef[];
}

const at = (code: Code, arrays: readonly ArrayRef[], index: Expr): Expr[] =>
  arrays.map((array) => code.load(array, index));

/** The first item of a row that a lane has. */
export const rowBase = ({ size, workGroupSize }: Shape, tile: Expr, row: Expr, lane: Expr): Expr =>
  add(add(mul(tile, u32(size)), mul(row, u32(workGroupSize * ROW))), mul(lane, u32(ROW)));

/** The prefixes before each of 1, 2 or 4 neighbours. */
function prefixesOfFew(
  code: Code,
  monoid: Monoid,
  carry: Carry,
  values: readonly (readonly Expr[])[],
  pair: readonly Expr[] | undefined,
): Expr[][] {
  const found = [[...carry.values]];
  if (values.length > 1) found.push(named(code, "prefix", join(code, monoid, carry, values[0] as Expr[])));
  if (values.length > 2) {
    const two = named(code, "prefix", join(code, monoid, carry, pair as Expr[]));
    found.push(two, named(code, "prefix", monoid.combine(code, two, values[2] as Expr[])));
  }
  return found;
}

/** The total of a block: of the four items of a row that each of its lanes has. */
interface BlockTotal {
  readonly items: readonly Expr[][];
  readonly into: readonly ArrayRef[];
  readonly slot: Expr;
}

/** Stores the total of a block. */
function storeBlock(
  code: Code,
  { lanes, sub }: Team,
  monoid: Monoid,
  { items, into, slot }: BlockTotal,
): void {
  const doc = `Stores the total of a block: of the four items that each of ${RADIX} lanes has in a tile row.`;
  const given = { item: items.flat(), slot: [slot] };
  code.routine({ title: "store_block", doc }, given, (args) => {
    const { total } = totalOfFew(code, monoid, recordsOf(monoid, args.item));
    const block = totalOfLanes(code, lanes, monoid, total);
    code.if(eq(sub, u32(0)), (then) => {
      into.forEach((array, i) => {
        then.store(array, args.slot[0] as Expr, block[i] as Expr);
      });
    });
    return {};
  });
}

/** Flat values as records. */
const recordsOf = ({ types }: Monoid, flat: readonly Expr[]): Expr[][] =>
  Array.from({ length: flat.length / types.length }, (_, j) =>
    flat.slice(j * types.length, (j + 1) * types.length),
  );

/** The items of a tile, and their place in work-group memory. */
export interface TileToReduce {
  readonly status: TileStatus;
  readonly team: Team;
  readonly memory: Memory;
  readonly items: Items;
  readonly region: Expr;
  /** The number of rows; that of the shape by default. */
  readonly rows?: Expr;
}

/** The totals within rows that the down-sweep needs; none where it computes them again. */
export type Lower = readonly (readonly Expr[])[];

/** Stores the totals of a tile's blocks in a region of memory, visible to all after a barrier. */
export function reduceBlocks(code: Code, tile: TileToReduce): Lower {
  const { status, team, memory, items, region, rows = u32(tile.status.shape.rows) } = tile;
  const { shape, monoid } = status;
  if (status.isHeavy) return reduceTogether(code, { ...tile, rows });
  code.for("row", u32(0), rows, (body, row) => {
    const slot = add(mul(region, u32(shape.blocks)), add(mul(row, u32(shape.lanes32)), team.block));
    storeBlock(body, team, monoid, { items: items.row(body, row), into: memory.blockTotals, slot });
  });
  code.barrier();
  return [];
}

const togetherOf = ({ lanes }: Team, { shape: { rows }, monoid }: TileStatus): Rows => ({
  lanes,
  monoid,
  rows,
});
/** The totals that a work-item keeps of a tile. */
export const partialOf = (team: Team, status: TileStatus): Partial =>
  status.isHeavy
    ? { count: keptOf(togetherOf(team, status)), types: status.monoid.types }
    : { count: 0, types: [] };

/** The same with the rows folded together. */
function reduceTogether(
  code: Code,
  { status, team, memory, items, region, rows }: Required<TileToReduce>,
): Lower {
  const { shape, monoid } = status;
  const of = togetherOf(team, status);
  const totals = monoid.types.map((type) => code.array("row_totals", type, shape.rows));
  code.for("row", u32(0), rows, (body, row) => {
    const { total } = totalOfFew(body, monoid, items.row(body, row));
    totals.forEach((array, i) => {
      body.store(array, row, total[i] as Expr);
    });
  });
  const doc = `Stores the totals of the blocks: of the items of ${RADIX} lanes in each of ${shape.rows} rows.`;
  const slot = add(mul(region, u32(shape.blocks)), blockOfLane(of, team, shape));
  const total = Array.from({ length: shape.rows }, (_, row) => at(code, totals, u32(row))).flat();
  const { lower } = code.routine({ title: "store_blocks", doc }, { total, slot: [slot] }, (args) => {
    const up = ascendRows(code, of, recordsOf(monoid, args.total));
    code.if(lt(team.sub, u32(shape.rows)), (then) => {
      memory.blockTotals.forEach((array, i) => {
        then.store(array, args.slot[0] as Expr, up.total[i] as Expr);
      });
    });
    return { lower: up.lower.flat() };
  });
  code.barrier();
  return recordsOf(monoid, lower);
}

/** The block whose row a lane has after the up-sweep. */
const blockOfLane = (of: Rows, { block }: Team, { lanes32 }: Shape): Expr =>
  add(mul(rowOfLane(of), u32(lanes32)), block);

/** The total of a tile, in every lane, after the totals of its blocks are stored in a region of memory; and what its down-sweep needs of it, or nothing. */
export function totalOfBlocks(
  code: Code,
  { status: { shape, monoid, isHeavy }, team, memory, region }: Omit<TileToReduce, "items">,
): { readonly total: readonly Expr[]; readonly ending: readonly Expr[] } {
  const doc = "The total of a tile, from the totals of its blocks.";
  const first = mul(region, u32(shape.blocks));
  return code.routine({ title: "total_of_blocks", doc }, { first: [first] }, (args) => {
    const { total } = totalOfFew(code, monoid, blocksOf(code, shape, team, memory, args.first[0] as Expr));
    if (isHeavy) return treeOf(code, team.lanes, monoid, total);
    return { total: totalOfLanes(code, team.lanes, monoid, total), ending: [] };
  });
}

/** The blocks' totals that a lane of 32 has. */
const blocksOf = (code: Code, shape: Shape, team: Team, memory: Memory, region: Expr): Expr[][] => {
  const first = add(region, mul(team.sub, u32(shape.perLane)));
  return Array.from({ length: shape.perLane }, (_, e) =>
    named(code, "block", at(code, memory.blockTotals, add(first, u32(e)))),
  );
};

/** The operands of four items, with the prefixes before each and after each. */
export interface RowPrefixes {
  readonly items: readonly (readonly Expr[])[];
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
  { status: { shape, monoid }, team, memory, region, tile, before, ending = [] }: TileToStart,
): void {
  const doc =
    "Stores the prefix before each block of a tile, from the totals of the blocks and the prefix before the tile.";
  const given = { first: [mul(region, u32(shape.blocks))], tile: [tile], before, ending };
  code.routine({ title: "start_blocks", doc }, given, (args) => {
    const blocks = blocksOf(code, shape, team, memory, args.first[0] as Expr);
    const few = totalOfFew(code, monoid, blocks);
    const present = monoid.reassociable ? undefined : ne(args.tile[0] as Expr, u32(0));
    const seed = { values: args.before, present };
    const { exclusive } =
      ending.length > 0
        ? descendTree(code, team.lanes, monoid, { ending: args.ending, seed })
        : scanOfLanes(code, team.lanes, monoid, few.total, seed);
    const starts = prefixesOfFew(code, monoid, exclusive, blocks, few.pair);
    code.if(lt(team.lane, u32(RADIX)), (then) => {
      starts.forEach((values, e) => {
        const slot = add(mul(team.sub, u32(shape.perLane)), u32(e));
        memory.prefixes.forEach((array, i) => {
          then.store(array, slot, values[i] as Expr);
        });
      });
    });
    return {};
  });
}

/** Stores the prefix after a tile, following those before its blocks. */
export const storeAfter = (
  code: Code,
  { shape }: TileStatus,
  { prefixes }: Memory,
  after: readonly Expr[],
): void =>
  prefixes.forEach((array, i) => {
    code.store(array, u32(shape.blocks), after[i] as Expr);
  });

/** Prefixes of the four items of a row that each lane of a block has: before each, and after the last. */
function scanOfRow(
  code: Code,
  { lanes }: Team,
  monoid: Monoid,
  items: readonly (readonly Expr[])[],
  { values: start, present }: Carry,
): { readonly before: Expr[][]; readonly inclusive: readonly Expr[] } {
  const doc = `The prefixes before the four items that each of ${RADIX} lanes has in a tile row, and after the last.`;
  const given = { item: items.flat(), start, has_start: present ? [present] : [] };
  const { before, inclusive } = code.routine({ title: "scan_of_rows", doc }, given, (args) => {
    const values = recordsOf(monoid, args.item);
    const { total, pair } = totalOfFew(code, monoid, values);
    const seed = { values: args.start, present: args.has_start[0] };
    const down = scanOfLanes(code, lanes, monoid, total, seed);
    return {
      before: prefixesOfFew(code, monoid, down.exclusive, values, pair).flat(),
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
  readonly items: Items;
  readonly tile: Expr;
  readonly lower: Lower;
}

/** The down-sweep from the prefixes before the blocks of a tile to its items, row by row. */
export function finishRows(
  code: Code,
  finish: TileToFinish,
  visit: (code: Code, row: Expr, prefixes: RowPrefixes) => void,
): void {
  const { status, team, memory, items, tile } = finish;
  const { shape, monoid } = status;
  const isLater = ne(tile, u32(0));
  const isEnd = eq(team.sub, u32(31));
  const starts = status.isHeavy ? startsOf(code, finish) : undefined;
  code.for("row", u32(0), u32(shape.rows), (body, row) => {
    const block = add(mul(row, u32(shape.lanes32)), team.block);
    const isPresent = (): Expr => binary("or", isLater, ne(block, u32(0)));
    const here = (present: () => Expr, from: readonly ArrayRef[], index: Expr): Carry => ({
      values: named(body, "start", at(body, from, index)),
      present: monoid.reassociable ? undefined : present(),
    });
    const isAfter = (): Expr => binary("or", isPresent(), ne(team.sub, u32(0)));
    const seed = starts ? here(isAfter, starts, row) : here(isPresent, memory.prefixes, block);
    const values = items.row(body, row);
    const { before, inclusive } = (starts ? scanOfFour : scanOfRow)(body, team, monoid, values, seed);
    // The prefix after the last lane ends a larger block too, which the order combines first.
    const ends = at(body, memory.prefixes, add(block, u32(1)));
    const last = inclusive.map((v, i) =>
      monoid.reassociable && !starts ? v : body.let("last", select(isEnd, ends[i] as Expr, v)),
    );
    visit(body, row, { items: values, before, after: [...before.slice(1), last] });
  });
}

/** The prefixes before a lane's items, by row. */
function startsOf(code: Code, { status, team, memory, tile, lower }: TileToFinish): ArrayRef[] {
  const { shape, monoid } = status;
  const of = togetherOf(team, status);
  const doc = `The prefixes before the items that a lane has in ${shape.rows} rows, from the prefixes before the blocks.`;
  const isLater = binary("or", ne(tile, u32(0)), ne(team.block, u32(0)));
  const given = {
    lower: lower.flat(),
    block: at(code, memory.prefixes, blockOfLane(of, team, shape)),
    is_later: monoid.reassociable ? [] : [isLater],
  };
  const { start } = code.routine({ title: "start_rows", doc }, given, (args) => {
    const seed = { values: args.block, present: args.is_later[0], lower: recordsOf(monoid, args.lower) };
    return { start: descendRows(code, of, seed).flat() };
  });
  const starts = monoid.types.map((type) => code.array("starts", type, shape.rows));
  recordsOf(monoid, start).forEach((values, row) => {
    starts.forEach((array, i) => {
      code.store(array, u32(row), values[i] as Expr);
    });
  });
  return starts;
}

/** The prefixes of a lane's four items, and the prefix before the next lane, if there is one. */
function scanOfFour(
  code: Code,
  { lanes }: Team,
  monoid: Monoid,
  items: readonly (readonly Expr[])[],
  start: Carry,
): { readonly before: Expr[][]; readonly inclusive: readonly Expr[] } {
  const pair = named(code, "both", monoid.combine(code, items[0] as Expr[], items[1] as Expr[]));
  const inclusive = start.values.map((v) => code.shuffle("next", v, lanes.next as Expr));
  return { before: prefixesOfFew(code, monoid, start, items, pair), inclusive };
}
