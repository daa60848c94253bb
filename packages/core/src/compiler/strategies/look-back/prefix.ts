/** The prefix before a tile, folded from the slots before it; and the blocks that end with the tile, published. */
import type { Scalar } from "../../../ir/tables/scalar.ts";
import type { ArrayRef, Code } from "../../kernel/build.ts";
import type { Expr, VarExpr } from "../../kernel/expr.ts";
import { add, and, eq, lt, ne, select, sub, u32 } from "../../kernel/make-expr.ts";
import { nothing } from "../../parts/monoid.ts";
import { scanOfLanes, totalOfLanes } from "../../work-groups/lane-routines.ts";
import { blockOf, digitOf, isLastOf, RADIX } from "./shape.ts";
import { firstMissing, NONE, publish, type Seen, type SlotsBefore, wait } from "./slots.ts";
import { pick, publishes, type Team } from "./tile-status.ts";

/** Levels whose blocks are published before the next tile is read: others wait for these. */
const EARLY = 2;

const allOf = (values: readonly (Expr | undefined)[]): Expr | undefined => {
  const stated = values.filter((e) => e !== undefined);
  return stated.length > 0 ? stated.reduce(and) : undefined;
};

const assignAll = (code: Code, variables: readonly VarExpr[], values: readonly Expr[]): void =>
  variables.forEach((v, i) => {
    code.assign(v, values[i] as Expr);
  });

/** The tile's own block behind the slots of a level before it. */
const withOwn = (
  code: Code,
  team: Team,
  slot: readonly Expr[],
  own: readonly Expr[],
  digit: Expr,
): Expr[] => {
  const isMine = eq(team.sub, digit);
  return slot.map((v, i) => code.let("slot", select(isMine, own[i] as Expr, v)));
};

/** A tile whose total is known, and what was seen of the slots before it, level by level. */
export interface Search extends SlotsBefore {
  readonly seen: readonly Seen[];
  readonly own: readonly Expr[];
}

/**
 * Publishes the blocks that end with the tile as soon as their other totals are there: many wait for these. What is
 * not there yet is left for later.
 */
export function publishEarly(code: Code, search: Search, level: number = 0): void {
  const { status, team, tile, seen, own } = search;
  const { monoid, shape } = status;
  const above = u32(level + 1);
  if (level >= Math.min(EARLY, shape.levels - 1)) return;
  code.if(isLastOf(tile, above), (last) => {
    const waited = wait(last, search, level, seen[level] as Seen);
    const isThere = eq(firstMissing(last, team, [waited]), u32(NONE));
    const values = withOwn(last, team, waited.slot, own, u32(RADIX - 1));
    const total = totalOfLanes(last, team.lanes, monoid, values);
    const when = allOf([isThere, publishes(status, tile)]);
    publish(last, { status, team, level: above, slot: blockOf(tile, above), total, when });
    publishEarly(last, { ...search, own: total }, level + 1);
  });
}

/** The prefix before a tile, and, where the tile's own total is told, the prefix after it. */
export interface Prefix {
  readonly before: readonly VarExpr[];
  readonly after: readonly VarExpr[];
}

/** What is known of the tile whose prefix is computed. */
export interface PrefixSearch extends SlotsBefore {
  /** The values of the slots before it, level by level. */
  readonly slots: readonly (readonly Expr[])[];
  /** The tile's total: then blocks that end with the tile are published. */
  readonly own: readonly Expr[] | undefined;
  /** No slot is missing, as the first block of lanes knows it. */
  readonly isThere?: Expr;
}

/** By level, for loops over the levels. */
function arraysOf(
  code: Code,
  hint: string,
  types: readonly Scalar[],
  levels: readonly (readonly Expr[])[],
): ArrayRef[] {
  return types.map((type, c) => {
    const array = code.array(hint, type, levels.length);
    levels.forEach((values, level) => {
      code.store(array, u32(level), values[c] as Expr);
    });
    return array;
  });
}

/** Folds the slots before a tile, highest level first, in the first block of lanes. */
export function prefixOf(code: Code, { status, team, tile, slots, own, isThere }: PrefixSearch): Prefix {
  const { monoid, shape } = status;
  const { levels } = shape;
  const present = (level: Expr): Expr | undefined =>
    monoid.reassociable ? undefined : ne(blockOf(tile, add(level, u32(1))), u32(0));
  const arrays = arraysOf(code, "slots", monoid.types, slots);
  const slotsAt = (body: Code, level: Expr): Expr[] => arrays.map((array) => body.load(array, level));
  const before = nothing(monoid).values.map((v) => code.var("before", v));
  // By level: the prefix before the tile's block of 32 slots.
  const above = own ? monoid.types.map((type) => code.array("above", type, levels)) : [];
  code.for("step", u32(0), u32(own ? levels - 1 : levels), (body, step) => {
    const level = body.named("level", sub(u32(levels - 1), step));
    above.forEach((array, i) => {
      body.store(array, level, before[i] as Expr);
    });
    body.if(ne(digitOf(tile, level), u32(0)), (then) => {
      const seed = { values: before, present: present(level) };
      const { exclusive } = scanOfLanes(then, team.lanes, monoid, slotsAt(then, level), seed);
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
      const values = withOwn(last, team, slotsAt(last, level), total, digit);
      const seed = { values: above.map((array) => last.load(array, level)), present: present(level) };
      const found = scanOfLanes(last, team.lanes, monoid, values, seed);
      assignAll(last, after, pick(last, team, found.inclusive, digit));
      last.if(eq(level, u32(0)), (tiles) =>
        assignAll(tiles, before, pick(tiles, team, found.exclusive.values, digit)),
      );
      assignAll(last, total, found.total);
      const next = add(level, u32(1));
      const isBlock = and(eq(digit, u32(RADIX - 1)), lt(next, u32(levels)));
      const when = allOf([isBlock, isThere, publishes(status, tile)]);
      publish(last, { status, team, level: next, slot: blockOf(tile, next), total, when });
    });
  });
  return { before, after };
}
