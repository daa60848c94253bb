/** What a tile writes: ranks for others, and items to their slots, through work-group memory, so that neighbours are written together. */
import type { ScatterNode } from "@groupwise/ir/document/node.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, lt, mul } from "@groupwise/kernel/language/make-expr.js";
import { sinkRef } from "../parts/storage.ts";
import { fromWords, wordCount } from "../parts/words.ts";
import type { GroupContext, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import {
  binsOf,
  eachItem,
  KEY_SHIFT,
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
  { node, shape, moved }: Ranking,
  tile: Tile,
): void {
  const home = context.storage.home(node.id);
  const { memory, own } = tile;
  const { before, distance } = memory;
  const held = code.array("slots", "u32", shape.rounds);
  eachItem(code, shape, own, (body, round, item) => {
    const known = body.let("known", body.load(own.found, round));
    const key = body.let("key", binary("min", binary("shr", known, KEY_SHIFT), shape.bins - 1));
    const rank = and(known, 2 ** KEY_SHIFT - 1);
    const place = body.let("to", add(body.load(before, add(mul(own.team, binsOf(shape)), key)), rank));
    const slot = body.let("slot", add(place, body.load(distance, key)));
    if (home) body.store(home, item, slot);
    if (moved.length === 0) return;
    body.store(own.found, round, place);
    body.store(held, round, slot);
  });
  if (moved.length === 0) return;
  const reorder = { ...tile, code, shape, lane };
  code.barrier();
  const slots = reordered(reorder, "slots_moved", (body, round) => body.load(held, round));
  for (const sink of moved) move(context, reorder, sink, slots);
}

/** The words at a work-item's places of the tile, among those that all work-items store for their items. */
function reordered(
  { code, shape, memory: { words }, lane, own }: Reorder,
  hint: string,
  given: (code: Code, round: Expr, item: Expr) => Expr,
): ArrayRef {
  const { rounds, workGroupSize, size } = shape;
  eachItem(code, shape, own, (body, round, item) => {
    const word = given(body, round, item);
    body.store(words, and(body.load(own.found, round), size - 1), word);
  });
  const held = code.array(hint, "u32", rounds);
  code.barrier();
  code.for("round", 0, rounds, (body, round) =>
    body.store(held, round, body.load(words, add(mul(round, workGroupSize), lane))),
  );
  code.barrier();
  return held;
}

/** Writes the values of a scatter, word by word. */
function move(context: GroupContext, reorder: Reorder, sink: ScatterNode, slots: ArrayRef): void {
  const { code, shape, lane, own } = reorder;
  const type = context.checked.types[sink.value] as Expr["type"];
  const values = own.held.get(sink);
  const held = Array.from({ length: wordCount(type) }, (_, word) =>
    reordered(reorder, `${sink.name}_moved`, (body, round, item) =>
      values
        ? body.load(values[word] as ArrayRef, round)
        : (wordsOf(sink, valuesAt(context, item), body)[word] as Expr),
    ),
  );
  const output = sinkRef(context.checked, sink);
  code.for("round", 0, shape.rounds, (body, round) => {
    const place = add(mul(round, shape.workGroupSize), lane);
    body.if(lt(place, own.count), (inside) => {
      const read = held.map((array) => inside.let("word", inside.load(array, round)));
      inside.store(output, inside.load(slots, round), fromWords([type], read)[0] as Expr, true);
    });
  });
}
