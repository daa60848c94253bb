/** The division of the items among work-groups that compute ranks. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { RankNode, ScatterNode } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { hasSiblings } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr } from "@groupwise/kernel/language/expr.js";
import {
  add,
  and,
  binary,
  eq,
  indexSum,
  lt,
  mul,
  ne,
  select,
  size,
  sub,
  u32,
  unary,
} from "@groupwise/kernel/language/make-expr.js";
import { repeat } from "../lanes/lanes.ts";
import { siteAt } from "../parts/site.ts";
import { SiteValues } from "../parts/values.ts";
import { toWords, wordCount } from "../parts/words.ts";
import type { GroupContext, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";

/** Lanes whose keys are compared at once: the bits of a word. */
const MOST_LANES = 32;
/** Items of each work-item in a tile: with 256 bins and 256 work-items, a bin then has 16 items of a tile on average, which are written together. */
const ROUNDS = 16;
const WORD_BYTES = 4;

/** The tiles of a rank. All sizes are powers of two. */
export interface RankShape {
  readonly workGroupSize: number;
  /** Lanes that compare their keys; the work-group is divided into teams of so many. */
  readonly lanes: number;
  readonly teams: number;
  /** True if a team is a subgroup, whose lanes compare bits of their keys by ballots. */
  readonly ballots: boolean;
  /** Items of a work-item, each in one round: in a round, the lanes of a team have consecutive items. */
  readonly rounds: number;
  /** Items of a work-group. */
  readonly size: number;
  readonly bins: number;
  /** The number of tiles. */
  readonly tiles: Formula;
}

/** The sizes of tiles and the number of bins with their names in texts. */
export const itemsIn = (shape: RankShape): ConstExpr => size("TILE_ITEMS", shape.size);
export const binsOf = ({ bins }: Pick<RankShape, "bins">): ConstExpr => size("BINS", bins);

/** The largest work-group for which there is enough memory. */
export function shapeOf(context: GroupContext, bins: number): RankShape {
  let shape = shaped(context, context.tiling.workGroupSize, bins);
  while (shape.workGroupSize > 1 && scratchWords(shape) * WORD_BYTES > context.capabilities.workGroupMemory)
    shape = shaped(context, shape.workGroupSize / 2, bins);
  return shape;
}

function shaped({ capabilities }: GroupContext, workGroupSize: number, bins: number): RankShape {
  const width = ballotWidth(capabilities);
  const ballots = width > 1 && width <= workGroupSize && hasSiblings(workGroupSize, capabilities.leastGroup);
  const lanes = ballots ? width : Math.min(MOST_LANES, workGroupSize);
  const items = workGroupSize * ROUNDS;
  const tiles = formula("ceil-div", "n", items);
  return {
    ...{ workGroupSize, lanes, teams: workGroupSize / lanes, ballots },
    ...{ rounds: ROUNDS, size: items, bins, tiles },
  };
}

/** The size of all subgroups; 0 if there are no ballots, or if the size varies or exceeds the bits of a word. */
function ballotWidth({ subgroups }: GroupContext["capabilities"]): number {
  if ("unsupported" in subgroups || !subgroups.ballots) return 0;
  const { minSize, maxSize } = subgroups;
  return minSize === maxSize && maxSize <= MOST_LANES ? maxSize : 0;
}

/**
 * Words of the memory through which items change lanes. Before that it has the counts of ballots, or marks the lanes that have a key, for two
 * rounds by turns.
 */
export const sharedWords = ({ teams, bins, size: items, ballots }: RankShape): number =>
  Math.max((ballots ? 1 : 2) * teams * bins, items);

/** These words, the counts of bins of teams, one word for each bin, and the words by which the lanes add up the counts. */
const scratchWords = (shape: RankShape): number =>
  sharedWords(shape) + (shape.ballots ? 0 : shape.teams * shape.bins) + shape.bins + 4 * shape.workGroupSize;

/*
 * Keys and values of items, and indexes of counts.
 */

/** The values of an item. */
export const valuesAt = (context: GroupContext, item: Expr): SiteValues =>
  new SiteValues(siteAt(context, item));

/** The key of an item, a name that is known to be below the number of bins. */
export const keyOf = ({ of, bins }: RankNode, values: SiteValues, code: Code): Expr =>
  code.let("key", binary("min", values.get(of, code), bins - 1));

/** The words of the value that a scatter moves. */
export const wordsOf = ({ value }: ScatterNode, values: SiteValues, code: Code): readonly Expr[] =>
  toWords(code.let("value", values.get(value, code)));

/** The index of the count of a bin and a tile. @param tiles their number */
export const countAt = (tiles: Expr, bin: Expr, tile: Expr): Expr => add(mul(bin, tiles), tile);

/*
 * Ranks among the equal keys of a team of lanes: of earlier rounds, then of earlier lanes.
 */

/** The first bit of the key in a word that also has the rank within the team. */
export const KEY_SHIFT = 16;

/** The lanes of a round. */
interface Round {
  readonly code: Code;
  readonly round: Expr;
  readonly isItem: Expr;
  readonly key: Expr;
  /** The index of the counts of the key in the team. */
  readonly cell: Expr;
}

/** Finds the ranks; afterwards `before` has the number of items of each bin of each team. */
export function rankInTeams(
  context: GroupContext,
  parts: KernelParts,
  { node, shape }: Ranking,
  memory: RankMemory,
  own: Own,
): void {
  const { code } = parts;
  const { teams, bins, ballots } = shape;
  clear(parts, memory.before, teams * bins);
  if (!ballots) clear(parts, memory.words, 2 * teams * bins);
  eachItem(code, shape, own, (body, round, item) => {
    const values = valuesAt(context, item);
    body.store(own.found, round, keyOf(node, values, body));
    for (const [sink, arrays] of own.held)
      for (const [k, word] of wordsOf(sink, values, body).entries())
        body.store(arrays[k] as ArrayRef, round, word);
  });
  code.barrier();
  const base = code.let("base", mul(own.team, binsOf({ bins })));
  code.comment(
    "ranks among the equal keys of a team of lanes: items of earlier rounds, then of earlier lanes",
  );
  eachRound(code, shape, (body, round) => {
    const isItem = body.let("is_item", lt(placeAt(shape, own, round), own.count));
    const key = body.let("key", binary("min", body.load(own.found, round), bins - 1));
    const cell = body.let("cell", add(base, key));
    const rank = (ballots ? byBallots : byBits)({ code: body, round, isItem, key, cell }, shape, memory, own);
    body.store(own.found, round, binary("or", binary("shl", key, KEY_SHIFT), rank));
  });
  code.barrier();
}

function clear(
  { code, lanes: { lane, size } }: KernelParts,
  array: RankMemory["before"],
  length: number,
): void {
  code.for("cell", lane, length, (body, cell) => body.store(array, cell, 0), size as number);
}

/** The number of lanes before this one with the same key. */
const lower = (same: Expr, bit: Expr): Expr => unary("popcount", and(same, sub(binary("shl", 1, bit), 1)));

/**
 * A subgroup compares its keys bit by bit. The last of the lanes with a key adds their number to its count, and broadcasts the previous
 * count: no barrier is needed, because a subgroup's operations on one word are executed in order.
 */
function byBallots(
  { code, isItem, key, cell }: Round,
  { bins, lanes, teams }: RankShape,
  { before }: RankMemory,
  own: Own,
): Expr {
  const title = "rank_in_subgroup";
  const doc = "The number of earlier items of the subgroup with the same key.";
  const given = { key: [key], cell: [cell], bit: [own.bit], is_item: [isItem] };
  const { rank } = code.routine({ title, doc }, given, (args) => {
    const [value, at, bit, isPresent] = [args.key[0], args.cell[0], args.bit[0], args.is_item[0]] as [
      Expr,
      Expr,
      Expr,
      Expr,
    ];
    let same: Expr = code.intrinsic("ballot", "items", [isPresent]);
    for (let digit = 0; 2 ** digit < bins; digit++) {
      const isSet = code.let("is_set", ne(and(value, 2 ** digit), 0));
      const having = code.intrinsic("ballot", "having", [isSet]);
      same = code.let("same", and(same, select(isSet, having, unary("not", having))));
    }
    // For a lane without an item, any lane.
    const last = code.let("last", and(sub(31, unary("clz", same)), lanes - 1));
    const taken = code.var("taken", u32(0));
    code.if(and(isPresent, eq(bit, last)), (one) =>
      one.assign(
        taken,
        one.atomicAdd("count", before, binary("min", at, teams * bins - 1), unary("popcount", same)),
      ),
    );
    const earlier = code.intrinsic("shuffle", "earlier", [taken, last]);
    return { rank: [add(earlier, lower(same, bit))] };
  });
  return rank[0] as Expr;
}

/** The lanes of a team set bits of a word for each key; two words by turns, so that two barriers are enough. */
function byBits(
  { code, round, isItem, cell }: Round,
  { teams, bins }: RankShape,
  { words, before }: RankMemory,
  own: Own,
): Expr {
  const side = code.let("side", mul(and(round, 1), teams * bins));
  const at = code.let("at", add(side, cell));
  code.if(isItem, (inside) => inside.atomic("or", words, at, binary("shl", 1, own.bit)));
  code.barrier();
  const same = code.let("same", code.load(words, at));
  const earlier = code.let("earlier", code.load(before, cell));
  code.barrier();
  const rank = code.let("rank", add(earlier, lower(same, own.bit)));
  const isLast = eq(binary("shr", same, own.bit), 1);
  code.if(and(isItem, isLast), (last) => {
    last.store(before, cell, add(rank, 1));
    last.store(words, at, 0);
  });
  return rank;
}

/*
 * A tile of items whose ranks a work-group computes: its memory, and the values of each work-item.
 */

/**
 * Words of values that a work-item keeps for each of its items from the read of the keys on: more would not stay in registers, of which rounds
 * that are written out need some.
 */
const mostHeld = ({ ballots }: RankShape): number => (ballots ? 1 : 2);

/** The work-group memory of a tile. */
export interface RankMemory {
  /** A word of each item, by its place among the keys of the tile; before that, bits of lanes. */
  readonly words: ArrayRef<"work-group">;
  /** Items of each bin of each team in the rounds so far; later the place of the team's first. It may be the same memory. */
  readonly before: ArrayRef<"work-group">;
  /** For each bin, the distance from a place in the tile to the rank, modulo 2^32. */
  readonly distance: ArrayRef<"work-group">;
}

/** The values that a work-item has for its items. */
export interface Own {
  /** Its first item. */
  readonly start: Expr;
  /** Items of the tile. */
  readonly count: Expr;
  readonly team: Expr;
  /** The lane in its team. */
  readonly bit: Expr;
  /** The place of its first item in the tile. */
  readonly place: Expr;
  /** For each round, the key; then with it the rank among equal keys of the team; then the place among the keys of the tile. */
  readonly found: ArrayRef;
  /** For each scatter that moves items, the words of their values; none if they are read when they are moved. */
  readonly held: ReadonlyMap<ScatterNode, readonly ArrayRef[]>;
}

export function memoryOf({ lanes: { shared } }: KernelParts, shape: RankShape): RankMemory {
  const words = shared.make("words", "u32", sharedWords(shape));
  const before = shape.ballots ? words : shared.make("before", "u32", shape.teams * shape.bins);
  return { words, before, distance: shared.make("distance", "u32", shape.bins) };
}

export function ownOf(
  context: GroupContext,
  { code, lanes: { lane }, group }: KernelParts,
  { shape, moved }: Ranking,
): Own {
  const first = code.let("first", mul(group, itemsIn(shape)));
  const team = code.let("team", binary("div", lane, shape.lanes));
  const bit = code.let("bit", and(lane, shape.lanes - 1));
  const count = code.let("count", binary("min", sub(context.n, first), itemsIn(shape)));
  const place = code.let("place", add(mul(team, shape.rounds * shape.lanes), bit));
  const wordsOf = ({ value }: ScatterNode): number => wordCount(context.checked.types[value] as Scalar);
  const areHeld = moved.reduce((sum, sink) => sum + wordsOf(sink), 0) <= mostHeld(shape);
  const heldOf = (sink: ScatterNode): ArrayRef[] =>
    Array.from({ length: wordsOf(sink) }, () => code.array(`${sink.name}_held`, "u32", shape.rounds));
  return {
    start: code.let("start", add(first, place)),
    count,
    team,
    bit,
    place,
    found: code.array("found", "u32", shape.rounds),
    held: new Map(areHeld ? moved.map((sink) => [sink, heldOf(sink)]) : []),
  };
}

/** The place in the tile of a work-item's item of a round. */
export const placeAt = ({ lanes }: RankShape, { place }: Own, round: Expr): Expr =>
  add(place, mul(round, lanes));

/** Calls back for each round; unrolled if teams are subgroups, so that values stay in registers. */
export const eachRound = (
  code: Code,
  { rounds, ballots }: RankShape,
  body: (code: Code, round: Expr) => void,
): void => repeat(code, { unrolled: ballots, hint: "round", from: u32(0), below: u32(rounds), body });

/** Calls back for each round of a work-item, if it has an item. */
export const eachItem = (
  code: Code,
  shape: RankShape,
  own: Own,
  body: (code: Code, round: Expr, item: Expr) => void,
): void =>
  code.for("round", 0, shape.rounds, (inner, round) => {
    const item = indexSum(own.start, mul(round, shape.lanes));
    inner.if(lt(placeAt(shape, own, round), own.count), (inside) => body(inside, round, item));
  });
