/**
 * Results that are one value for the whole range: one work-group combines the tails, level by level from the
 * highest, each seeding the next; then it evaluates values that depend only on the results.
 */

import { isCollective, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode } from "@groupwise/ir/document/node.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { binary, bool, eq, select, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { announce } from "../lanes/lanes.ts";
import { placesOf } from "../parts/components.ts";
import { nothing } from "../parts/monoid.ts";
import { siteAt } from "../parts/site.ts";
import { sinksAt } from "../parts/stages.ts";
import { Values } from "../parts/values.ts";
import { type Context, type KernelParts, makeKernel } from "./context.ts";
import { monoidOfTileTotals } from "./levels.ts";
import { eachTail } from "./tails.ts";
import { scanTile } from "./tile.ts";
import { AT_END, readTileTotals, type TileTotals } from "./tile-totals.ts";

export function finishKernel(context: Context, stage: number): Kernel | undefined {
  const { checked, plan, storage } = context;
  const results = [...context.totals.values()]
    .flat()
    .map((t) => ({
      ...t,
      component: {
        ...t.component,
        nodes: t.component.nodes.filter((node) => !isScan(node) && plan.ready[node.id] === stage),
      },
    }))
    .filter((t) => t.component.nodes.length > 0);
  const broadcasts = checked.pipeline.nodes
    .filter(isCollective)
    .filter(isPick)
    .filter((node) => node.scope === "device" && plan.ready[node.id] === stage);
  const sinks = sinksAt(plan, stage, ["uniform"]);
  if (results.length + broadcasts.length + sinks.length === 0) return undefined;

  const { carrying } = context;
  const size = results.length > 0 && !carrying ? context.tiling.workGroupSize : 1;
  const doc = ["Results for the whole range, by one work-group."];
  return makeKernel(context, { hint: "finish", doc, workGroupSize: size, groups: 1 }, (parts) => {
    const { code, lanes } = parts;
    const values = new Values(siteAt(context, u32(0)));
    const folded = carrying
      ? readTileTotals(code, results, u32(AT_END)).map((value) => code.let("reduced", value))
      : results.length > 0
        ? fold(context, parts, results)
        : [];
    for (const { node, at } of placesOf(results.map((t) => t.component)))
      values.set(node.id, folded[at] as Expr);
    const finish = (inner: Code): void => {
      for (const node of broadcasts) values.set(node.id, pick(context, inner, node, values));
      for (const node of checked.pipeline.nodes.filter(isCollective)) {
        const isReady = plan.ready[node.id] === stage && checked.uniformities[node.id] === "uniform";
        // Late reduces are already in memory.
        const isMine = isReady && !plan.latency.late?.has(node.id);
        if (isMine && plan.stored.has(node.id)) storage.materialize(node.id, values, inner);
      }
      for (const sink of sinks) storage.write(sink, values, inner);
    };
    if (size === 1) finish(code);
    else code.if(eq(lanes.lane, 0), finish);
  });
}

function fold(context: Context, parts: KernelParts, results: readonly TileTotals[]): Expr[] {
  const { code, lanes } = parts;
  const monoid = monoidOfTileTotals(results);
  const carry = nothing(monoid).values.map((v) => code.var("result", v));
  // The result of no items is the identity, which may not be neutral.
  const found = monoid.reassociable ? undefined : code.var("has_result", bool(false));
  const present = monoid.neutral ? undefined : found;
  eachTail(context, parts, results, (some, { run, last }) => {
    scanTile(some, lanes, monoid, run, { values: carry, present });
    // P(tail) is held by the work-item of item tail - 1.
    const isMine = binary("eq", binary("div", last, run.length), lanes.lane);
    const mine = run.arrays.map((array) => some.load(array, binary("rem", last, run.length)));
    announce(some, lanes, isMine, mine).forEach((prefix, i) => {
      some.assign(carry[i] as VarExpr, prefix);
    });
    if (found) some.assign(found, bool(true));
  });
  return carry.map((c, i) => (found ? code.let("reduced", select(found, c, monoid.identity[i] as Expr)) : c));
}

function pick(context: Context, code: Code, node: BroadcastNode, uniforms: Values): Expr {
  const coordinates = node.index.map((id) => uniforms.get(id, code));
  // No items, no value: runtimes refuse such a run before it starts.
  const at = code.let("source", context.geometry.item(coordinates));
  return code.let("picked", new Values(siteAt(context, at)).get(node.of, code));
}
