/**
 * The walk over all items in tiles: finishes the scans whose tile prefixes are known, writes outputs, and
 * gathers the totals that the next stage needs.
 */
import { formula } from "../../formula.ts";
import { type CollectiveNode, formOf, isCollective, isScan, type NodeId } from "../../ir/node.ts";
import type { ArrayRef, Code } from "../../kernel/build.ts";
import { add, binary, type Expr, eq, lt, sub, u32 } from "../../kernel/expr.ts";
import type { Kernel } from "../../kernel/stmt.ts";
import { operandsAt, placesOf } from "../monoid.ts";
import { sinksAt } from "../schedule.ts";
import { siteAt } from "../storage.ts";
import { Values } from "../values.ts";
import { type Context, countFormula, makeKernel } from "./context.ts";
import { baseOf, carryOf, exclusiveAt, monoidOfTotals, runOf, settleLast, storeTotals } from "./levels.ts";
import { scanTile, totalOfTile } from "./tile.ts";
import type { Totals } from "./totals.ts";

/** The scans that a stage finishes, as components of the totals that an earlier stage gathered. */
export function scansReadyAt(context: Context, stage: number): Totals[] {
  const isReady = (node: CollectiveNode): boolean => isScan(node) && context.plan.ready[node.id] === stage;
  return [...context.totals.values()].flat().filter((t) => t.component.nodes.some(isReady));
}

/** Scans of the stage, and other values, that later stages read. */
function keptAt(context: Context, stage: number): NodeId[] {
  const scans = context.checked.pipeline.nodes
    .filter((node) => isCollective(node) && isScan(node) && node.scope === "device")
    .filter((node) => context.plan.ready[node.id] === stage && context.plan.stored.has(node.id))
    .map((node) => node.id);
  return [...scans, ...(context.plan.kept.get(stage) ?? [])];
}

export function tileKernel(context: Context, stage: number): Kernel | undefined {
  const { tiling, plan, checked } = context;
  const scans = scansReadyAt(context, stage);
  const next = context.totals.get(stage) ?? [];
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const perGroup = sinks.filter((sink) => sink.kind === "output" && checked.rates[sink.id] === "group");
  const kept = keptAt(context, stage);
  const needsAll = sinks.length > 0 || kept.length > 0 || (scans.length > 0 && next.length > 0);
  if (!needsAll && next.length === 0) return undefined;

  const groups = needsAll ? formula("ceil-div", "n", tiling.size) : countFormula(tiling, 1);
  const hint = scans.length > 0 ? "scan" : next.length > 0 ? "totals" : "map";
  const doc = [
    `Walk ${stage / 2 + 1} over the items, ${tiling.size} to a work-group, ${tiling.itemsPerWorkItem} to a work-item.`,
    ...(next.length > 0 ? ["Leaves the total of every full tile for the next walk."] : []),
  ];
  return makeKernel(context, hint, doc, tiling.workGroupSize, groups, ({ code, lanes, group }) => {
    const base = baseOf(context, code, group, lanes.lane);
    // A lane past the end reads the last item again: no existing item's prefix uses it.
    const clamp = (k: Expr): Expr =>
      needsAll ? binary("min", add(base, k), sub(context.n, u32(1))) : add(base, k);
    const scanMonoid = monoidOfTotals(scans);
    const scanned = runOf(code, scanMonoid, tiling.itemsPerWorkItem);
    const nextMonoid = monoidOfTotals(next);
    const gathered = runOf(code, nextMonoid, tiling.itemsPerWorkItem);
    const gather = (
      body: Code,
      values: Values,
      totals: readonly Totals[],
      arrays: readonly ArrayRef[],
      k: Expr,
    ): void =>
      totals
        .flatMap(({ component }) => operandsAt(component, values, body))
        .forEach((operand, i) => {
          body.store(arrays[i] as ArrayRef, k, operand);
        });

    let before: Expr[] = [];
    if (scans.length > 0) {
      code.for("k", u32(0), u32(scanned.length), (body, k) => {
        const item = body.let("i", clamp(k));
        gather(body, new Values(siteAt(context, item)), scans, scanned.arrays, k);
      });
      const exclusive = scanTile(code, lanes, scanMonoid, scanned, carryOf(context, code, scans, 1, group));
      settleLast(context, code, scans, 1, group, lanes.lane, scanned);
      before = exclusive.values.map((v) => code.var("before", v));
    }
    code.for("k", u32(0), u32(tiling.itemsPerWorkItem), (body, k) => {
      const item = body.let("i", clamp(k));
      const values = new Values(siteAt(context, item));
      const inclusive = scanned.arrays.map((array) => body.let("inclusive", body.load(array, k)));
      for (const { node, at } of placesOf(scans.map((t) => t.component))) {
        if (!isScan(node)) continue;
        const exclusive = (): Expr => exclusiveAt(scanMonoid, at, eq(item, u32(0)), before[at] as Expr);
        values.set(
          node.id,
          formOf(node) === "inclusive-scan" ? (inclusive[at] as Expr) : body.let("exclusive", exclusive()),
        );
      }
      gather(body, values, next, gathered.arrays, k);
      const write = (inner: Code): void => {
        for (const id of kept) context.storage.keep(id, values, inner);
        for (const sink of sinks.filter((s) => !perGroup.includes(s)))
          context.storage.write(sink, values, inner);
        if (perGroup.length === 0) return;
        inner.if(values.site.place.isFirst(inner), (one) => {
          for (const sink of perGroup) context.storage.write(sink, values, one);
        });
      };
      if (needsAll && sinks.length + kept.length > 0) body.if(lt(add(base, k), context.n), write);
      before.forEach((b, i) => {
        body.assign(b as never, inclusive[i] as Expr);
      });
    });
    if (next.length > 0) {
      storeTotals(context, code, next, 1, group, lanes.lane, totalOfTile(code, lanes, nextMonoid, gathered));
    }
  });
}
