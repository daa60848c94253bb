/** What a tile writes: ranks for others, and items to their slots, by way of work-group memory, so that neighbours are written together. */
import type { ScatterNode } from "../../ir/document/node.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, and, binary, lt, mul, u32 } from "../kernel/make-expr.ts";
import { siteAt } from "../parts/site.ts";
import { sinkRef } from "../parts/storage.ts";
import { Values } from "../parts/values.ts";
import { fromWords, toWords, wordCount } from "../parts/words.ts";
import type { Context, KernelParts } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import type { Shape } from "./shape.ts";
import { KEY_SHIFT } from "./teams.ts";
import { eachItem, type Memory, type Own } from "./tile.ts";

/** A tile whose ranks are found. */
interface Tile {
  readonly memory: Memory;
  readonly own: Own;
}

/** How the items of a tile are exchanged. */
interface Exchange extends Tile {
  readonly code: Code;
  readonly shape: Shape;
  readonly lane: Expr;
  /** The slots of the items that this work-item writes. */
  readonly slots: ArrayRef;
}

export function writeTile(
  context: Context,
  { code, lanes: { lane } }: KernelParts,
  { node, shape, moved }: Ranking,
  tile: Tile,
): void {
  const home = context.storage.home(node.id);
  const { memory, own } = tile;
  const hasMoved = moved.length > 0;
  eachItem(code, shape, own, (body, round, item) => {
    const { key, place } = settled(body, shape, tile, round);
    const slot = body.let("slot", add(place, body.load(memory.distance, key)));
    if (home) body.store(home, item, slot);
    if (!hasMoved) return;
    body.store(memory.words, place, slot);
    body.store(own.found, round, place);
  });
  if (!hasMoved) return;
  const slots = fetched(code, shape, memory.words, lane, "slots");
  for (const sink of moved) move(context, { ...tile, code, shape, lane, slots }, sink);
}

/** The place of an item among the keys of the tile, and its key. */
function settled(
  code: Code,
  { bins, size }: Shape,
  { memory: { before, starts }, own: { team, found } }: Tile,
  round: Expr,
): { readonly key: Expr; readonly place: Expr } {
  const known = code.let("known", code.load(found, round));
  const key = code.let("key", binary("min", binary("shr", known, u32(KEY_SHIFT)), u32(bins - 1)));
  const rank = and(known, u32(2 ** KEY_SHIFT - 1));
  const earlier = add(code.load(before, add(mul(team, u32(bins)), key)), code.load(starts, key));
  return { key, place: code.let("to", and(add(earlier, rank), u32(size - 1))) };
}

/** The words at a work-item's places of the tile, when all work-items have written theirs. */
function fetched(
  code: Code,
  { rounds, workGroupSize }: Shape,
  words: ArrayRef,
  lane: Expr,
  hint: string,
): ArrayRef {
  const held = code.array(hint, "u32", rounds);
  code.barrier();
  code.for("round", u32(0), u32(rounds), (body, round) =>
    body.store(held, round, body.load(words, add(mul(round, u32(workGroupSize)), lane))),
  );
  code.barrier();
  return held;
}

/** Writes the values of a scatter, word by word. */
function move(
  context: Context,
  { code, shape, memory: { words }, lane, own, slots }: Exchange,
  sink: ScatterNode,
): void {
  const type = context.checked.types[sink.value] as Expr["type"];
  const held = Array.from({ length: wordCount(type) }, (_, word) => {
    eachItem(code, shape, own, (body, round, item) => {
      const place = body.let("to", and(body.load(own.found, round), u32(shape.size - 1)));
      const values = new Values(siteAt(context, body.let("i", item)));
      const value = body.let("value", values.get(sink.value, body));
      body.store(words, place, toWords(value)[word] as Expr);
    });
    return fetched(code, shape, words, lane, "moved");
  });
  const output = sinkRef(context.checked, sink);
  code.for("round", u32(0), u32(shape.rounds), (body, round) => {
    const place = add(mul(round, u32(shape.workGroupSize)), lane);
    body.if(lt(place, own.count), (inside) => {
      const read = held.map((array) => inside.let("word", inside.load(array, round)));
      inside.store(output, inside.load(slots, round), fromWords([type], read)[0] as Expr);
    });
  });
}
