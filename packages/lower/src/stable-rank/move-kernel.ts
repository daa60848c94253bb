/** The third pass of a rank: the rank of each item, and the scatters by it. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, lt, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { scanOfLanes } from "../lanes/routines.ts";
import { monoidOf, product } from "../parts/monoid.ts";
import { type Context, type KernelParts, makeKernel, toExpr } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { countAt } from "./key.ts";
import { rankInTeams } from "./teams.ts";
import { type Memory, memoryOf, ownOf } from "./tile.ts";
import { writeTile } from "./write.ts";

export function moveKernel(context: Context, ranking: Ranking): Kernel {
  const { shape, moved } = ranking;
  const { workGroupSize, tiles, size } = shape;
  const written = moved.map(({ name }) => name);
  const doc = [
    `Ranks of a tile of ${size} items${written.length > 0 ? `; its items go to ${written.join(", ")}` : ""}.`,
  ];
  const frame = { hint: "rank", doc, workGroupSize, groups: tiles };
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
  context: Context,
  { code, lanes, group }: KernelParts,
  { shape, counts, totals }: Ranking,
  { before, distance }: Memory,
): void {
  const { teams, bins, workGroupSize } = shape;
  const perLane = Math.ceil(bins / workGroupSize);
  const eachBin = (body: (code: Code, bin: Expr) => void): void =>
    code.for("k", 0, perLane, (inner, k) => {
      const bin = inner.let("bin", add(mul(lanes.lane, perLane), k));
      inner.if(lt(bin, bins), (inside) => body(inside, bin));
    });
  const eachTeam = (code: Code, bin: Expr, body: (code: Code, cell: Expr) => void): void =>
    code.for("team", 0, teams, (inner, team) => body(inner, inner.let("cell", add(mul(team, bins), bin))));
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
  const below = code.named("tiles", toExpr(context, shape.tiles));
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
