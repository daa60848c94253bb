/**
 * The passes of a stable rank. The first counts the keys of each tile, the second adds up the counts of each bin from tile to tile, and
 * the third finds the rank of each item: items of smaller keys, earlier tiles, earlier teams of lanes, earlier rounds, earlier lanes.
 * No work-group waits for another one. Source: M. Zagha and G. E. Blelloch, "Radix sort for vector multiprocessors" (1991).
 */
import { formula } from "@groupwise/ir/base/formula.js";
import { addTo } from "@groupwise/ir/base/lists.js";
import { isRank } from "@groupwise/ir/document/collectives.js";
import type { NodeId, RankNode, ScatterNode, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, eq, lt, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { repeat } from "../lanes/lanes.ts";
import { scanOfLanes } from "../lanes/routines.ts";
import { factsOf } from "../parts/facts.ts";
import { monoidOf, product } from "../parts/monoid.ts";
import { type Schedule, waits } from "../parts/stages.ts";
import { isPermuted } from "../ranks/permuted.ts";
import { type GroupContext, type KernelParts, makeKernel, toExpr } from "../work-groups/context.ts";
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
  shapeOf,
  valuesAt,
} from "./tile.ts";
import { writeTile } from "./write.ts";

/** A rank, and the arrays between its passes. */
export interface Ranking extends Ranked {
  readonly shape: RankShape;
  /** For each bin, a count for each tile: first of the tile's keys, then of the keys up to and including the tile. */
  readonly counts: ArrayRef;
  /** For each bin, the number of all keys. */
  readonly totals: ArrayRef;
}

export function* rankKernels(context: GroupContext, ranked: Ranked): Generator<Kernel> {
  const shape = shapeOf(context, ranked.node.bins);
  const counts = context.storage.scratch("rank_counts", "u32", formula("mul", shape.tiles, shape.bins));
  const totals = context.storage.scratch("rank_totals", "u32", shape.bins);
  const ranking: Ranking = { ...ranked, shape, counts, totals };
  yield countKernel(context, ranking);
  yield prefixKernel(context, ranking);
  yield moveKernel(context, ranking);
}

/*
 * The first pass of a rank: the number of keys of each tile in each bin.
 */

/** Neighbouring work-items count in different copies: equal keys, as in skewed data, collide less. A power of two. */
const COPIES = 4;
/** Keys that a work-item reads before it counts them. */
const AT_ONCE = 4;

export function countKernel(context: GroupContext, { node, shape, counts }: Ranking): Kernel {
  const { workGroupSize, rounds, size, bins, tiles } = shape;
  const doc = [`The keys of each tile of ${size} items, counted for each of ${bins} bins.`];
  return makeKernel(
    context,
    { hint: "rank_count", doc, workGroupSize, groups: tiles, tile: itemsIn(shape) },
    ({ code, lanes: { lane, shared }, group }) => {
      const cells = shared.make("bin_counts", "u32", COPIES * bins);
      const each = (below: number, body: (inner: Code, i: Expr) => void): void =>
        code.for("bin", lane, below, body, workGroupSize);
      each(COPIES * bins, (inner, cell) => inner.store(cells, cell, 0));
      code.barrier();
      const copy = code.let("copy", and(lane, COPIES - 1));
      const first = code.let("first", add(mul(group, itemsIn(shape)), lane));
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
      code.barrier();
      const below = code.named("tiles", toExpr(context, tiles, itemsIn(shape)));
      each(bins, (inner, bin) => {
        const count = inner.var("count", u32(0));
        inner.for("other", 0, COPIES, (body, other) =>
          body.assign(count, add(count, body.load(cells, add(mul(bin, COPIES), other)))),
        );
        inner.store(counts, countAt(below, bin, group), count);
      });
    },
  );
}

/*
 * The second pass of a rank: a work-group for each bin adds up the counts of its tiles, in place.
 */

/** Counts of a work-item in one step. */
const COUNTS = 8;

export function prefixKernel(context: GroupContext, { shape, counts, totals }: Ranking): Kernel {
  const { workGroupSize, bins, tiles } = shape;
  const doc = ["For each bin, the counts of the tiles become prefixes, in place, and their total."];
  return makeKernel(
    context,
    { hint: "rank_prefixes", doc, workGroupSize, groups: bins },
    ({ code, lanes, group: bin }) => {
      const below = code.named("tiles", toExpr(context, tiles, itemsIn(shape)));
      const sum = code.var("sum", u32(0));
      const own = mul(lanes.lane, COUNTS);
      const step = (body: Code, from: Expr): void => {
        const run = body.array("run", "u32", COUNTS);
        const first = body.let("first", add(from, own));
        const each = (use: (inner: Code, k: Expr, at: Expr) => void): void =>
          repeat(body, {
            unrolled: shape.ballots,
            hint: "k",
            from: u32(0),
            below: u32(COUNTS),
            body: (inner, k) => {
              const tile = inner.let("tile", add(first, k));
              inner.if(lt(tile, below), (inside) => use(inside, k, countAt(below, bin, tile)));
            },
          });
        each((inner, k, at) => inner.store(run, k, inner.load(counts, at)));
        const mine = body.var("mine", u32(0));
        body.for("k", 0, COUNTS, (inner, k) => inner.assign(mine, add(mine, inner.load(run, k))));
        const carry = { values: [sum], present: undefined };
        const { exclusive, total } = scanOfLanes(body, lanes, monoidOf("add", "u32"), [mine], carry);
        const prefix = body.var("prefix", exclusive.values[0] as Expr);
        each((inner, k, at) => {
          inner.assign(prefix, add(prefix, inner.load(run, k)));
          inner.store(counts, at, prefix);
        });
        body.assign(sum, add(sum, total[0] as Expr));
      };
      code.for("from", 0, below, step, COUNTS * workGroupSize);
      code.if(eq(lanes.lane, 0), (one) => one.store(totals, bin, sum));
    },
  );
}

/*
 * The third pass of a rank: the rank of each item, and the scatters by it.
 */

export function moveKernel(context: GroupContext, ranking: Ranking): Kernel {
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
  { shape, counts, totals }: Ranking,
  { before, distance }: RankMemory,
): void {
  const { teams, bins, workGroupSize } = shape;
  const perLane = Math.ceil(bins / workGroupSize);
  const eachBin = (body: (code: Code, bin: Expr) => void): void =>
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
  eachBin((body, bin) => {
    eachTeam(body, bin, (inner, cell) => inner.assign(inTile, add(inTile, inner.load(before, cell))));
    body.assign(inAll, add(inAll, body.load(totals, bin)));
  });
  const sum = monoidOf("add", "u32");
  const both = product([sum, sum]);
  const none = { values: both.identity, present: undefined };
  const { exclusive } = scanOfLanes(code, lanes, both, [inTile, inAll], none);
  const below = code.named("tiles", toExpr(context, shape.tiles, itemsIn(shape)));
  const next = code.var("next", exclusive.values[0] as Expr);
  const smaller = code.var("smaller", exclusive.values[1] as Expr);
  eachBin((body, bin) => {
    eachTeam(body, bin, (inner, cell) => {
      const count = inner.let("count", inner.load(before, cell));
      inner.store(before, cell, next);
      inner.assign(next, add(next, count));
    });
    // The count up to this tile has the tile's own items, which end where the next bin begins.
    const upToTile = body.load(counts, countAt(below, bin, group));
    body.store(distance, bin, sub(add(smaller, upToTile), next));
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
