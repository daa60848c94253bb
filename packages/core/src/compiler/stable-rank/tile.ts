/** A tile of items whose ranks a work-group finds: its memory, and what each work-item knows. */
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, lt, mul, sub, u32 } from "../kernel/make-expr.ts";
import type { Context, KernelParts } from "../work-groups/context.ts";
import { type Shape, sharedWords } from "./shape.ts";

/** The work-group memory of a tile. */
export interface Memory {
  /** A word of each item by its place among the keys of the tile; before that, bits of lanes. */
  readonly words: ArrayRef<"work-group">;
  /** Items of each bin of each team in the rounds so far; later those of earlier teams. */
  readonly before: ArrayRef<"work-group">;
  /** Where each bin begins in the tile. */
  readonly starts: ArrayRef<"work-group">;
  /** The distance from a place in the tile to the rank, modulo 2^32. */
  readonly distance: ArrayRef<"work-group">;
}

/** What a work-item knows of its items. */
export interface Own {
  /** The first item of the tile. */
  readonly first: Expr;
  /** Items of the tile. */
  readonly count: Expr;
  readonly team: Expr;
  /** The lane in its team. */
  readonly bit: Expr;
  /** For each round, the key and the rank among equal keys of the team. */
  readonly found: ArrayRef;
}

export const memoryOf = ({ lanes: { shared } }: KernelParts, shape: Shape): Memory => ({
  words: shared.make("words", "u32", sharedWords(shape)),
  before: shared.make("before", "u32", shape.teams * shape.bins),
  starts: shared.make("starts", "u32", shape.bins),
  distance: shared.make("distance", "u32", shape.bins),
});

export function ownOf(context: Context, { code, lanes: { lane }, group }: KernelParts, shape: Shape): Own {
  const first = code.let("first", mul(group, u32(shape.size)));
  return {
    first,
    count: code.let("count", binary("min", sub(context.n, first), u32(shape.size))),
    team: code.let("team", binary("div", lane, u32(shape.lanes))),
    bit: code.let("bit", and(lane, u32(shape.lanes - 1))),
    found: code.array("found", "u32", shape.rounds),
  };
}

/** The place in the tile of a work-item's item of a round. */
export const placeOf = ({ rounds, lanes }: Shape, { team, bit }: Own, round: Expr): Expr =>
  add(mul(add(mul(team, u32(rounds)), round), u32(lanes)), bit);

/** Calls back for each round of a work-item, where it has an item. */
export function eachItem(
  code: Code,
  shape: Shape,
  own: Own,
  body: (code: Code, round: Expr, item: Expr) => void,
): void {
  code.for("round", u32(0), u32(shape.rounds), (inner, round) => {
    const place = inner.let("place", placeOf(shape, own, round));
    inner.if(lt(place, own.count), (inside) => body(inside, round, add(own.first, place)));
  });
}
