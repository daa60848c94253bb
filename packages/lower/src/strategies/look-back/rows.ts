/**
 * The rows of a tile, folded together so that no value is combined twice: for operators of many operations, for halves in pairs, and for kinds of passes
 * whose `kinds` of the capabilities say so. What the up-sweep combined is kept for the down-sweep.
 */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, lt, mul, ne, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import {
  combinePairs,
  halvesOfPair,
  isPairOp,
  pairOfHalves,
  twice,
} from "@groupwise/kernel/library/types/half-pairs.js";
import { type Lanes, shuffledFrom } from "../../lanes/lanes.ts";
import { ascendRows, descendRows, type Rows, rowOfLane } from "../../lanes/rows-of-lanes.ts";
import {
  arrays,
  type BuiltinOperator,
  type Carry,
  hintsFor,
  type Monoid,
  named,
  presentIf,
} from "../../parts/monoid.ts";
import { prefixesOfFew, recordsOf, totalOfFew } from "../../work-groups/tile.ts";
import {
  eachRow,
  type LaneTeam,
  precededIf,
  RADIX,
  sizesOf,
  type TilePlan,
  type TileStatus,
} from "./shape.ts";
import type { OperandRows, Partials, RowPrefixes, TileToFinish, TileToReduce } from "./tile.ts";

/** @param pair what `totalOfFew` found */
const leavesOf = (items: readonly Expr[][], pair: readonly Expr[] = []): (readonly Expr[])[] =>
  [items[0] as Expr[], pair, items[2] as Expr[]].slice(0, items.length - 1);
/** The prefixes before the items of a row. */
const prefixesOfLeaves = (
  code: Code,
  monoid: Monoid,
  carry: Carry,
  [first, pair, third]: readonly Expr[][],
): Expr[][] =>
  prefixesOfFew(code, monoid, carry, [first, [], ...(third ? [third, []] : [])] as Expr[][], pair);

/** The values that the lanes of a block fold: one for each row of a tile, or for several rows. */
export interface Together extends Rows {
  /** Rows of a value. */
  readonly each: number;
  /** The operands of the items that a lane has in a row, from the first row of a value. */
  operands(code: Code, items: OperandRows, row: Expr): Expr[][];
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
  const totals = arrays(code, monoid, "row_totals", of.rows);
  eachRow(code, team, countOf(of, rows), (body, index) => {
    const values = of.operands(body, items, firstRow(body, of, index));
    const { total, pair } = totalOfFew(body, monoid, values);
    partials?.putRow(body, index, leavesOf(values, pair));
    body.storeAll(totals, index, total);
  });
  const doc = `Stores the totals of the blocks: of the items of ${RADIX} lanes in each of ${shape.rows} rows.`;
  const slot = add(mul(region, sizesOf(shape).blocks), blockOfLane(of, team, shape));
  const total = Array.from({ length: of.rows }, (_, row) => code.loadAll(totals, row)).flat();
  const { lower } = code.routine(
    { title: "store_blocks", doc, returns: "across", fields: monoid.fields },
    { total, slot: [slot] },
    (args) => {
      const up = ascendRows(code, of, recordsOf(monoid, args.total));
      code.if(lt(team.sub, of.rows), (then) => {
        for (const [k, values] of of.split(up.total).entries())
          then.storeAll(memory.blockTotals, add(args.slot[0] as Expr, k * shape.lanes32), values);
      });
      return { lower: up.lower.flat() };
    },
  );
  partials?.putAcross(code, recordsOf(monoid, lower));
  code.barrier();
}

const countOf = ({ each }: Together, rows: Expr): Expr => {
  if (each === 1) return rows;
  return rows.kind === "const" ? u32(Number(rows.value) / each) : binary("div", rows, each);
};

/** The first block whose value a lane has after the up-sweep. */
const blockOfLane = (of: Together, { block }: LaneTeam, { lanes32 }: TilePlan): Expr =>
  add(mul(rowOfLane(of), of.each * lanes32), block);

/** The prefixes before blocks of several rows, the first of which has an index. */
const prefixesOf = (
  code: Code,
  of: Together,
  { lanes32 }: TilePlan,
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
    const values = named(body, monoid, "start", body.loadAll(starts, index));
    const isLater = (): Expr =>
      binary("or", follows(status, tile, team.block), ne(binary("or", index, team.sub), 0));
    const present = presentIf(monoid, () => body.let("is_later", isLater()));
    const inclusive = shuffledFrom(body, hintsFor(monoid, "next"), values, team.lanes.next as Expr);
    const before = prefixesOfLeaves(body, monoid, { values, present }, partials.takeRow(body, index));
    const row = firstRow(body, of, index);
    const block = add(mul(row, sizesOf(shape).rowBlocks), team.block);
    // The prefix after the last lane ends a larger block too, which the order combines first.
    const ends = prefixesOf(body, of, shape, memory.prefixes, add(block, 1));
    const isEnd = eq(team.sub, RADIX - 1);
    const last = named(
      body,
      monoid,
      "last",
      inclusive.map((v, i) => select(isEnd, ends[i] as Expr, v)),
    );
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
  const { start } = code.routine(
    { title: "start_rows", doc, returns: "starting", fields: monoid.fields },
    given,
    (args) => {
      const seed = { values: args.block, present: args.is_later[0], lower: recordsOf(monoid, args.lower) };
      return { start: descendRows(code, of, seed).flat() };
    },
  );
  const starts = arrays(code, monoid, "starts", of.rows);
  recordsOf(monoid, start).forEach((values, row) => {
    code.storeAll(starts, row, values);
  });
  return starts;
}

/*
 * Look-back of halves that are rounded by conversions: the rows of a tile are combined in pairs, a row in the low halves of words and the next
 * one in the high halves. One rounding, one shuffle and one choice then serve two sums.
 */

/** The bits of a half that changes nothing on its right. */
const NEUTRAL = { add: 0x8000, mul: 0x3c00 } as const;

/** The monoid of words, of which each has two halves; undefined if there is none. */
export function pairsOf(builtin: BuiltinOperator | undefined): Monoid | undefined {
  if (builtin?.type !== "f16" || !isPairOp(builtin.op)) return undefined;
  const { op } = builtin;
  const neutral = [twice(NEUTRAL[op])];
  return {
    types: ["u32"],
    identity: neutral,
    neutral,
    combine: (_, [left], [right]) => [combinePairs(op, left as Expr, right as Expr)],
    reassociable: false,
    commutative: true,
    isRecord: false,
  };
}

/** The operands of a row and of the next one, as words. */
export function pairsOfRows(code: Code, rowAt: OperandRows["row"], row: Expr): Expr[] {
  const [first, second] = [rowAt(code, row).flat(), rowAt(code, add(row, 1)).flat()];
  return first.map((low, j) => code.let("pair", pairOfHalves(low, second[j] as Expr)));
}

/** Registers for the operands of a tile. */
export class HeldPairs {
  private readonly array: ArrayRef;
  private readonly length: number;
  private readonly width: number;

  constructor(code: Code, hint: string, { rows, width }: TilePlan) {
    this.length = (rows * width) / 2;
    this.width = width;
    this.array = code.array(hint, "u32", this.length);
  }

  /** @param row the first one of the pair */
  put(code: Code, row: Expr, pairs: readonly Expr[]): void {
    for (const [j, pair] of pairs.entries()) code.store(this.array, this.at(row, j), pair);
  }

  get(code: Code, row: Expr): Expr[] {
    return Array.from({ length: this.width }, (_, j) => code.load(this.array, this.at(row, j)));
  }

  copy(code: Code, from: HeldPairs): void {
    code.for("k", 0, this.length, (body, k) => body.store(this.array, k, body.load(from.array, k)));
  }

  private at(row: Expr, j: number): Expr {
    return add(mul(row, this.width / 2), j);
  }
}

/** A word for each two rows. */
export const rowsInPairs = (lanes: Lanes, { rows }: TilePlan, pairs: Monoid): Together => ({
  ...{ lanes, monoid: pairs, rows: rows / 2, each: 2 },
  operands: (code, items, row) => items.pair(code, row).map((pair) => [pair]),
  split: ([pair]) => halvesOfPair(pair as Expr).map((half) => [half]),
  join: (halves) => [pairOfHalves(halves[0]?.[0] as Expr, halves[1]?.[0] as Expr)],
});
