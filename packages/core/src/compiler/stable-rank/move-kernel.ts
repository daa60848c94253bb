/** The third pass of a rank: the rank of each item, and the scatters by it. */
import type { ScatterNode } from "../../ir/document/node.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, and, binary, eq, lt, mul, sub, u32, unary } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { scanOfLanes } from "../lanes/lane-routines.ts";
import { monoidOf, product } from "../parts/monoid.ts";
import { siteAt } from "../parts/site.ts";
import { sinkRef } from "../parts/storage.ts";
import { Values } from "../parts/values.ts";
import { fromWords, toWords } from "../parts/words.ts";
import { type Context, type KernelParts, makeKernel } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { countAt, keyAt } from "./key.ts";
import { peerWords, type Shape } from "./shape.ts";

/** Where the bits of a key begin in a word that has the rank within the team too. */
const KEY_SHIFT = 16;

/** The work-group memory of a tile. */
interface Memory {
  /** Bits of the lanes that have a key, for each bin of each team, for two rounds by turns; later a word of each item. */
  readonly peers: ArrayRef<"work-group">;
  /** Items of each bin of each team in the rounds so far; later those of earlier teams. */
  readonly before: ArrayRef<"work-group">;
  /** Where each bin begins in the tile. */
  readonly starts: ArrayRef<"work-group">;
  /** The distance from a place in the tile to the rank, modulo 2^32. */
  readonly distance: ArrayRef<"work-group">;
}

/** What a work-item knows of its items. */
interface Own {
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

export function moveKernel(context: Context, ranking: Ranking): Kernel {
  const { shape, moved } = ranking;
  const { workGroupSize, tiles, size } = shape;
  const written = moved.map(({ name }) => name);
  const doc = [
    `Ranks of a tile of ${size} items${written.length > 0 ? `; its items go to ${written.join(", ")}` : ""}.`,
  ];
  const frame = { hint: "rank", doc, workGroupSize, groups: tiles };
  return makeKernel(context, frame, (parts) => {
    const { code, lanes, group } = parts;
    const { lane, shared } = lanes;
    const memory: Memory = {
      peers: shared.make("peers", "u32", peerWords(shape)),
      before: shared.make("before", "u32", shape.teams * shape.bins),
      starts: shared.make("starts", "u32", shape.bins),
      distance: shared.make("distance", "u32", shape.bins),
    };
    const first = code.let("first", mul(group, u32(size)));
    const own: Own = {
      first,
      count: code.let("count", binary("min", sub(context.n, first), u32(size))),
      team: code.let("team", binary("div", lane, u32(shape.lanes))),
      bit: code.let("bit", and(lane, u32(shape.lanes - 1))),
      found: code.array("found", "u32", shape.rounds),
    };
    rankInTeams(context, parts, ranking, memory, own);
    addUp(context, parts, ranking, memory);
    code.barrier();
    write(context, parts, ranking, memory, own);
  });
}

/** The place in the tile of a work-item's item of a round. */
const placeOf = ({ rounds, lanes }: Shape, { team, bit }: Own, round: Expr): Expr =>
  add(mul(add(mul(team, u32(rounds)), round), u32(lanes)), bit);

/** Calls back for each round of a work-item, where it has an item. */
function eachItem(
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

/** Round by round, the lanes of a team that have the same key tell one another by bits of a word. */
function rankInTeams(
  context: Context,
  { code, lanes: { lane } }: KernelParts,
  { node, shape }: Ranking,
  { peers, before }: Memory,
  own: Own,
): void {
  const { teams, bins, workGroupSize } = shape;
  const cells = teams * bins;
  code.for("cell", lane, u32(2 * cells), (body, cell) => body.store(peers, cell, u32(0)), workGroupSize);
  code.for("cell", lane, u32(cells), (body, cell) => body.store(before, cell, u32(0)), workGroupSize);
  code.barrier();
  const base = code.let("base", mul(own.team, u32(bins)));
  code.comment("ranks among the equal keys of a team: of earlier rounds, then of earlier lanes");
  code.for("round", u32(0), u32(shape.rounds), (body, round) => {
    const place = body.let("place", placeOf(shape, own, round));
    const side = body.let("side", mul(and(round, u32(1)), u32(cells)));
    const isItem = body.let("is_item", lt(place, own.count));
    const key = body.var("key", u32(0));
    body.if(isItem, (inside) => {
      const known = keyAt(context, node, inside, add(own.first, place));
      inside.assign(key, known);
      inside.atomic("or", peers, add(add(side, base), known), binary("shl", u32(1), own.bit));
    });
    const cell = body.let("cell", add(base, binary("min", key, u32(bins - 1))));
    body.barrier();
    const same = body.let("same", body.load(peers, add(side, cell)));
    const earlier = body.let("earlier", body.load(before, cell));
    body.barrier();
    body.if(isItem, (inside) => {
      const lower = and(same, sub(binary("shl", u32(1), own.bit), u32(1)));
      const rank = inside.let("rank", add(earlier, unary("popcount", lower)));
      inside.store(own.found, round, binary("or", binary("shl", key, u32(KEY_SHIFT)), rank));
      inside.if(eq(binary("shr", same, own.bit), u32(1)), (last) => {
        last.store(before, cell, add(rank, u32(1)));
        last.store(peers, add(side, cell), u32(0));
      });
    });
  });
  code.barrier();
}

/** Counts of teams become those of earlier teams; where bins begin in the tile, and how far that is from the rank. */
function addUp(
  context: Context,
  { code, lanes, group }: KernelParts,
  { shape, counts, totals }: Ranking,
  { before, starts, distance }: Memory,
): void {
  const { teams, bins, workGroupSize } = shape;
  const perLane = Math.ceil(bins / workGroupSize);
  const own = (k: Expr): Expr => add(mul(lanes.lane, u32(perLane)), k);
  const eachBin = (body: (code: Code, bin: Expr, k: Expr) => void): void =>
    code.for("k", u32(0), u32(perLane), (inner, k) => {
      const bin = inner.let("bin", own(k));
      inner.if(lt(bin, u32(bins)), (inside) => body(inside, bin, k));
    });
  code.comment("bins: items of the tile, and of all tiles");
  const inTile = code.var("in_tile", u32(0));
  const inAll = code.var("in_all", u32(0));
  eachBin((body, bin) => {
    const sum = body.var("sum", u32(0));
    body.for("team", u32(0), u32(teams), (inner, team) => {
      const cell = inner.let("cell", add(mul(team, u32(bins)), bin));
      const count = inner.let("count", inner.load(before, cell));
      inner.store(before, cell, sum);
      inner.assign(sum, add(sum, count));
    });
    body.store(starts, bin, sum);
    body.assign(inTile, add(inTile, sum));
    body.assign(inAll, add(inAll, body.load(totals, bin)));
  });
  const sum = monoidOf("add", "u32");
  const both = product([sum, sum]);
  const { exclusive } = scanOfLanes(code, lanes, both, [inTile, inAll], {
    values: both.identity,
    present: undefined,
  });
  const start = code.var("start", exclusive.values[0] as Expr);
  const smaller = code.var("smaller", exclusive.values[1] as Expr);
  eachBin((body, bin) => {
    const count = body.let("count", body.load(starts, bin));
    const upToTile = body.load(counts, countAt(context, shape, bin, group));
    body.store(starts, bin, start);
    body.store(distance, bin, sub(sub(add(smaller, upToTile), count), start));
    body.assign(start, add(start, count));
    body.assign(smaller, add(smaller, body.load(totals, bin)));
  });
}

/** The place of an item in the tile by keys, and its key. */
function settled(
  code: Code,
  { bins, size }: Shape,
  { before, starts }: Memory,
  { team, found }: Own,
  round: Expr,
): { readonly key: Expr; readonly place: Expr } {
  const own = code.let("own", code.load(found, round));
  const key = code.let("key", binary("min", binary("shr", own, u32(KEY_SHIFT)), u32(bins - 1)));
  const rank = and(own, u32(2 ** KEY_SHIFT - 1));
  const earlier = add(code.load(before, add(mul(team, u32(bins)), key)), code.load(starts, key));
  return { key, place: code.let("to", and(add(earlier, rank), u32(size - 1))) };
}

/** Ranks to the array that others read, and items to their slots: by way of work-group memory, so that neighbours go together. */
function write(
  context: Context,
  { code, lanes: { lane } }: KernelParts,
  { node, shape, moved }: Ranking,
  memory: Memory,
  own: Own,
): void {
  const home = context.storage.home(node.id);
  const { peers, distance } = memory;
  const hasMoved = moved.length > 0;
  eachItem(code, shape, own, (body, round, item) => {
    const { key, place } = settled(body, shape, memory, own, round);
    const slot = body.let("slot", add(place, body.load(distance, key)));
    if (home) body.store(home, item, slot);
    if (!hasMoved) return;
    body.store(peers, place, slot);
    body.store(own.found, round, place);
  });
  if (!hasMoved) return;
  const slots = fetched(code, shape, peers, lane, "slots");
  for (const sink of moved) move(context, { code, shape, peers, lane, own, slots }, sink);
}

/** How the items of a tile are exchanged. */
interface Exchange {
  readonly code: Code;
  readonly shape: Shape;
  readonly peers: ArrayRef<"work-group">;
  readonly lane: Expr;
  readonly own: Own;
  /** The slots of the items that this work-item writes. */
  readonly slots: ArrayRef;
}

/** The words at a work-item's places of the tile, when all work-items have written theirs. */
function fetched(
  code: Code,
  { rounds, workGroupSize }: Shape,
  peers: ArrayRef,
  lane: Expr,
  hint: string,
): ArrayRef {
  const held = code.array(hint, "u32", rounds);
  code.barrier();
  code.for("round", u32(0), u32(rounds), (body, round) => {
    body.store(held, round, body.load(peers, add(mul(round, u32(workGroupSize)), lane)));
  });
  code.barrier();
  return held;
}

/** Writes the values of a scatter, word by word. */
function move(context: Context, { code, shape, peers, lane, own, slots }: Exchange, sink: ScatterNode): void {
  const type = context.checked.types[sink.value] as Expr["type"];
  const words: ArrayRef[] = [];
  const valueAt = (inner: Code, item: Expr): VarExpr =>
    inner.let("value", new Values(siteAt(context, item)).get(sink.value, inner));
  const count = toWords({ kind: "var", name: "", type }).length;
  for (let word = 0; word < count; word++) {
    eachItem(code, shape, own, (body, round, item) => {
      const place = body.let("to", and(body.load(own.found, round), u32(shape.size - 1)));
      body.store(peers, place, toWords(valueAt(body, body.let("i", item)))[word] as Expr);
    });
    words.push(fetched(code, shape, peers, lane, "moved"));
  }
  const output = sinkRef(context.checked, sink);
  code.for("round", u32(0), u32(shape.rounds), (body, round) => {
    const place = add(mul(round, u32(shape.workGroupSize)), lane);
    body.if(lt(place, own.count), (inside) => {
      const read = words.map((array) => inside.let("word", inside.load(array, round)));
      inside.store(output, inside.load(slots, round), fromWords([type], read)[0] as Expr);
    });
  });
}
