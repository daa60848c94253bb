/** The prefix before a tile, folded from the slots before it; and the blocks that end with the tile, published. */
import type { Code } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add, and, eq, lt, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import { nothing } from "../../parts/monoid.ts";
import { scanOfLanes, totalOfLanes } from "../../work-groups/lane-routines.ts";
import { blockOf, digitOf, isLastOf, RADIX } from "./shape.ts";
import { firstOf, NONE, publish, type SlotsBefore, valuesAt, waitFor } from "./slots.ts";
import { pick, publishes } from "./tile-status.ts";

/** Levels whose blocks are published before the next tile is read: others wait for these. */
const EARLY = 2;

const one = (values: readonly (Expr | undefined)[]): Expr | undefined => {
  const stated = values.filter((e) => e !== undefined);
  return stated.length > 0 ? stated.reduce(and) : undefined;
};

const assignAll = (code: Code, variables: readonly VarExpr[], values: readonly Expr[]): void =>
  variables.forEach((v, i) => {
    code.assign(v, values[i] as Expr);
  });

/** The slots of a level before a tile, and behind them the total of the lower block that ends with the tile. */
function withOwn(code: Code, slots: SlotsBefore, level: Expr, own: readonly Expr[]): Expr[] {
  const { status, team, tile } = slots;
  const isMine = eq(team.sub, digitOf(tile, level));
  return valuesAt(code, status.monoid, slots, level).map((v, i) =>
    code.let("slot", select(isMine, own[i] as Expr, v)),
  );
}

/**
 * Publishes the blocks that end with the tile as soon as their other totals are there: many wait for these. What is
 * not there yet is left for later.
 */
export function publishEarly(code: Code, slots: SlotsBefore, own: readonly Expr[]): void {
  const { status, team, tile } = slots;
  const { levels } = status.shape;
  const early = Math.min(EARLY, levels - 1);
  if (early === 0) return;
  const total = own.map((v) => code.var("block_total", v));
  code.for("level", u32(0), u32(early), (body, level) => {
    const above = add(level, u32(1));
    body.if(isLastOf(tile, above), (last) => {
      const missing = last.var("mine_missing", u32(NONE));
      waitFor(last, slots, level, missing);
      const isThere = eq(firstOf(last, team, missing), u32(NONE));
      const values = withOwn(last, slots, level, total);
      assignAll(last, total, totalOfLanes(last, team.lanes, status.monoid, values));
      const when = one([isThere, publishes(status, tile)]);
      publish(last, { status, team, level: above, slot: blockOf(tile, above), total, when });
    });
  });
}

/** The prefix before a tile, and, where the tile's own total is told, the prefix after it. */
export interface Prefix {
  readonly before: readonly VarExpr[];
  readonly after: readonly VarExpr[];
}

/** What is known of the tile whose prefix is computed. */
export interface PrefixSearch extends SlotsBefore {
  /** The tile's total: then blocks that end with the tile are published. */
  readonly own: readonly Expr[] | undefined;
  /** No slot is missing, as the first block of lanes knows it. */
  readonly isThere?: Expr;
}

/** Folds the slots before a tile, highest level first, in the first block of lanes. */
export function prefixOf(code: Code, { own, isThere, ...slots }: PrefixSearch): Prefix {
  const { status, team, tile } = slots;
  const { monoid, shape } = status;
  const { levels } = shape;
  const present = (level: Expr): Expr | undefined =>
    monoid.reassociable ? undefined : ne(blockOf(tile, add(level, u32(1))), u32(0));
  const before = nothing(monoid).values.map((v) => code.var("before", v));
  // By level: the prefix before the tile's block of 32 slots.
  const above = own ? monoid.types.map((type) => code.array("above", type, levels)) : [];
  code.for("step", u32(0), u32(own ? levels - 1 : levels), (body, step) => {
    const level = body.named("level", sub(u32(levels - 1), step));
    above.forEach((array, i) => {
      body.store(array, level, before[i] as Expr);
    });
    body.if(ne(digitOf(tile, level), u32(0)), (then) => {
      const values = valuesAt(then, monoid, slots, level);
      const seed = { values: before, present: present(level) };
      const { exclusive } = scanOfLanes(then, team.lanes, monoid, values, seed);
      assignAll(then, before, pick(then, team, exclusive.values, digitOf(tile, level)));
    });
  });
  if (!own) return { before, after: [] };
  above.forEach((array, i) => {
    code.store(array, u32(0), before[i] as Expr);
  });
  const after = before.map((v) => code.var("after", v));
  const total = own.map((v) => code.var("block_total", v));
  code.for("level", u32(0), u32(levels), (body, level) => {
    body.if(isLastOf(tile, level), (last) => {
      const digit = last.let("digit", digitOf(tile, level));
      const values = withOwn(last, slots, level, total);
      const seed = { values: above.map((array) => last.load(array, level)), present: present(level) };
      const found = scanOfLanes(last, team.lanes, monoid, values, seed);
      assignAll(last, after, pick(last, team, found.inclusive, digit));
      last.if(eq(level, u32(0)), (tiles) =>
        assignAll(tiles, before, pick(tiles, team, found.exclusive.values, digit)),
      );
      assignAll(last, total, found.total);
      const next = add(level, u32(1));
      const isBlock = and(eq(digit, u32(RADIX - 1)), lt(next, u32(levels)));
      const when = one([isBlock, isThere, publishes(status, tile)]);
      publish(last, { status, team, level: next, slot: blockOf(tile, next), total, when });
    });
  });
  return { before, after };
}
