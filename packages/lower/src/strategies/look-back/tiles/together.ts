/**
 * The rows of a tile, folded together so that no value is combined twice: for operators of many operations, for halves in pairs, and for kinds of passes
 * whose `kinds` of the capabilities say so. What the up-sweep combined is kept for the down-sweep.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, lt, mul, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Lanes } from "../../../lanes/lanes.ts";
import { ascendRows, descendRows, type Rows, rowOfLane } from "../../../lanes/rows-of-lanes.ts";
import { presentIf } from "../../../parts/monoid.ts";
import { named, prefixesOfFew, recordsOf, totalOfFew } from "../../../work-groups/tile.ts";
import type { Partials } from "./partials.ts";
import { RADIX, type Shape } from "./shape.ts";
import type { Items, RowPrefixes, TileToFinish, TileToReduce } from "./tile.ts";
import { eachRow, precededIf, type Team, type TileStatus } from "./tile-status.ts";

/** The values that the lanes of a block fold: one for each row of a tile, or for several rows. */
export interface Together extends Rows {
  /** Rows of a value. */
  readonly each: number;
  /** The operands of the four items of a lane, from the first row of a value. */
  operands(code: Code, items: Items, row: Expr): Expr[][];
  /** The values of single rows, in order. */
  split(values: readonly Expr[]): readonly Expr[][];
  /** The value of several rows. */
  join(rows: readonly Expr[][]): Expr[];
}

/** A value for each row. */
export const rowByRow = (
  lanes: Lanes,
  { shape: { rows }, monoid }: Pick<TileStatus, "shape" | "monoid">,
): Together => ({
  ...{ lanes, monoid, rows, each: 1 },
  operands: (code, items, row) => items.row(code, row),
  split: (values) => [[...values]],
  join: ([values]) => values as Expr[],
});

/** The first row of a value. */
const firstRow = (code: Code, { each }: Together, index: Expr): Expr =>
  each === 1 ? index : code.named("row", mul(index, each));

/** Stores the totals of the blocks of a tile in a region of memory, visible to all after a barrier. @param rows the rows of the tile */
export function reduceTogether(
  code: Code,
  of: Together,
  { status: { shape }, team, memory, items, region, partials }: TileToReduce,
  rows: Expr,
): void {
  const { monoid } = of;
  const totals = monoid.types.map((type) => code.array("row_totals", type, of.rows));
  eachRow(code, team, countOf(of, rows), (body, index) => {
    const values = of.operands(body, items, firstRow(body, of, index));
    const { total, pair = [] } = totalOfFew(body, monoid, values);
    partials?.putRow(body, index, [values[0] as Expr[], pair, values[2] as Expr[]]);
    body.storeAll(totals, index, total);
  });
  const doc = `Stores the totals of the blocks: of the items of ${RADIX} lanes in each of ${shape.rows} rows.`;
  const slot = add(mul(region, shape.blocks), blockOfLane(of, team, shape));
  const total = Array.from({ length: of.rows }, (_, row) => code.loadAll(totals, row)).flat();
  const { lower } = code.routine({ title: "store_blocks", doc }, { total, slot: [slot] }, (args) => {
    const up = ascendRows(code, of, recordsOf(monoid, args.total));
    code.if(lt(team.sub, of.rows), (then) => {
      for (const [k, values] of of.split(up.total).entries())
        then.storeAll(memory.blockTotals, add(args.slot[0] as Expr, k * shape.lanes32), values);
    });
    return { lower: up.lower.flat() };
  });
  partials?.putAcross(code, recordsOf(monoid, lower));
  code.barrier();
}

const countOf = ({ each }: Together, rows: Expr): Expr => {
  if (each === 1) return rows;
  return rows.kind === "const" ? u32(Number(rows.value) / each) : binary("div", rows, each);
};

/** The first block whose value a lane has after the up-sweep. */
const blockOfLane = (of: Together, { block }: Team, { lanes32 }: Shape): Expr =>
  add(mul(rowOfLane(of), of.each * lanes32), block);

/** The prefixes before blocks of several rows, the first of which has an index. */
const prefixesOf = (
  code: Code,
  of: Together,
  { lanes32 }: Shape,
  prefixes: readonly ArrayRef[],
  at: Expr,
): Expr[] => of.join(Array.from({ length: of.each }, (_, k) => code.loadAll(prefixes, add(at, k * lanes32))));

/** Whether items precede a block of a tile. */
export const follows = (status: TileStatus, tile: Expr, block: Expr): Expr =>
  precededIf(status, binary("or", ne(tile, 0), ne(block, 0)));

/** The down-sweep from the prefixes before the blocks of a tile to its items, from what the up-sweep kept. */
export function finishTogether(
  code: Code,
  of: Together,
  finish: TileToFinish & { readonly partials: Partials },
  visit: (code: Code, row: Expr, prefixes: RowPrefixes) => void,
): void {
  const { status, team, memory, items, partials, tile } = finish;
  const { shape } = status;
  const { monoid } = of;
  const starts = startsOf(code, of, finish);
  eachRow(code, team, u32(of.rows), (body, index) => {
    const values = named(body, "start", body.loadAll(starts, index));
    const isLater = (): Expr =>
      binary("or", follows(status, tile, team.block), ne(binary("or", index, team.sub), 0));
    const present = presentIf(monoid, () => body.let("is_later", isLater()));
    const inclusive = values.map((v) => body.intrinsic("shuffle", "next", [v, team.lanes.next as Expr]));
    const [first, pair, third] = partials.takeRow(body, index) as [Expr[], Expr[], Expr[]];
    const before = prefixesOfFew(body, monoid, { values, present }, [first, [], third, []], pair);
    const row = firstRow(body, of, index);
    const block = add(mul(row, shape.lanes32), team.block);
    // The prefix after the last lane ends a larger block too, which the order combines first.
    const ends = prefixesOf(body, of, shape, memory.prefixes, add(block, 1));
    const isEnd = eq(team.sub, RADIX - 1);
    const last = inclusive.map((v, i) => body.let("last", select(isEnd, ends[i] as Expr, v)));
    const operands = items && of.operands(body, items, row).map(of.split);
    const [starting, ending] = [before, [...before.slice(1), last]].map((some) => some.map(of.split));
    for (let k = 0; k < of.each; k++) {
      const rowOf = (some: readonly (readonly Expr[][])[]): Expr[][] => some.map((rows) => rows[k] as Expr[]);
      visit(body, k === 0 ? row : add(row, k), {
        items: operands && rowOf(operands),
        before: rowOf(starting as Expr[][][]),
        after: rowOf(ending as Expr[][][]),
      });
    }
  });
}

/** The prefixes before a lane's items, by row. */
function startsOf(
  code: Code,
  of: Together,
  { status, team, memory, tile, partials }: TileToFinish & { readonly partials: Partials },
): ArrayRef[] {
  const { shape } = status;
  const { monoid } = of;
  const doc = `The prefixes before the items that a lane has in ${shape.rows} rows, from the prefixes before the blocks.`;
  const given = {
    lower: partials.takeAcross(code).flat(),
    block: prefixesOf(code, of, shape, memory.prefixes, blockOfLane(of, team, shape)),
    is_later: monoid.neutral ? [] : [follows(status, tile, team.block)],
  };
  const { start } = code.routine({ title: "start_rows", doc }, given, (args) => {
    const seed = { values: args.block, present: args.is_later[0], lower: recordsOf(monoid, args.lower) };
    return { start: descendRows(code, of, seed).flat() };
  });
  const starts = monoid.types.map((type) => code.array("starts", type, of.rows));
  recordsOf(monoid, start).forEach((values, row) => {
    code.storeAll(starts, row, values);
  });
  return starts;
}
