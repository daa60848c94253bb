/** The pass of a stage over work-groups of the pipeline, one after the other in each work-item. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, mul, sub } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { begun, closeGroup, item, type Loop, pushingAt } from "../../loops/items.ts";
import { sinksAt } from "../../parts/stages.ts";
import { toExpr } from "../../work-groups/context.ts";
import { binsFor } from "./bins.ts";
import { type Context, groupedAt, uniformsOf } from "./context.ts";
import { loopKernel, workItems } from "./shape.ts";

export function groupPassKernel(context: Context, stage: number): Kernel | undefined {
  const { checked, plan, geometry, chunks } = context;
  const mine = checked.pipeline.nodes.filter(isCollective).filter(({ id }) => plan.start.get(id) === stage);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  if (mine.length + sinks.length + (plan.materialized.get(stage) ?? []).length === 0) return undefined;
  const groups = formula("min", geometry.groups, workItems(chunks));
  const doc = ["Each work-item loops over consecutive work-groups of the range."];
  return loopKernel(context, { hint: "groups", doc, groups }, (code, number) => {
    const uniforms = uniformsOf(context, stage, code);
    const grouped = groupedAt(context, stage).map((component) => begun(code, component));
    const bins = binsFor(context, code, sinksAt(plan, stage, ["item"]));
    const plain = { carrying: undefined, nexts: new Map(), ends: new Map() };
    const loop: Loop = { ...context, ...plain, uniforms, bins: bins.arrays };
    shareOf(context, code, { number, groups }, (body, at) => {
      const group = geometry.group(body, at);
      for (const { state } of grouped) state.reset(body);
      group.each(body, (inner, lane, place) => {
        const states = grouped.map((one) => pushingAt(one, lane));
        item(loop, stage, inner, place, { states, ranks: [] });
      });
      closeGroup(loop, body, mine, grouped, group);
    });
    bins.flush(code);
  });
}

/** A loop over the work-groups of a work-item: an equal share of all. */
function shareOf(
  context: Context,
  code: Code,
  { number, groups }: { readonly number: Expr; readonly groups: Formula },
  visit: (code: Code, group: Expr) => void,
): void {
  const all = code.let("all_groups", toExpr(context, context.geometry.groups));
  const sharers = code.let("work_items", toExpr(context, groups));
  const share = code.let("share", add(binary("div", sub(all, 1), sharers), 1));
  const from = code.let("from", binary("min", mul(number, share), all));
  const below = code.let("below", add(from, binary("min", share, sub(all, from))));
  code.for("group", from, below, visit);
}
