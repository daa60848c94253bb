/** The prefix of a tile: a fold of the slots before it, level by level, with the device's own lanes, by work-group memory, or for heavy operators. */
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  eq,
  lt,
  mul,
  ne,
  select,
  sub,
  u32,
  unary,
  zeroOf,
} from "@groupwise/kernel/language/make-expr.js";
import { inEitherWay, smallestIn } from "../../lanes/either-way.ts";
import { foldRoutine, scanOfLanes, totalOfLanes } from "../../lanes/routines.ts";
import { prefixBeforeLane, prefixesAt, treeOf } from "../../lanes/tree.ts";
import { arrays, type Monoid, named, nothing, presentIf, variables } from "../../parts/monoid.ts";
import { recordsOf } from "../../work-groups/tile.ts";
import {
  allOf,
  blockOf,
  blocksAt,
  digitOf,
  isFullTile,
  type LaneTeam,
  pick,
  precededIf,
  publishes,
  RADIX,
  RADIX_BITS,
  type TileStatus,
  trailingOnes,
} from "./shape.ts";
import {
  blocksEnded,
  endsOf,
  type Finished,
  firstMissing,
  look,
  NONE,
  publish,
  type SlotsBefore,
  unseen,
  waitAt,
  withOwn,
} from "./slots.ts";

/** The prefixes before and after a tile. */
export interface Prefix {
  readonly before: readonly Expr[];
  readonly after: readonly Expr[];
}

/** The known values of the tile whose prefix is computed. */
export interface PrefixSearch extends SlotsBefore {
  /** The values of the slots before it, level by level. */
  readonly slots: readonly (readonly Expr[])[];
  /** The tile's total. */
  readonly own: readonly Expr[];
}

/** One of 32 slots of a level, and the prefix before the first of them. */
interface Entered {
  readonly level: Expr;
  readonly slot: readonly Expr[];
  readonly before: readonly Expr[];
}

/** Returns the prefix before a tile's slot of a level, from the prefix before the first of the 32 slots. */
function enter(
  code: Code,
  { status, team, tile }: SlotsBefore,
  entered: Entered,
  returns: string = "prefix",
): readonly Expr[] {
  const doc =
    "The prefix before the tile's slot of a level, from the prefix before the first of the 32 slots.";
  const { level, slot, before } = entered;
  const given = { tile: [tile], level: [level], slot, before };
  return foldRoutine(code, status.monoid, { title: "prefix_at", doc, returns }, given, (args, monoid) => {
    const digit = code.let("digit", digitOf(args.tile[0] as Expr, args.level[0] as Expr));
    const prefix = variables(code, monoid, "prefix", args.before);
    const find = (then: Code): void => {
      const seed = { values: args.before, present: presentAt(status, args) };
      if (status.isHeavy) {
        const { ending } = treeOf(then, team.lanes, monoid, args.slot, digit);
        then.assignAll(prefix, prefixBeforeLane(then, team.lanes, monoid, { ending, seed }, digit));
        return;
      }
      const { exclusive } = scanOfLanes(then, team.lanes, monoid, args.slot, seed);
      then.assignAll(prefix, pick(then, team, monoid, exclusive.values, digit));
    };
    // Where lanes meet at barriers, these are never skipped: see `searchLevels`.
    if (team.isSubgroup) code.if(ne(digit, 0), find);
    else find(code);
    return { prefix };
  }).prefix;
}

/** Whether items precede the 32 slots of a level that contain the tile's slot; undefined if an empty prefix is neutral. */
const presentAt = (
  status: TileStatus,
  { tile, level }: Readonly<Record<"tile" | "level", readonly Expr[]>>,
): Expr | undefined =>
  presentIf(status.monoid, () =>
    precededIf(status, ne(blockOf(tile[0] as Expr, add(level[0] as Expr, 1)), 0)),
  );

/** The values with which a search begins: the prefix before the chunk, or an empty one. */
export const firstOf = ({ status, first }: SlotsBefore): readonly Expr[] =>
  first ?? nothing(status.monoid).values;

/** The results of the tile's block of a level. */
interface Climbed {
  /** The total of the 32 slots, if the block is the last of them. */
  readonly total: readonly Expr[];
  readonly before: readonly Expr[];
  readonly after: readonly Expr[];
}

/** A block of a level that ends with a tile: the slots before it, its total, and the prefix before the first slot. */
interface Block extends Entered {
  readonly own: readonly Expr[];
}

/** The prefixes before and after the block of a level that ends with the tile, whose total is known. */
function withBlock(code: Code, { status, team, tile }: SlotsBefore, block: Block): Climbed {
  const doc =
    "For the block of a level that ends with the tile: the prefixes before and after it, and the total of the slots up to it.";
  const { level, slot, own, before } = block;
  const given = { tile: [tile], level: [level], slot, own, before };
  return foldRoutine(
    code,
    status.monoid,
    { title: "prefixes_of_block", doc, returns: "block_prefixes" },
    given,
    (args, monoid) => {
      const digit = code.let("digit", digitOf(args.tile[0] as Expr, args.level[0] as Expr));
      const values = withOwn(code, team, monoid, args.slot, args.own, digit);
      const seed = { values: args.before, present: presentAt(status, args) };
      const { total, exclusive, inclusive } = scanOfLanes(code, team.lanes, monoid, values, seed);
      const before = pick(code, team, monoid, exclusive.values, digit);
      return { total, before, after: pick(code, team, monoid, inclusive, digit) };
    },
  );
}

/** A tile that the prefix before it starts. */
interface TileToSearch extends PrefixSearch {
  readonly region: Expr;
  /** Reads the totals of its blocks that the lane has. */
  blocks(): readonly Expr[];
}

/** Starts a tile with its prefix. */
export type StartTile = (
  code: Code,
  monoid: Monoid,
  tile: Readonly<Record<"tile" | "region", Expr>>,
  prefix: Prefix,
) => void;

/** Folds the slots before a tile, highest level first, in the first block of lanes, and starts it. */
export function searchSlots(code: Code, search: TileToSearch, start: StartTile): void {
  const { status, own, slots, first = [] } = search;
  const { native } = status;
  if (!native) {
    start(code, status.monoid, search, prefixOf(code, search));
    return;
  }
  const doc =
    "Stores the prefixes before the blocks of a tile and after it, from the slots before it and its total.";
  const given = {
    tile: [search.tile],
    region: [search.region],
    slot: slots.flat(),
    own,
    first: firstOf(search),
  };
  // Its total needs no test: the blocks are tested and, for products, all that is combined of them.
  const smallest = smallestIn(code, [...slots.flat(), ...first, ...search.blocks()]);
  inEitherWay(code, status, smallest, (body, way) =>
    foldRoutine(body, way, { title: "start_tile", doc }, given, (args, monoid) => {
      const at = { tile: args.tile[0] as Expr, region: args.region[0] as Expr };
      const known = { slots: recordsOf(monoid, args.slot), own: args.own, first: args.first };
      const there = { ...search, ...at, ...known, status: { ...status, monoid } };
      start(body, monoid, at, prefixOf(body, there));
      return {};
    }),
  );
}

function prefixOf(code: Code, search: PrefixSearch): Prefix {
  const { status, own, slots } = search;
  const { levels } = status.shape;
  let before = firstOf(search);
  // By level: the prefix before the 32 slots.
  const above: (readonly Expr[])[] = [];
  for (let level = levels - 1; level > 0; level--) {
    above[level] = before;
    const entered = { level: u32(level), slot: slots[level] as Expr[], before };
    before = enter(code, search, entered, `prefix_${level}`);
  }
  const tile = withBlock(code, search, { level: u32(0), slot: slots[0] as Expr[], own, before });
  const after = variables(code, status.monoid, "after", tile.after);
  climb(code, search, { total: tile.total, above, after });
  return { before: tile.before, after };
}

/** The prefix before a tile. Waits for the slots before it level by level, the highest first. */
export function prefixBefore(code: Code, here: SlotsBefore): readonly Expr[] {
  const { status } = here;
  const { levels } = status.shape;
  const before = variables(code, status.monoid, "prefix", firstOf(here));
  code.for("step", 0, levels, (body, step) => {
    const level = body.let("level", sub(levels - 1, step));
    const { slot } = waitAt(body, here, { level: [level], seen: unseen(status) });
    body.assignAll(before, enter(body, here, { level, slot, before }));
  });
  return before;
}

interface Climb {
  readonly total: readonly Expr[];
  readonly above: readonly (readonly Expr[])[];
  readonly after: readonly VarExpr[];
}

/** The values of a level. @param values of level 1 and of those above it */
const atLevel = (
  code: Code,
  monoid: Monoid,
  hint: string,
  level: Expr,
  values: readonly (readonly Expr[])[],
): readonly Expr[] => {
  const [first, ...others] = values as [readonly Expr[], ...(readonly Expr[])[]];
  const choose = (chosen: readonly Expr[], those: readonly Expr[], i: number): Expr[] =>
    chosen.map((v, c) => select(eq(level, 2 + i), those[c] as Expr, v));
  return named(code, monoid, hint, others.reduce(choose, first));
};

/**
 * The prefix after a tile that ends larger blocks: the order combines these blocks first, and then with the items before them.
 * A loop, as the one that publishes them.
 */
function climb(code: Code, search: PrefixSearch, { total: first, above, after }: Climb): void {
  const { status, tile, slots } = search;
  if (status.shape.levels === 1) return;
  const total = variables(code, status.monoid, "total", first);
  const ends = code.let("ends", blocksEnded(tile, status));
  code.for("level", 1, add(ends, 1), (body, level) => {
    const slot = atLevel(body, status.monoid, "slot", level, slots.slice(1));
    const before = atLevel(body, status.monoid, "before", level, above.slice(1));
    const block = withBlock(body, search, { level, slot, own: total, before });
    body.assignAll(after, block.after);
    body.assignAll(total, block.total);
  });
}

/*
 * The search where lanes pass values through work-group memory. It loops over the levels, and work-items reach each of its barriers
 * whatever the tile is: compilers that split kernels at barriers copy all code after a barrier that may be skipped, once for each such
 * barrier (`docs/decisions/barriers.md`).
 */

/** What a search found. */
export interface FoundPrefix extends Prefix {
  /** The first slot that is missing, or NONE. */
  readonly missing: Expr;
}

/** The number of levels that the tiles of a range need, at least 1. */
function levelsUsed(code: Code, { shape, n }: TileStatus): Expr {
  const { levels } = shape;
  if (levels === 1) return u32(1);
  const tiles = binary("max", blocksAt(shape, n, 0), 1);
  const log32 = binary("div", sub(31, unary("clz", tiles)), RADIX_BITS);
  // The maximum with 1 shows compilers that loops over the levels run at least once.
  return code.let("levels", binary("min", binary("max", add(log32, 1), 1), levels));
}

/** Visits the levels that the tiles of a range need, the highest first. */
function downLevels(
  code: Code,
  { shape }: TileStatus,
  used: Expr,
  visit: (code: Code, level: Expr) => void,
): void {
  if (shape.levels === 1) {
    visit(code, u32(0));
    return;
  }
  code.for("step", 0, used, (body, step) => {
    const level = binary("min", sub(sub(used, 1), step), shape.levels - 1);
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
  const values = arrays(code, status.monoid, "slots", status.shape.levels);
  const missing = code.var("missing", u32(NONE));
  downLevels(code, status, used, (body, level) => {
    const waited = waitAt(body, { status, team, tile }, { level: [level], seen: unseen(status) });
    body.storeAll(values, level, waited.slot);
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
  const total = variables(code, status.monoid, "total", own);
  code.for("level", 0, used, (body, level) => {
    const slots = values.map((array) => body.load(array, level));
    const mine = withOwn(body, team, status.monoid, slots, total, digitOf(tile, level));
    body.storeAll(values, level, mine);
    if (status.shape.levels === 1) return;
    body.assignAll(total, totalOfLanes(body, team.lanes, status.monoid, mine));
    const above = add(level, 1);
    const isEnded = and(lt(level, ends), eq(missing, NONE));
    const when = allOf(isEnded, isFullTile(status, tile), publishes(status, tile));
    publish(body, { status, team, level: above, slot: blockOf(tile, above), total, when });
  });
}

/** Waits for the slots before a tile, publishes the blocks that end with it, and folds the slots, the highest level first. */
export function searchLevels(code: Code, here: Finished): FoundPrefix {
  const { status, team, tile, own } = here;
  const { monoid, shape } = status;
  const used = levelsUsed(code, status);
  const ended = binary("div", trailingOnes(tile), RADIX_BITS);
  const ends = shape.levels === 1 ? u32(0) : code.let("ends", binary("min", ended, sub(used, 1)));
  const slots = waitForAll(code, here, used);
  publishEnded(code, here, slots, { used, ends });
  const before = variables(code, monoid, "before", firstOf(here));
  const after = variables(code, monoid, "after", own);
  downLevels(code, status, used, (body, level) => {
    const seed = { values: before, present: presentAt(status, { tile: [tile], level: [level] }) };
    const values = slots.values.map((array) => body.load(array, level));
    const { exclusive, inclusive } = scanOfLanes(body, team.lanes, monoid, values, seed);
    const digit = body.let("digit", digitOf(tile, level));
    body.assignAll(before, pick(body, team, monoid, exclusive.values, digit));
    // The order combines the largest block that ends with the tile first.
    const isLargest = eq(level, ends);
    const last = pick(body, team, monoid, inclusive, digit);
    body.assignAll(
      after,
      last.map((v, i) => select(isLargest, v, after[i] as Expr)),
    );
  });
  return { missing: slots.missing, before, after };
}

/*
 * The search of look-back where combining takes many operations: the first block of lanes finds the prefix of the tile with a combination for each 1
 * of its number.
 */

/** The values of the slots of a tile's levels. */
interface HeldSlots {
  readonly values: readonly ArrayRef[];
  readonly missing: Expr;
  /** The highest level of which a block ends with the tile. */
  readonly ends: Expr;
}

/** Waits for the slots before a tile, which it first reads for all levels at once. The tile and the blocks that end with it have slots too. */
function slotsOf(code: Code, here: Finished): HeldSlots {
  const { status, team, tile, own } = here;
  const { levels, slotWords } = status.shape;
  const seen = code.array("seen", "u32", levels * slotWords);
  const words = Array.from({ length: levels }, (_, level) => look(code, here, level)).flat();
  for (const [i, word] of words.entries()) code.store(seen, i, word);
  const values = arrays(code, status.monoid, "slots", levels);
  const missing = code.var("missing", u32(NONE));
  const total = variables(code, status.monoid, "total", own);
  const ends = endsOf(code, status, tile);
  code.for("level", 0, levels, (body, level) => {
    const first = mul(level, slotWords);
    const read = Array.from({ length: slotWords }, (_, i) => body.load(seen, add(first, i)));
    const waited = waitAt(body, here, { level: [level], seen: read });
    body.assign(missing, binary("min", waited.missing, missing));
    const mine = withOwn(body, team, status.monoid, waited.slot, total, digitOf(tile, level));
    body.storeAll(values, level, mine);
    body.if(lt(level, ends), (then) =>
      then.assignAll(total, totalOfLanes(then, team.lanes, status.monoid, mine)),
    );
  });
  return { values, missing: firstMissing(code, team, [{ slot: [], missing }]), ends };
}

/** Finds the prefixes before and after a tile, the highest level of its slots first. */
export function searchHeavy(code: Code, here: Finished): FoundPrefix {
  const { status, team, tile, own } = here;
  const { monoid, shape } = status;
  const { values, missing, ends } = slotsOf(code, here);
  const before = variables(code, monoid, "before", firstOf(here));
  const after = variables(code, monoid, "after", own);
  code.for("step", 0, shape.levels, (body, step) => {
    const level = body.let("level", sub(shape.levels - 1, step));
    const digit = body.let("digit", digitOf(tile, level));
    // The order combines the largest block that ends with the tile first.
    const isLargest = body.let("is_largest", eq(level, ends));
    body.if(binary("or", ne(digit, 0), isLargest), (then) => {
      const slot = named(then, monoid, "slot", then.loadAll(values, level));
      const { ending } = treeOf(then, team.lanes, monoid, slot, digit);
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

/*
 * A slot that is not published in time: the waiting work-group computes its total, with the same bits.
 */

/** A slot that is missing before a tile. */
interface Missing {
  readonly status: TileStatus;
  readonly team: LaneTeam;
  readonly tile: Expr;
  /** Level x 32 + its place among the 32. */
  readonly missing: Expr;
  /** The total of a tile, in every lane. */
  totalOf(code: Code, tile: Expr): readonly Expr[];
}

/** Computes the missing total, tile by tile of its block, and publishes it. */
export function recover(code: Code, { status, team, tile, missing, totalOf }: Missing): void {
  const { monoid, shape } = status;
  code.comment("computes the total of a slot that is not published in time, with the same bits");
  const most = RADIX_BITS * (shape.levels - 1) + 1;
  const blocks = arrays(code, monoid, "lost_blocks", most);
  const level = code.let("level", binary("shr", missing, RADIX_BITS));
  const bits = code.let("bits", mul(level, RADIX_BITS));
  const above = binary("shr", tile, add(bits, RADIX_BITS));
  const slot = code.let("slot", add(binary("shl", above, RADIX_BITS), and(missing, RADIX - 1)));
  const first = code.let("first", binary("shl", slot, bits));
  const lost = variables(code, monoid, "lost", monoid.types.map(zeroOf));
  code.for("i", 0, binary("shl", 1, bits), (body, i) => {
    // All lanes have folded the tile before.
    body.barrier();
    totalOf(body, add(first, i)).forEach((v, c) => {
      body.assign(lost[c] as VarExpr, v);
    });
    // The number of consecutive finished blocks of the same size is the number of trailing ones of i.
    const ones = body.let("ones", binary("min", trailingOnes(i), most - 1));
    body.for("k", 0, ones, (inner, k) => {
      const left = blocks.map((array) => inner.load(array, k));
      const both = named(inner, monoid, "both", monoid.combine(inner, left, lost));
      both.forEach((v, c) => {
        inner.assign(lost[c] as VarExpr, v);
      });
    });
    body.storeAll(blocks, ones, lost);
  });
  publish(code, { status, team, level, slot, total: lost });
}
