/** What is left behind the last full tile, by one work-group. */
import { formula } from "../../../ir/base/formula.ts";
import type { Code } from "../../kernel/build.ts";
import type { Expr } from "../../kernel/expr.ts";
import { add, mul, ne, u32 } from "../../kernel/make-expr.ts";
import type { Kernel } from "../../kernel/module.ts";
import type { Carry } from "../../parts/monoid.ts";
import { sinksAt } from "../../parts/stages.ts";
import { type Context, makeKernel } from "../../work-groups/context.ts";
import { lowerTile } from "../../work-groups/tile-kernel.ts";
import { type Fused, scansOf } from "./fused.ts";
import { teamOf } from "./kernel.ts";
import { blocksAt, tilesFormula } from "./shape.ts";
import { look, prefixOf, type Team } from "./tile-status.ts";

export function tailKernel(context: Context, stage: number, fused: Fused): Kernel {
  const { shape } = fused.status;
  const { size, workGroupSize } = shape;
  const tail = formula("sub", "n", formula("mul", tilesFormula(shape), size));
  const doc = [`The items behind the last full tile, ${size / workGroupSize} to a work-item.`];
  return makeKernel(
    context,
    { hint: "tail", doc, workGroupSize, groups: formula("min", tail, 1) },
    ({ code, lanes }) => {
      const tiles = code.let("tiles", blocksAt(shape, fused.status.n, 0));
      const length = size / workGroupSize;
      const base = code.let("base", add(mul(tiles, u32(size)), mul(lanes.lane, u32(length))));
      const scans = scansOf(fused).map(({ id }) => id);
      lowerTile(context, code, lanes, {
        base,
        length,
        isFull: false,
        components: fused.components,
        carry: () => carryOf(code, fused, teamOf(code, lanes, fused), tiles),
        materialized: [
          ...scans.filter((id) => context.plan.stored.has(id)),
          ...(context.plan.materialized.get(stage) ?? []),
        ],
        sinks: sinksAt(context.plan, stage, ["item", "group"]),
      });
    },
  );
}

/** The prefix before all that is left; every block of 32 lanes folds the slots for itself. */
function carryOf(code: Code, { status }: Fused, team: Team, tiles: Expr): Carry {
  const seen = look(code, status, { ...team, lane: team.sub }, tiles);
  const { before } = prefixOf(code, { status, team, tile: tiles, seen, own: undefined });
  return { values: before, present: status.monoid.reassociable ? undefined : ne(tiles, u32(0)) };
}
