/** What a tile writes: ranks for others, and items to their slots, through work-group memory, so that neighbours are written together. */
import type { ScatterNode } from "@groupwise/ir/document/node.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, lt, mul } from "@groupwise/kernel/language/make-expr.js";
import { sinkRef } from "../parts/storage.ts";
import { fromWords, wordCount } from "../parts/words.ts";
import type { GroupContext, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import {
  binsOf,
  type CarriedValue,
  eachItem,
  keyFrom,
  type Own,
  type RankMemory,
  type RankShape,
  valuesAt,
  wordsOf,
} from "./tile.ts";

/** A tile with computed ranks. */
interface Tile {
  readonly memory: RankMemory;
  readonly own: Own;
}

/** The memory and places by which items of a tile change lanes. */
interface Reorder extends Tile {
  readonly code: Code;
  readonly shape: RankShape;
  readonly lane: Expr;
}

export function writeTile(
  context: GroupContext,
  { code, lanes: { lane } }: KernelParts,
  { node, shape, moved, source }: Ranking,
  tile: Tile,
): void {
  const home = context.storage.home(node.id);
  const { memory, own } = tile;
  const { words, distance } = memory;
  const slots = code.array("slots", "u32", shape.rounds);
  eachItem(code, shape, own, (body, round, item) => {
    const key = own.keyOf(body, round);
    const first = body.load(words, add(mul(own.team, binsOf(shape)), key));
    const place = body.let("to", add(first, body.load(own.found, round)));
    if (home || source === undefined) {
      const slot = body.let("slot", add(place, body.load(distance, key)));
      if (home) body.store(home, item, slot);
      body.store(slots, round, slot);
    }
    body.store(own.found, round, place);
  });
  if (moved.length === 0) return;
  const reorder = { ...tile, code, shape, lane };
  code.barrier();
  const write = (body: Code, sink: ScatterNode, round: Expr, value: Expr): void =>
    body.store(sinkRef(context.checked, sink), body.load(slots, round), value, true);
  if (source === undefined) {
    exchange(reorder, (body, round) => body.load(slots, round));
    eachPlace(reorder, (body, round, place) => body.store(slots, round, body.load(words, place)));
  }
  for (const [i, one] of own.carried.entries()) {
    if (i > 0 || source === undefined) code.barrier();
    const value = exchanged(context, reorder, one);
    eachPlace(reorder, (body, round, place) => {
      const item = value(body, round, place);
      if (one.of !== source) {
        for (const sink of moved) if (sink.value === one.of) write(body, sink, round, item);
        return;
      }
      const { key, values } = keyFrom(context, { node, source }, place, item, body);
      body.store(slots, round, add(place, body.load(distance, key)));
      for (const sink of following(moved, own.carried))
        write(body, sink, round, values.get(sink.value, body));
    });
  }
}

/** The scatters whose values follow from that of the source. */
const following = (moved: readonly ScatterNode[], carried: readonly CarriedValue[]): readonly ScatterNode[] =>
  moved.filter(({ value }) => carried.slice(1).every(({ of }) => of !== value));

/** Calls back for each place of the tile that a work-item writes. */
const eachPlace = (
  { code, shape, lane, own }: Reorder,
  body: (code: Code, round: Expr, place: Expr) => void,
): void =>
  code.for("round", 0, shape.rounds, (inner, round) => {
    const place = inner.let("place", add(mul(round, shape.workGroupSize), lane));
    inner.if(lt(place, own.count), (inside) => body(inside, round, place));
  });

/** All work-items store words for their items; afterwards each is at its item's place in the tile. */
function exchange(
  { code, shape, memory: { words }, own }: Reorder,
  given: (code: Code, round: Expr, item: Expr) => Expr,
): void {
  eachItem(code, shape, own, (body, round, item) => {
    const word = given(body, round, item);
    body.store(words, and(body.load(own.found, round), shape.size - 1), word);
  });
  code.barrier();
}

/** The value at a work-item's place of each round, after its words have changed lanes one after the other. */
function exchanged(
  context: GroupContext,
  reorder: Reorder,
  { of, held }: CarriedValue,
): (code: Code, round: Expr, place: Expr) => Expr {
  const { code, shape, memory } = reorder;
  const type = context.checked.types[of] as Scalar;
  const earlier = Array.from({ length: wordCount(type) - 1 }, () => code.array("low", "u32", shape.rounds));
  for (let word = 0; word <= earlier.length; word++) {
    exchange(reorder, (body, round, item) =>
      held
        ? body.load(held[word] as ArrayRef, round)
        : (wordsOf(of, valuesAt(context, item), body)[word] as Expr),
    );
    const low = earlier[word];
    if (!low) break;
    eachPlace(reorder, (body, round, place) => body.store(low, round, body.load(memory.words, place)));
    code.barrier();
  }
  return (body, round, place) => {
    const words = [...earlier.map((array) => body.load(array, round)), body.load(memory.words, place)];
    return fromWords(
      [type],
      words.map((word) => body.let("word", word)),
    )[0] as Expr;
  };
}
