/**
 * The passes of a stable rank. The first counts the keys of each tile, the second adds up the counts of each bin from tile to tile, and
 * the third finds the rank of each item: items of smaller keys, earlier tiles, earlier teams of lanes, earlier rounds, earlier lanes.
 * No work-group waits for another one. Source: M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors" (1991).
 */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { addTo } from "@groupwise/ir/base/lists.js";
import { isRank } from "@groupwise/ir/document/collectives.js";
import type { NodeId, RankNode, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, binary, eq, lt, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { repeat } from "../lanes/lanes.ts";
import { scanOfLanes } from "../lanes/routines.ts";
import { factsOf } from "../parts/facts.ts";
import { monoidOf, product } from "../parts/monoid.ts";
import { type Schedule, waits } from "../parts/stages.ts";
import { isPermuted } from "../ranks/permuted.ts";
import { type GroupContext, type KernelParts, makeKernel, toExpr } from "../work-groups/context.ts";
import { carriedOf } from "./source.ts";
import {
  binsOf,
  countAt,
  itemsIn,
  keyOf,
  memoryOf,
  ownOf,
  type RankMemory,
  type RankShape,
  rankInTeams,
  STRIPS_OF_LANE,
  shapeOf,
  valuesAt,
} from "./tile.ts";
import { writeTile } from "./write.ts";

/** A rank, and the arrays between its passes. */
export interface Ranking extends Ranked {
  readonly shape: RankShape;
  /** For each tile and bin, the keys of earlier tiles of its strip. */
  readonly counts: ArrayRef;
  /** For each strip and bin, its keys; after the second pass, those of earlier strips. */
  readonly strips: ArrayRef;
  /** For each bin, the number of all keys. */
  readonly totals: ArrayRef;
  /** The value that the key follows from, if items take it along in place of their slots. */
  readonly source: NodeId | undefined;
  /** The values that items take along: the source, and those of scatters that do not follow from it. */
  readonly carried: readonly NodeId[];
}

export function* rankKernels(context: GroupContext, ranked: Ranked): Generator<Kernel> {
  const shape = shapeOf(context, ranked.node.bins);
  const scratch = (name: string, rows: Formula): ArrayRef =>
    context.storage.scratch(name, "u32", rows === 1 ? shape.bins : formula("mul", rows, shape.bins));
  const ranking: Ranking = {
    ...{ ...ranked, shape, ...carriedOf(context, ranked) },
    counts: scratch("rank_counts", shape.tiles),
    strips: scratch("rank_strips", shape.strips),
    totals: scratch("rank_totals", 1),
  };
  yield countKernel(context, ranking);
  yield prefixKernel(context, ranking);
  yield moveKernel(context, ranking);
}

/*
 * The first pass of a rank: the number of keys in each bin, of the earlier tiles of a strip for each tile, and of each strip.
 */

/** Neighbouring work-items count in different copies: equal keys, as in skewed data, collide less. A power of two. */
const COPIES = 4;
/** Keys that a work-item reads before it counts them. */
const AT_ONCE = 8;

/** Calls back for each bin of a work-item, with the number of those before. */
const eachBin = (
  { code, lanes: { lane } }: Pick<KernelParts, "code" | "lanes">,
  { bins, workGroupSize }: RankShape,
  body: (code: Code, bin: Expr, k: Expr) => void,
): void =>
  code.for("k", 0, Math.ceil(bins / workGroupSize), (inner, k) => {
    const bin = inner.let("bin", add(mul(k, workGroupSize), lane));
    inner.if(lt(bin, binsOf({ bins })), (inside) => body(inside, bin, k));
  });

function countKernel(context: GroupContext, ranking: Ranking): Kernel {
  const { shape, counts, strips } = ranking;
  const { workGroupSize, size, bins, tilesOfStrip } = shape;
  const doc = [
    `The keys of strips of tiles, ${size} items each, counted for each of ${bins} bins: before each tile of a strip, and of all of them.`,
  ];
  const frame = { hint: "rank_count", doc, workGroupSize, groups: shape.strips, tile: itemsIn(shape) };
  return makeKernel(context, frame, (parts) => {
    const { code, lanes, group } = parts;
    const cells = lanes.shared.make("bin_counts", "u32", COPIES * bins);
    const sums = code.array("sums", "u32", Math.ceil(bins / workGroupSize));
    const tiles = code.let("tiles", toExpr(context, shape.tiles, itemsIn(shape)));
    const length = code.let("strip", toExpr(context, tilesOfStrip, itemsIn(shape)));
    const first = code.let("first", binary("min", mul(group, length), tiles));
    const below = code.let("below", add(first, binary("min", length, sub(tiles, first))));
    code.for("tile", first, below, (body, tile) => {
      body.for(
        "cell",
        lanes.lane,
        COPIES * bins,
        (inner, cell) => inner.store(cells, cell, 0),
        workGroupSize,
      );
      body.barrier();
      countTile(context, ranking, { code: body, lanes, group: tile }, cells);
      body.barrier();
      eachBin({ code: body, lanes }, shape, (inside, bin, k) => {
        const sum = inside.var("sum", inside.load(sums, k));
        inside.store(counts, countAt(shape, tile, bin), sum);
        inside.for("copy", 0, COPIES, (one, copy) =>
          one.assign(sum, add(sum, one.load(cells, add(mul(bin, COPIES), copy)))),
        );
        inside.store(sums, k, sum);
      });
      body.barrier();
    });
    eachBin(parts, shape, (inside, bin, k) =>
      inside.store(strips, countAt(shape, group, bin), inside.load(sums, k)),
    );
  });
}

/** Counts the keys of a tile. */
function countTile(
  context: GroupContext,
  { node, shape }: Ranking,
  { code, lanes: { lane }, group: tile }: KernelParts,
  cells: ArrayRef<"work-group">,
): void {
  const { workGroupSize, rounds } = shape;
  const copy = code.let("copy", and(lane, COPIES - 1));
  const first = code.let("first", add(mul(tile, itemsIn(shape)), lane));
  const rows = Math.max(1, rounds / AT_ONCE);
  code.for("row", 0, rows, (body, row) => {
    const start = body.let("start", add(first, mul(row, AT_ONCE * workGroupSize)));
    const keys = Array.from({ length: rounds / rows }, (_, k) => {
      const item = body.let(`i${k}`, add(start, k * workGroupSize));
      // Past the end there is no bin.
      const key = body.var(`key${k}`, binsOf(shape));
      body.if(lt(item, context.n), (inside) =>
        inside.assign(key, keyOf(node, valuesAt(context, item), inside)),
      );
      return key;
    });
    for (const [k, key] of keys.entries()) {
      const bin = body.let(`bin${k}`, key);
      body.if(lt(bin, binsOf(shape)), (one) => one.atomic("add", cells, add(mul(bin, COPIES), copy), 1));
    }
  });
}

/*
 * The second pass of a rank: a work-group for each bin adds up the counts of its strips, in place.
 */

function prefixKernel(context: GroupContext, { shape, strips, totals }: Ranking): Kernel {
  const { workGroupSize, bins } = shape;
  const doc = [
    "For each bin, the keys of each strip become those of earlier strips, in place, and their total.",
  ];
  return makeKernel(
    context,
    { hint: "rank_prefixes", doc, workGroupSize, groups: bins },
    ({ code, lanes, group: bin }) => {
      const below = code.let("strips", toExpr(context, shape.strips, itemsIn(shape)));
      const first = code.let("first", mul(lanes.lane, STRIPS_OF_LANE));
      const run = code.array("run", "u32", STRIPS_OF_LANE);
      const own = code.var("own", u32(0));
      const each = (use: (inner: Code, k: Expr, at: Expr) => void): void =>
        repeat(code, {
          unrolled: shape.unrolled,
          hint: "k",
          from: u32(0),
          below: u32(STRIPS_OF_LANE),
          body: (inner, k) => {
            const strip = inner.let("strip", add(first, k));
            inner.if(lt(strip, below), (inside) => use(inside, k, countAt(shape, strip, bin)));
          },
        });
      each((inner, k, at) => {
        inner.store(run, k, inner.load(strips, at));
        inner.assign(own, add(own, inner.load(run, k)));
      });
      const none = { values: [u32(0)], present: undefined };
      const { exclusive, total } = scanOfLanes(code, lanes, monoidOf("add", "u32"), [own], none);
      const prefix = code.var("prefix", exclusive.values[0] as Expr);
      each((inner, k, at) => {
        inner.store(strips, at, prefix);
        inner.assign(prefix, add(prefix, inner.load(run, k)));
      });
      code.if(eq(lanes.lane, 0), (one) => one.store(totals, bin, total[0] as Expr));
    },
  );
}

/*
 * The third pass of a rank: the rank of each item, and the scatters by it.
 */

function moveKernel(context: GroupContext, ranking: Ranking): Kernel {
  const { shape, moved } = ranking;
  const { workGroupSize, tiles, size } = shape;
  const written = moved.map(({ name }) => name);
  const doc = [
    `Ranks of a tile of ${size} items${written.length > 0 ? `; its items go to ${written.join(", ")}` : ""}.`,
  ];
  const frame = { hint: "rank", doc, workGroupSize, groups: tiles, tile: itemsIn(shape) };
  return makeKernel(context, frame, (parts) => {
    const { code } = parts;
    const memory = memoryOf(parts, shape);
    const own = ownOf(context, parts, ranking);
    rankInTeams(context, parts, ranking, memory, own);
    addUp(context, parts, ranking, memory);
    code.barrier();
    writeTile(context, parts, ranking, { memory, own });
  });
}

/** Replaces the counts of teams by the places of their first items, and computes the distances of the places of a bin from the ranks. */
function addUp(
  context: GroupContext,
  { code, lanes, group }: KernelParts,
  { shape, counts, strips, totals }: Ranking,
  { words, distance }: RankMemory,
): void {
  const { teams, bins, workGroupSize } = shape;
  const perLane = Math.ceil(bins / workGroupSize);
  const eachOwn = (body: (code: Code, bin: Expr) => void): void =>
    code.for("k", 0, perLane, (inner, k) => {
      const bin = inner.let("bin", add(mul(lanes.lane, perLane), k));
      inner.if(lt(bin, binsOf(shape)), (inside) => body(inside, bin));
    });
  const eachTeam = (code: Code, bin: Expr, body: (code: Code, cell: Expr) => void): void =>
    code.for("team", 0, teams, (inner, team) =>
      body(inner, inner.let("cell", add(mul(team, binsOf(shape)), bin))),
    );
  code.comment("for each bin: the number of items in the tile, and in all tiles");
  const inTile = code.var("in_tile", u32(0));
  const inAll = code.var("in_all", u32(0));
  eachOwn((body, bin) => {
    eachTeam(body, bin, (inner, cell) => inner.assign(inTile, add(inTile, inner.load(words, cell))));
    body.assign(inAll, add(inAll, body.load(totals, bin)));
  });
  const sum = monoidOf("add", "u32");
  const both = product([sum, sum]);
  const none = { values: both.identity, present: undefined };
  const { exclusive } = scanOfLanes(code, lanes, both, [inTile, inAll], none);
  // The quotient is below the number of strips; the least of both shows it.
  const quotient = binary("div", group, toExpr(context, shape.tilesOfStrip, itemsIn(shape)));
  const last = sub(toExpr(context, shape.strips, itemsIn(shape)), 1);
  const strip = code.let("strip", binary("min", quotient, last));
  const next = code.var("next", exclusive.values[0] as Expr);
  const smaller = code.var("smaller", exclusive.values[1] as Expr);
  eachOwn((body, bin) => {
    const earlier = add(
      body.load(strips, countAt(shape, strip, bin)),
      body.load(counts, countAt(shape, group, bin)),
    );
    body.store(distance, bin, sub(add(smaller, earlier), next));
    eachTeam(body, bin, (inner, cell) => {
      const count = inner.let("count", inner.load(words, cell));
      inner.store(words, cell, next);
      inner.assign(next, add(next, count));
    });
    body.assign(smaller, add(smaller, body.load(totals, bin)));
  });
}

/*
 * Stable ranks of a schedule, and the scatters that their passes write themselves.
 */

/** A rank, and the outputs that its pass writes. */
export interface Ranked {
  readonly node: RankNode;
  /** Scatters by the rank. */
  readonly moved: readonly ScatterNode[];
}

/** The schedule without the scatters that the passes of ranks write, and the ranks by the stage at which they are ready. */
export function withoutMoved(plan: Schedule): {
  readonly plan: Schedule;
  readonly ranked: ReadonlyMap<number, readonly Ranked[]>;
} {
  const ranked = new Map<number, Ranked[]>();
  const { nodes } = plan.checked.pipeline;
  const ranks = nodes.filter(isRank);
  if (ranks.length === 0) return { plan, ranked };
  const sinks = new Map(plan.sinks);
  const stored = new Set(plan.stored);
  for (const node of ranks) {
    const stage = plan.ready[node.id] as number;
    const moved = (sinks.get(stage) ?? []).filter(
      (sink): sink is ScatterNode => sink.kind === "scatter" && isMoved(plan, stage, sink, node.id),
    );
    // An output that holds the rank is the array that others read it from.
    const home = factsOf(plan.checked).outputs.get(node.id);
    const written = new Set<SinkNode | undefined>([...moved, home]);
    sinks.set(
      stage,
      (sinks.get(stage) ?? []).filter((sink) => !written.has(sink)),
    );
    addTo(ranked, stage, { node, moved });
    const taken = new Set<NodeId>(moved.map(({ id }) => id));
    if (!nodes.some((user) => !taken.has(user.id) && operandsOf(user).includes(node.id)))
      stored.delete(node.id);
  }
  return { plan: { ...plan, sinks, stored }, ranked };
}

const isMoved = (plan: Schedule, stage: number, sink: ScatterNode, rank: NodeId): boolean =>
  sink.slot === rank &&
  sink.value !== rank &&
  isPermuted(plan.checked, sink) &&
  !waits(plan, stage, [sink.value]);
