/** The third pass of a rank: the rank of each item, and the scatters by it. */
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, lt, mul, sub, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { scanOfLanes } from "../lanes/lane-routines.ts";
import { monoidOf, product } from "../parts/monoid.ts";
import { type Context, type KernelParts, makeKernel } from "../work-groups/context.ts";
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
    const own = ownOf(context, parts, shape);
    rankInTeams(context, parts, ranking, memory, own);
    addUp(context, parts, ranking, memory);
    code.barrier();
    writeTile(context, parts, ranking, { memory, own });
  });
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
