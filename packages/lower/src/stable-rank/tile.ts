/** The division of the items among work-groups that compute ranks. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { NodeId, RankNode } from "@groupwise/ir/document/node.js";
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
import { fromWords, toWords, wordCount } from "../parts/words.ts";
import type { GroupContext, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";

/** Lanes whose keys are compared at once: the bits of a word. */
const MOST_LANES = 32;
/** Items of each work-item in a tile: with 256 bins and 256 work-items, a bin then has 16 items of a tile on average, which are written together. */
const ROUNDS = 16;
/** With ballots, counts take so little memory that more work-groups run at once with shorter tiles. */
const ROUNDS_OF_BALLOTS = 8;
const WORD_BYTES = 4;

/** The tiles of a rank. All sizes are powers of two. */
export interface RankShape {
  readonly workGroupSize: number;
  /** Lanes that compare their keys; the work-group is divided into teams of so many. */
  readonly lanes: number;
  readonly teams: number;
  /** True if a team is a subgroup, whose lanes compare bits of their keys by ballots. */
  readonly ballots: boolean;
  /** Whether rounds are written out, so that their values stay in registers. */
  readonly unrolled: boolean;
  /** Items of a work-item, each in one round: in a round, the lanes of a team have consecutive items. */
  readonly rounds: number;
  /** Items of a work-group. */
  readonly size: number;
  readonly bins: number;
  /** The number of tiles. */
  readonly tiles: Formula;
  /** The number of strips: consecutive tiles that one work-group counts, so that few prefixes are left for the second pass. The last ones may be empty. */
  readonly strips: Formula;
  readonly tilesOfStrip: Formula;
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

/** Strips for each work-item of the second pass. With work-groups of 256 there are enough strips to fill any current GPU. */
export const STRIPS_OF_LANE = 4;

function shaped({ capabilities }: GroupContext, workGroupSize: number, bins: number): RankShape {
  const width = ballotWidth(capabilities);
  const ballots = width > 1 && width <= workGroupSize && hasSiblings(workGroupSize, capabilities.leastGroup);
  const unrolled = !("unsupported" in capabilities.subgroups);
  const lanes = ballots ? width : Math.min(MOST_LANES, workGroupSize);
  const rounds = ballots ? ROUNDS_OF_BALLOTS : ROUNDS;
  const items = workGroupSize * rounds;
  const tiles = formula("ceil-div", "n", items);
  const most = STRIPS_OF_LANE * workGroupSize;
  const strips = formula("min", tiles, most);
  const tilesOfStrip = formula("max", formula("ceil-div", tiles, most), 1);
  return {
    ...{ workGroupSize, lanes, teams: workGroupSize / lanes, ballots, unrolled },
    ...{ rounds, size: items, bins, tiles, strips, tilesOfStrip },
  };
}

/** The size of all subgroups; 0 if ballots are not faster, or if the size varies or exceeds the bits of a word. */
function ballotWidth({ subgroups }: GroupContext["capabilities"]): number {
  if ("unsupported" in subgroups || !subgroups.ballots || !subgroups.ranksByBallots) return 0;
  const { minSize, maxSize } = subgroups;
  return minSize === maxSize && maxSize <= MOST_LANES ? maxSize : 0;
}

/** Words of the counts of a tile: of each bin of each team, and without ballots the lanes that have a key, for two rounds by turns. */
const countWords = ({ teams, bins, ballots }: RankShape): number => (ballots ? 1 : 3) * teams * bins;
/** Words of the memory for these, through which items change lanes later. */
const sharedWords = (shape: RankShape): number => Math.max(countWords(shape), shape.size);

/** These words, one word for each bin, and the words by which the lanes add up the counts. */
const scratchWords = (shape: RankShape): number => sharedWords(shape) + shape.bins + 4 * shape.workGroupSize;

/*
 * Keys and values of items, and indexes of counts.
 */

/** The values of an item. */
export const valuesAt = (context: GroupContext, item: Expr): SiteValues =>
  new SiteValues(siteAt(context, item));

/** The key of an item, a name that is known to be below the number of bins. */
export const keyOf = ({ of, bins }: RankNode, values: SiteValues, code: Code): Expr =>
  code.let("key", binary("min", values.get(of, code), bins - 1));

/** The words of a value. */
export const wordsOf = (of: NodeId, values: SiteValues, code: Code): readonly Expr[] =>
  toWords(code.let("value", values.get(of, code)));

/** The index of the count of a bin in a tile or a strip: the bins of each are neighbours. */
export const countAt = (shape: RankShape, of: Expr, bin: Expr): Expr => add(mul(of, binsOf(shape)), bin);

/*
 * Ranks among the equal keys of a team of lanes: of earlier rounds, then of earlier lanes.
 */

/** Finds the ranks; afterwards the memory begins with the number of items of each bin of each team. */
export function rankInTeams(
  context: GroupContext,
  parts: KernelParts,
  { node, shape }: Ranking,
  { words }: RankMemory,
  own: Own,
): void {
  const { code, lanes } = parts;
  const { bins } = shape;
  eachItem(code, shape, own, (body, round, item) => {
    const values = valuesAt(context, item);
    own.keep(body, round, () => keyOf(node, values, body));
    for (const { held, of } of own.carried)
      if (held)
        for (const [k, word] of wordsOf(of, values, body).entries())
          body.store(held[k] as ArrayRef, round, word);
  });
  // After the reads of keys, which take longer.
  code.for(
    "cell",
    lanes.lane,
    countWords(shape),
    (body, cell) => body.store(words, cell, 0),
    lanes.size as number,
  );
  code.barrier();
  const base = code.let("base", mul(own.team, binsOf({ bins })));
  code.comment(
    "ranks among the equal keys of a team of lanes: items of earlier rounds, then of earlier lanes",
  );
  repeat(code, {
    ...{ unrolled: shape.unrolled, hint: "round", from: u32(0), below: u32(shape.rounds) },
    body: (body, round) => {
      const isItem = body.let("is_item", lt(placeAt(shape, own, round), own.count));
      const key = own.keyOf(body, round);
      const given = { code: body, round, isItem, key, cell: body.let("cell", add(base, key)) };
      body.store(own.found, round, (shape.ballots ? byBallots : byBits)(given, shape, words, own));
    },
  });
  code.barrier();
}

/** The lanes of a round. */
interface Round {
  readonly code: Code;
  readonly round: Expr;
  readonly isItem: Expr;
  readonly key: Expr;
  /** The index of the counts of the key in the team. */
  readonly cell: Expr;
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
  words: RankMemory["words"],
  own: Own,
): Expr {
  const title = "rank_in_subgroup";
  const doc = "The number of earlier items of the subgroup with the same key.";
  const given = { key: [key], cell: [cell], bit: [own.bit], is_item: [isItem] };
  const { rank } = code.routine({ title, doc }, given, (args) => {
    const [value, at, bit, isPresent] = firstOf(args, ["key", "cell", "bit", "is_item"]);
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
        one.atomicAdd("count", words, binary("min", at, teams * bins - 1), unary("popcount", same)),
      ),
    );
    const earlier = code.intrinsic("shuffle", "earlier", [taken, last]);
    return { rank: [add(earlier, lower(same, bit))] };
  });
  return rank[0] as Expr;
}

/** The lanes of a team set bits of a word for each key. The last lane with a key counts them, and clears the word for the next round but one. */
function byBits(
  { code, round, isItem, cell }: Round,
  { teams, bins }: RankShape,
  words: RankMemory["words"],
  own: Own,
): Expr {
  const size = teams * bins;
  const title = "rank_in_team";
  const doc = "The number of earlier items of the team of lanes with the same key.";
  const given = {
    cell: [cell],
    side: [add(mul(and(round, 1), size), size)],
    bit: [own.bit],
    is_item: [isItem],
  };
  const { rank } = code.routine({ title, doc }, given, (args) => {
    const [inTeam, side, bit, isPresent] = firstOf(args, ["cell", "side", "bit", "is_item"]);
    const count = code.let("count_at", binary("min", inTeam, size - 1));
    const at = code.let("at", add(binary("min", side, 2 * size), count));
    code.atomic("or", words, at, select(isPresent, binary("shl", 1, bit), 0));
    code.barrier();
    const same = code.let("same", code.load(words, at));
    const earlier = code.let("earlier", code.load(words, count));
    code.barrier();
    const rank = code.let("rank", add(earlier, lower(same, bit)));
    code.if(and(isPresent, eq(binary("shr", same, bit), 1)), (last) => {
      last.store(words, count, add(rank, 1));
      last.store(words, at, 0);
    });
    return { rank: [rank] };
  });
  return rank[0] as Expr;
}

/** The first values of arguments. */
const firstOf = <Name extends string>(
  args: Readonly<Record<Name, readonly Expr[]>>,
  names: readonly [Name, Name, Name, Name],
): [Expr, Expr, Expr, Expr] => names.map((name) => args[name][0] as Expr) as [Expr, Expr, Expr, Expr];

/*
 * A tile of items whose ranks a work-group computes: its memory, and the values of each work-item.
 */

/** Words of values that a work-item keeps for each of its items from the read of the keys on: more would not stay in registers. */
const MOST_HELD = 2;

/** The work-group memory of a tile. */
export interface RankMemory {
  /**
   * First the items of each bin of each team in the rounds so far, and bits of lanes; then the place of the first item of each bin of each team;
   * then a word of each item, by its place among the keys of the tile.
   */
  readonly words: ArrayRef<"work-group">;
  /** For each bin, the distance from a place in the tile to the rank, modulo 2^32. */
  readonly distance: ArrayRef<"work-group">;
}

/** A value that items take along when they change lanes. */
export interface CarriedValue {
  readonly of: NodeId;
  /** Its words, for each round; undefined if they are read when items change lanes. */
  readonly held: readonly ArrayRef[] | undefined;
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
  /** The key of its item of a round, below the number of bins. */
  keyOf(code: Code, round: Expr): Expr;
  /** Keeps the key, unless it follows from what is held. */
  keep(code: Code, round: Expr, key: () => Expr): void;
  /** For each round, the rank among equal keys of the team; then the place among the keys of the tile. */
  readonly found: ArrayRef;
  /** The values that items take along. */
  readonly carried: readonly CarriedValue[];
}

export const memoryOf = ({ lanes: { shared } }: KernelParts, shape: RankShape): RankMemory => ({
  words: shared.make("words", "u32", sharedWords(shape)),
  distance: shared.make("distance", "u32", shape.bins),
});

export function ownOf(
  context: GroupContext,
  { code, lanes: { lane }, group }: KernelParts,
  ranking: Ranking,
): Own {
  const { shape, carried } = ranking;
  const first = code.let("first", mul(group, itemsIn(shape)));
  const team = code.let("team", binary("div", lane, shape.lanes));
  const bit = code.let("bit", and(lane, shape.lanes - 1));
  const count = code.let("count", binary("min", sub(context.n, first), itemsIn(shape)));
  const place = code.let("place", add(mul(team, shape.rounds * shape.lanes), bit));
  const wordsIn = (of: NodeId): number => wordCount(context.checked.types[of] as Scalar);
  const areHeld = carried.reduce((sum, of) => sum + wordsIn(of), 0) <= MOST_HELD;
  const heldOf = (of: NodeId): ArrayRef[] =>
    Array.from({ length: wordsIn(of) }, () => code.array("held", "u32", shape.rounds));
  const own = {
    start: code.let("start", add(first, place)),
    ...{ count, team, bit, place },
    found: code.array("found", "u32", shape.rounds),
    carried: carried.map((of) => ({ of, held: areHeld ? heldOf(of) : undefined })),
  };
  return { ...own, ...keysOf(context, code, ranking, own) };
}

/** The keys of a work-item: what is held of their source, or words of their own. */
function keysOf(
  context: GroupContext,
  code: Code,
  { node, shape, source }: Ranking,
  { start, carried: [first] }: Pick<Own, "start" | "carried">,
): Pick<Own, "keyOf" | "keep"> {
  if (source !== undefined && first?.held) {
    const { held } = first;
    return {
      keyOf: (body, round) => {
        const words = held.map((array) => body.let("word", body.load(array, round)));
        const [value] = fromWords([context.checked.types[source] as Scalar], words);
        return keyFrom(context, { node, source }, start, value as Expr, body).key;
      },
      keep: () => {},
    };
  }
  const keys = code.array("keys", "u32", shape.rounds);
  return {
    keyOf: (body, round) => body.let("key", binary("min", body.load(keys, round), shape.bins - 1)),
    keep: (body, round, key) => body.store(keys, round, key()),
  };
}

/** The key of an item, and the values that follow from the source, whose value is given. */
export function keyFrom(
  context: GroupContext,
  { node, source }: Pick<Ranking, "node"> & { readonly source: NodeId },
  item: Expr,
  value: Expr,
  code: Code,
): { readonly key: Expr; readonly values: SiteValues } {
  const values = valuesAt(context, item);
  values.set(source, code.let("moved", value));
  return { key: keyOf(node, values, code), values };
}

/** The place in the tile of a work-item's item of a round. */
const placeAt = ({ lanes }: RankShape, { place }: Own, round: Expr): Expr => add(place, mul(round, lanes));

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
