/** The first pass of a rank: the number of keys of each tile in each bin. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, and, lt, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { type Context, makeKernel, toExpr } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { countAt, keyOf, valuesAt } from "./key.ts";

/** Neighbouring work-items count in different copies: equal keys, as in skewed data, collide less. A power of two. */
const COPIES = 4;
/** Keys that a work-item reads before it counts them. */
const AT_ONCE = 4;

export function countKernel(context: Context, { node, shape, counts }: Ranking): Kernel {
  const { workGroupSize, rounds, size, bins, tiles } = shape;
  const doc = [`The keys of each tile of ${size} items, counted for each of ${bins} bins.`];
  return makeKernel(
    context,
    { hint: "rank_count", doc, workGroupSize, groups: tiles },
    ({ code, lanes: { lane, shared }, group }) => {
      const cells = shared.make("bin_counts", "u32", COPIES * bins);
      const each = (below: number, body: (inner: Code, i: Expr) => void): void =>
        code.for("bin", lane, below, body, workGroupSize);
      each(COPIES * bins, (inner, cell) => inner.store(cells, cell, 0));
      code.barrier();
      const copy = code.let("copy", and(lane, COPIES - 1));
      const first = code.let("first", add(mul(group, size), lane));
      const rows = Math.max(1, rounds / AT_ONCE);
      code.for("row", 0, rows, (body, row) => {
        const start = body.let("start", add(first, mul(row, AT_ONCE * workGroupSize)));
        const keys = Array.from({ length: rounds / rows }, (_, k) => {
          const item = body.let("i", add(start, k * workGroupSize));
          // Past the end there is no bin.
          const key = body.var("key", u32(bins));
          body.if(lt(item, context.n), (inside) =>
            inside.assign(key, keyOf(node, valuesAt(context, item), inside)),
          );
          return key;
        });
        for (const key of keys) {
          const bin = body.let("bin", key);
          body.if(lt(bin, bins), (one) => one.atomic("add", cells, add(mul(bin, COPIES), copy), 1));
        }
      });
      code.barrier();
      const below = code.named("tiles", toExpr(context, tiles));
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
