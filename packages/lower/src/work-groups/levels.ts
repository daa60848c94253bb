/** Totals of tiles, of tiles of tiles, and so on; the down-sweep replaces them by their prefixes, in place. */
import { formula } from "@groupwise/ir/base/formula.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { add, binary, eq, lt, mul, ne, select, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { combiningOn, inEitherWayOfGroup } from "../lanes/either-way.ts";
import type { Lanes } from "../lanes/lanes.ts";
import { productOf } from "../parts/components.ts";
import { arrays, type Carry, type Monoid, nothing, variables } from "../parts/monoid.ts";
import {
  countAt,
  countFormula,
  type GroupContext,
  itemsIn,
  makeKernel,
  offsetAt,
  type Tile,
  type Tiling,
  totalsIn,
} from "./context.ts";
import { type ItemRun, scanTile, totalOfTile } from "./tile.ts";
import { readTileTotals, type TileTotals, writeTileTotals } from "./tile-totals.ts";

export const monoidOfTileTotals = (totals: readonly TileTotals[]): Monoid =>
  productOf(totals.map(({ component }) => component));

/** Private arrays for a work-item's items. */
export function runOf(code: Code, monoid: Monoid, length: number, unrolled: boolean = false): ItemRun {
  return { arrays: arrays(code, monoid, "items", length), length, unrolled };
}

/** The first item of this work-item, counted within its tile. */
export const firstItem = ({ itemsPerWorkItem }: Tile, lane: Expr): Expr => mul(lane, itemsPerWorkItem);

/** The first item of this work-item in the whole range. */
export const baseOf = (code: Code, tiling: Tiling, group: Expr, lane: Expr): VarExpr =>
  code.let("base", add(mul(group, itemsIn(tiling)), firstItem(tiling.items, lane)));

/** A tile, and its total, which lane 0 stores. */
export interface TileToStore {
  readonly totals: readonly TileTotals[];
  readonly level: number;
  readonly tile: Expr;
  readonly lane: Expr;
  readonly total: readonly Expr[];
}

/** Stores the totals of a tile of some level, if the tile is full. */
export function storeTileTotals(
  context: GroupContext,
  code: Code,
  { totals, level, tile, lane, total }: TileToStore,
): void {
  const isFull = lt(tile, countAt(context, level));
  code.if(binary("and", eq(lane, 0), isFull), (then) => {
    const at = then.let("at", add(offsetAt(context, level), tile));
    writeTileTotals(then, totals, at, total);
  });
}

/** Level - 1 to level: one total for every full block. */
export function tileTotalsKernel(
  context: GroupContext,
  totals: readonly TileTotals[],
  level: number,
): Kernel {
  const { tiling } = context;
  const tile = tiling.tilesOfTotals;
  const doc = [`Totals of level ${level}: each of ${tile.size} totals of level ${level - 1}.`];
  return makeKernel(
    context,
    {
      hint: `tile_totals_${level}`,
      doc,
      workGroupSize: tiling.workGroupSize,
      groups: countFormula(tiling, level),
      tile: itemsIn(tiling),
    },
    ({ code, lanes, group }) => {
      const base = code.let(
        "base",
        add(offsetAt(context, level - 1), add(mul(group, totalsIn(tiling)), firstItem(tile, lanes.lane))),
      );
      inEitherWayOfGroup(code, {
        combining: combiningOn(code, lanes, context.capabilities, monoidOfTileTotals(totals)),
        heading: { title: "total_of_totals", doc: "The total of a tile of totals.", returns: "tile_total" },
        given: {},
        compute: (inner, _, monoid, test) => {
          const run = runOf(inner, monoid, tile.itemsPerWorkItem);
          inner.for("k", 0, run.length, (body, k) => {
            loadAll(body, totals, run, k, add(base, k));
            test(body, body.loadAll(run.arrays, k));
          });
          return totalOfTile(inner, lanes, monoid, run);
        },
        store: (inner, total) =>
          storeTileTotals(context, inner, { totals, level, tile: group, lane: lanes.lane, total }),
      });
    },
  );
}

/** The prefix before tile `tile` of level - 1, from the scanned totals of `level`. */
export function carryOf(
  context: GroupContext,
  code: Code,
  totals: readonly TileTotals[],
  level: number,
  tile: Expr,
): Carry {
  const offset = level > context.tiling.levels ? undefined : offsetAt(context, level);
  return carryFrom(context, code, totals, offset, tile);
}

/**
 * The prefix before a tile, from the scanned totals of tiles.
 * @param offset the index of the first one; undefined if there are none, as above the top level
 */
function carryFrom(
  context: GroupContext,
  code: Code,
  totals: readonly TileTotals[],
  offset: Expr | undefined,
  tile: Expr,
): Carry {
  const monoid = monoidOfTileTotals(totals);
  const first = context.carrying?.first(code, totals) ?? nothing(monoid);
  if (!offset) return first;
  const carry = variables(code, monoid, "before", first.values);
  code.if(ne(tile, 0), (then) => {
    const at = then.let("at", add(offset, sub(tile, 1)));
    readTileTotals(then, totals, at).forEach((value, i) => {
      then.assign(carry[i] as VarExpr, value);
    });
  });
  if (first.present === undefined) return { values: carry, present: undefined };
  const follows = ne(tile, 0);
  const isChunk = context.carrying && first.present;
  return { values: carry, present: isChunk ? binary("or", follows, isChunk) : follows };
}

/** A tile, and the run of items of its work-item. */
export interface TileRun {
  readonly totals: readonly TileTotals[];
  readonly tile: Expr;
  readonly lane: Expr;
  readonly run: ItemRun;
}

/**
 * The last prefix of a full tile ends a larger block too, which the order combines first: it is among
 * the scanned totals of `level`.
 */
export function correctLast(context: GroupContext, code: Code, level: number, tile: TileRun): void {
  if (level > context.tiling.levels) return;
  const above = { offset: offsetAt(context, level), count: countAt(context, level) };
  correctFrom(context, code, above, tile);
}

/** The same, with the index of the first scanned total, and their number. */
function correctFrom(
  { tiling }: GroupContext,
  code: Code,
  { offset, count }: { readonly offset: Expr; readonly count: Expr },
  { totals, tile, lane, run }: TileRun,
): void {
  if (monoidOfTileTotals(totals).reassociable) return;
  const isLast = eq(lane, tiling.workGroupSize - 1);
  code.if(binary("and", isLast, lt(tile, count)), (then) => {
    const at = then.let("at", add(offset, tile));
    then.storeAll(run.arrays, run.length - 1, readTileTotals(then, totals, at));
  });
}

/** Level: totals become inclusive prefixes, in place. */
export function prefixesKernel(context: GroupContext, totals: readonly TileTotals[], level: number): Kernel {
  const { tiling } = context;
  const count = countFormula(tiling, level);
  const isTop = level === tiling.levels;
  const groups = isTop
    ? formula("min", count, 1)
    : formula("min", count, formula("add", countFormula(tiling, level + 1), 1));
  const doc = [`Prefixes of the totals of level ${level}, in place.`];
  return makeKernel(
    context,
    { hint: `prefixes_${level}`, doc, workGroupSize: tiling.workGroupSize, groups, tile: itemsIn(tiling) },
    ({ code, lanes, group }) => scanTotals(context, code, lanes, { totals, level, tile: group }),
  );
}

/** A tile of the totals of a level. */
interface TileOfTotals {
  readonly totals: readonly TileTotals[];
  readonly level: number;
  readonly tile: Expr;
}

/** Scans a tile of totals in place; levels differ only in the indexes of their totals and those of the next level. */
function scanTotals(
  context: GroupContext,
  code: Code,
  lanes: Lanes,
  { totals, level, tile }: TileOfTotals,
): void {
  const { tiling } = context;
  const isTop = level === tiling.levels;
  const doc = "Replaces totals by their prefixes, starting from the prefixes of the level above.";
  const given = {
    tile: [tile],
    offset: [offsetAt(context, level)],
    count: [countAt(context, level)],
    offset_above: [isTop ? u32(0) : offsetAt(context, level + 1)],
    count_above: [isTop ? u32(0) : countAt(context, level + 1)],
  };
  code.routine({ title: "scan_totals", doc }, given, (args) => {
    const [own, offset, count] = [args.tile[0], args.offset[0], args.count[0]] as [Expr, Expr, Expr];
    const above = { offset: args.offset_above[0] as Expr, count: args.count_above[0] as Expr };
    const monoid = monoidOfTileTotals(totals);
    const run = runOf(code, monoid, tiling.tilesOfTotals.itemsPerWorkItem);
    const first = firstItem(tiling.tilesOfTotals, lanes.lane);
    const base = code.let("base", add(mul(own, totalsIn(tiling)), first));
    const each = (fill: (body: Code, k: Expr, at: Expr) => void): void =>
      code.for("k", 0, run.length, (body, k) => {
        body.if(lt(add(base, k), count), (inner) => fill(inner, k, add(add(offset, base), k)));
      });
    each((body, k, at) => loadAll(body, totals, run, k, at));
    // Where the statements are in the kernel itself, the top level has nothing above.
    const isAlone = above.count.kind === "const";
    const carry = carryFrom(context, code, totals, isAlone ? undefined : above.offset, own);
    scanTile(code, lanes, monoid, run, carry);
    if (!isAlone) correctFrom(context, code, above, { totals, tile: own, lane: lanes.lane, run });
    each((body, k, at) => {
      const prefix = run.arrays.map((array) => body.load(array, k));
      writeTileTotals(body, totals, at, prefix);
    });
    return {};
  });
}

export function loadAll(code: Code, totals: readonly TileTotals[], run: ItemRun, k: Expr, at: Expr): void {
  code.storeAll(run.arrays, k, readTileTotals(code, totals, at));
}

/** The item's own exclusive prefix; the first item of all has none and gets the identity. */
export const exclusiveAt = (monoid: Monoid, i: number, isFirst: Expr, before: Expr): Expr =>
  monoid.reassociable ? before : select(isFirst, monoid.identity[i] as Expr, before);
