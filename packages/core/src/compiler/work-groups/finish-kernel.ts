/**
 * Results that are one value for the whole range: one work-group folds what no full tile holds, level by
 * level from the highest, each seeding the next; then evaluates what follows from the results alone.
 */

import { isCollective, isPick, isScan } from "../../ir/document/collectives.ts";
import type { BroadcastNode } from "../../ir/document/node.ts";
import type { ArrayRef, Code } from "../kernel/build.ts";
import type { Expr, VarExpr } from "../kernel/expr.ts";
import { add, binary, eq, ne, select, sub, u32 } from "../kernel/make-expr.ts";
import type { Kernel } from "../kernel/module.ts";
import { operandsAt, placesOf } from "../parts/components.ts";
import { nothing } from "../parts/monoid.ts";
import { siteAt } from "../parts/site.ts";
import { sinksAt } from "../parts/stages.ts";
import { Values } from "../parts/values.ts";
import { type Context, type KernelParts, makeKernel } from "./context.ts";
import { announce } from "./lanes.ts";
import { firstItem, loadAll, monoidOfTileTotals, runOf } from "./levels.ts";
import { scanTile } from "./tile.ts";
import type { TileTotals } from "./tile-totals.ts";

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

  const size = results.length > 0 ? context.tiling.workGroupSize : 1;
  const doc = ["Results for the whole range, by one work-group."];
  return makeKernel(context, { hint: "finish", doc, workGroupSize: size, groups: 1 }, (parts) => {
    const { code, lanes } = parts;
    const values = new Values(siteAt(context, u32(0)));
    const folded = results.length > 0 ? fold(context, parts, results) : [];
    for (const { node, at } of placesOf(results.map((t) => t.component)))
      values.set(node.id, folded[at] as Expr);
    const finish = (inner: Code): void => {
      for (const node of broadcasts) values.set(node.id, pick(context, inner, node, values));
      for (const node of checked.pipeline.nodes.filter(isCollective)) {
        const isReady = plan.ready[node.id] === stage && checked.uniformities[node.id] === "uniform";
        // Late ones are in memory already.
        const isMine = isReady && !plan.latency.late?.has(node.id);
        if (isMine && plan.stored.has(node.id)) storage.materialize(node.id, values, inner);
      }
      for (const sink of sinks) storage.write(sink, values, inner);
    };
    if (size === 1) finish(code);
    else code.if(eq(lanes.lane, u32(0)), finish);
  });
}

function fold(context: Context, { code, lanes }: KernelParts, results: readonly TileTotals[]): Expr[] {
  const { tiling, n } = context;
  const monoid = monoidOfTileTotals(results);
  const start = nothing(monoid);
  const carry = start.values.map((v) => code.var("result", v));
  const present = start.present && code.var("has_result", start.present);
  const offset = code.var("offset", u32(0));
  // Less than a tile is left at every level, and those of totals are the longer ones.
  const { items, tilesOfTotals } = tiling;
  const first = code.let("first", firstItem(tilesOfTotals, lanes.lane));
  code.for("step", u32(0), u32(tiling.levels + 1), (body, step) => {
    const level = body.let("level", sub(u32(tiling.levels), step));
    const isItems = body.let("is_items", eq(level, u32(0)));
    const above = add(u32(items.shift), binary("mul", sub(level, u32(1)), u32(tilesOfTotals.shift)));
    const count = body.let("count", binary("shr", n, select(isItems, u32(0), above)));
    const mask = select(isItems, u32(items.size - 1), u32(tilesOfTotals.size - 1));
    const tail = body.let("tail", binary("and", count, mask));
    const from = body.let("from", sub(count, tail));
    body.if(ne(tail, u32(0)), (some) => {
      const run = runOf(some, monoid, tilesOfTotals.itemsPerWorkItem);
      const last = some.let("last", sub(tail, u32(1)));
      // A lane past the end reads the last one again: P(tail) does not use it.
      const at = (inner: Code, k: Expr): Expr =>
        inner.let("at", add(from, binary("min", add(first, k), last)));
      const each =
        (fill: (inner: Code, k: Expr) => void) =>
        (code: Code): void =>
          code.for("k", u32(0), u32(run.length), fill);
      some.if(
        isItems,
        each((inner, k) => {
          const values = new Values(siteAt(context, at(inner, k)));
          const operands = results.flatMap(({ component }) => operandsAt(component, values, inner));
          operands.forEach((operand, i) => {
            inner.store(run.arrays[i] as ArrayRef, k, operand);
          });
        }),
        each((inner, k) => loadAll(inner, results, run, k, add(offset, at(inner, k)))),
      );
      scanTile(some, lanes, monoid, run, { values: carry, present });
      // P(tail) stands with whoever holds item tail - 1.
      const isMine = binary("eq", binary("div", last, u32(run.length)), lanes.lane);
      const mine = run.arrays.map((array) => some.load(array, binary("rem", last, u32(run.length))));
      announce(some, lanes, isMine, mine).forEach((prefix, i) => {
        some.assign(carry[i] as VarExpr, prefix);
      });
      if (present) some.assign(present, { kind: "const", type: "bool", value: true });
    });
    body.if(ne(level, u32(0)), (then) => then.assign(offset, add(offset, count)));
  });
  return carry.map((c, i) =>
    present ? code.let("reduced", select(present, c, monoid.identity[i] as Expr)) : c,
  );
}

function pick(context: Context, code: Code, node: BroadcastNode, uniforms: Values): Expr {
  const coordinates = node.index.map((id) => uniforms.get(id, code));
  // No items, no value: runtimes refuse such a run before it starts.
  const at = code.let("source", context.geometry.item(coordinates));
  return code.let("picked", new Values(siteAt(context, at)).get(node.of, code));
}
