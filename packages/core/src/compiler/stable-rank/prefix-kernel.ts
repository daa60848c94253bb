/** The second pass of a rank: a work-group for each bin adds up the counts of its tiles, in place. */
import { add, eq, lt, mul, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { scanOfLanes } from "../lanes/lane-routines.ts";
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
      const own = mul(lanes.lane, u32(COUNTS));
      code.for(
        "from",
        u32(0),
        below,
        (body, from) => {
          const run = body.array("run", "u32", COUNTS);
          const mine = body.var("mine", u32(0));
          const first = body.let("tile", add(from, own));
          body.for("k", u32(0), u32(COUNTS), (inner, k) => {
            const tile = inner.let("at", add(first, k));
            inner.if(lt(tile, below), (inside) =>
              inside.assign(mine, add(mine, inside.load(counts, countAt(context, shape, bin, tile)))),
            );
            inner.store(run, k, mine);
          });
          const carry = { values: [sum], present: undefined };
          const { exclusive, total } = scanOfLanes(body, lanes, monoidOf("add", "u32"), [mine], carry);
          const [before, all] = [exclusive.values[0], total[0]] as const;
          body.for("k", u32(0), u32(COUNTS), (inner, k) => {
            const tile = inner.let("at", add(first, k));
            inner.if(lt(tile, below), (inside) =>
              inside.store(
                counts,
                countAt(context, shape, bin, tile),
                add(before as never, inside.load(run, k)),
              ),
            );
          });
          body.assign(sum, add(sum, all as never));
        },
        COUNTS * workGroupSize,
      );
      code.if(eq(lanes.lane, u32(0)), (one) => one.store(totals, bin, sum));
    },
  );
}
