/** The second pass of a rank: a work-group for each bin adds up the counts of its tiles, in place. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, eq, lt, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { repeat } from "../lanes/lanes.ts";
import { scanOfLanes } from "../lanes/routines.ts";
import { monoidOf } from "../parts/monoid.ts";
import { type Context, makeKernel, toExpr } from "../work-groups/context.ts";
import type { Ranking } from "./kernels.ts";
import { countAt } from "./key.ts";

/** Counts of a work-item in one step. */
const COUNTS = 8;

export function prefixKernel(context: Context, { shape, counts, totals }: Ranking): Kernel {
  const { workGroupSize, bins, tiles } = shape;
  const doc = ["For each bin, the counts of the tiles become prefixes, in place, and their total."];
  return makeKernel(
    context,
    { hint: "rank_prefixes", doc, workGroupSize, groups: bins },
    ({ code, lanes, group: bin }) => {
      const below = code.named("tiles", toExpr(context, tiles));
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
