/** What is left behind the last full tile, by one work-group. */
import { formula } from "../../../ir/base/formula.ts";
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, eq, mul, ne, u32 } from "../../kernel/make-expr.ts";
import type { Kernel } from "../../kernel/module.ts";
import type { Carry } from "../../parts/monoid.ts";
import { sinksAt } from "../../parts/stages.ts";
import { type Context, makeKernel } from "../../work-groups/context.ts";
import type { Lanes } from "../../work-groups/lanes.ts";
import { lowerTile } from "../../work-groups/tile-kernel.ts";
import { type Fused, scansOf } from "./fused.ts";
import { teamOf } from "./kernel.ts";
import { prefixOf } from "./prefix.ts";
import { blocksAt, tilesFormula } from "./shape.ts";
import { look } from "./slots.ts";
import type { Team } from "./tile-status.ts";
import { leaveTotals } from "./totals.ts";

export function tailKernel(context: Context, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const { size, workGroupSize } = shape;
  const items = formula("sub", "n", formula("mul", tilesFormula(shape), size));
  const some = formula("min", items, 1);
  // Over no items the totals are identities, which a pass has to write.
  const groups =
    fused.totals.length > 0 ? formula("max", some, formula("sub", 1, formula("min", "n", 1))) : some;
  const doc = [`The items behind the last full tile, ${size / workGroupSize} to a work-item.`];
  return makeKernel(context, { hint: "tail", doc, workGroupSize, groups }, ({ code, lanes }) => {
    if (fused.totals.length === 0) return writeTail(context, stage, fused, code, lanes);
    const { n, monoid } = fused.status;
    code.if(
      ne(n, u32(0)),
      (some) => writeTail(context, stage, fused, some, lanes),
      (none) => none.if(eq(lanes.lane, u32(0)), (one) => leaveTotals(context, fused, one, monoid.identity)),
    );
  });
}

/** Writes the items behind the last full tile, and the totals if there is such an item. */
function writeTail(context: Context, stage: number, fused: Fused, code: Code, lanes: Lanes): void {
  const { plan } = context;
  const { size, workGroupSize } = fused.status.shape;
  const length = size / workGroupSize;
  const tiles = code.let("tiles", blocksAt(fused.status.shape, fused.status.n, 0));
  const base = code.let("base", add(mul(tiles, u32(size)), mul(lanes.lane, u32(length))));
  const scans = scansOf(fused).map(({ id }) => id);
  lowerTile(context, code, lanes, {
    base,
    length,
    isFull: false,
    components: fused.components,
    carry: () => carryOf(code, fused, teamOf(code, lanes, fused), tiles),
    materialized: [...scans.filter((id) => plan.stored.has(id)), ...(plan.materialized.get(stage) ?? [])],
    sinks: sinksAt(plan, stage, ["item", "group"]),
    ...(fused.totals.length > 0 && {
      last: (one: Code, inclusive: readonly Expr[]) => leaveTotals(context, fused, one, inclusive),
    }),
  });
}

/** The prefix before all that is left; every block of 32 lanes folds the slots for itself. */
function carryOf(code: Code, { status }: Fused, team: Team, tiles: Expr): Carry {
  const seen = look(code, status, { ...team, lane: team.sub }, tiles);
  const { before } = prefixOf(code, { status, team, tile: tiles, seen, own: undefined });
  return { values: before, present: status.monoid.reassociable ? undefined : ne(tiles, u32(0)) };
}
