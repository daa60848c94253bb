/** A tile of items whose ranks a work-group computes: its memory, and the values of each work-item. */
import type { ScatterNode } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, indexSum, lt, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { repeat } from "../lanes/lanes.ts";
import { wordCount } from "../parts/words.ts";
import type { Context, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { type Shape, sharedWords } from "./shape.ts";

/**
 * Words of values that a work-item keeps for each of its items from the read of the keys on: more would not stay in registers, of which rounds
 * that are written out need some.
 */
const mostHeld = ({ ballots }: Shape): number => (ballots ? 1 : 2);

/** The work-group memory of a tile. */
export interface Memory {
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

export function memoryOf({ lanes: { shared } }: KernelParts, shape: Shape): Memory {
  const words = shared.make("words", "u32", sharedWords(shape));
  const before = shape.ballots ? words : shared.make("before", "u32", shape.teams * shape.bins);
  return { words, before, distance: shared.make("distance", "u32", shape.bins) };
}

export function ownOf(
  context: Context,
  { code, lanes: { lane }, group }: KernelParts,
  { shape, moved }: Ranking,
): Own {
  const first = code.let("first", mul(group, shape.size));
  const team = code.let("team", binary("div", lane, shape.lanes));
  const bit = code.let("bit", and(lane, shape.lanes - 1));
  const count = code.let("count", binary("min", sub(context.n, first), shape.size));
  const place = code.let("place", add(mul(team, shape.rounds * shape.lanes), bit));
  const wordsOf = ({ value }: ScatterNode): number => wordCount(context.checked.types[value] as Scalar);
  const areHeld = moved.reduce((sum, sink) => sum + wordsOf(sink), 0) <= mostHeld(shape);
  const heldOf = (sink: ScatterNode): ArrayRef[] =>
    Array.from({ length: wordsOf(sink) }, () => code.array("value", "u32", shape.rounds));
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
export const placeAt = ({ lanes }: Shape, { place }: Own, round: Expr): Expr => add(place, mul(round, lanes));

/** Calls back for each round; unrolled if teams are subgroups, so that values stay in registers. */
export const eachRound = (
  code: Code,
  { rounds, ballots }: Shape,
  body: (code: Code, round: Expr) => void,
): void => repeat(code, { unrolled: ballots, hint: "round", from: u32(0), below: u32(rounds), body });

/** Calls back for each round of a work-item, if it has an item. */
export const eachItem = (
  code: Code,
  shape: Shape,
  own: Own,
  body: (code: Code, round: Expr, item: Expr) => void,
): void =>
  code.for("round", 0, shape.rounds, (inner, round) => {
    const item = indexSum(own.start, mul(round, shape.lanes));
    inner.if(lt(placeAt(shape, own, round), own.count), (inside) => body(inside, round, item));
  });
