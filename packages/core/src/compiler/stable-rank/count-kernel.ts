/** The first pass of a rank: how many keys of each tile are in each bin. */
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import { add, binary, lt, mul, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { type Context, makeKernel } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { countAt, keyAt } from "./key.ts";

export function countKernel(context: Context, { node, shape, counts }: Ranking): Kernel {
  const { workGroupSize, lanes: width, teams, rounds, size, bins, tiles } = shape;
  const doc = [`The keys of each tile of ${size} items, counted for each of ${bins} bins.`];
  return makeKernel(
    context,
    { hint: "rank_count", doc, workGroupSize, groups: tiles },
    ({ code, lanes: { lane, shared }, group }) => {
      // Teams count by themselves: equal keys collide less.
      const cells = shared.make("bin_counts", "u32", teams * bins);
      const each = (below: number, body: (inner: Code, i: Expr) => void): void =>
        code.for("bin", lane, u32(below), body, workGroupSize);
      each(teams * bins, (inner, cell) => inner.store(cells, cell, u32(0)));
      code.barrier();
      const team = code.let("team", mul(binary("div", lane, u32(width)), u32(bins)));
      const first = code.let("first", add(mul(group, u32(size)), lane));
      code.for("round", u32(0), u32(rounds), (body, round) => {
        const item = body.let("i", add(first, mul(round, u32(workGroupSize))));
        body.if(lt(item, context.n), (inside) =>
          inside.atomic("add", cells, add(team, keyAt(context, node, inside, item)), u32(1)),
        );
      });
      code.barrier();
      each(bins, (inner, bin) => {
        const count = inner.var("count", inner.load(cells, bin));
        inner.for("team", u32(1), u32(teams), (body, other) =>
          body.assign(count, add(count, body.load(cells, add(mul(other, u32(bins)), bin)))),
        );
        inner.store(counts, countAt(context, shape, bin, group), count);
      });
    },
  );
}
