/** Collectives of work-group scope: one item a work-item, the pipeline's own work-group size. */

import { errorOf } from "@groupwise/ir/base/errors.js";
import { formOf, isCollective, isMonoid, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, CollectiveNode, NodeId } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { eq, select, sub } from "@groupwise/kernel/language/make-expr.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import type { Group } from "../geometry/index.ts";
import { announce, ascend, descend, type Lanes } from "../lanes/lanes.ts";
import { type Component, componentsOf, operandsAt, placesOf, productOf } from "../parts/components.ts";
import { nothing } from "../parts/monoid.ts";
import { siteOf } from "../parts/site.ts";
import { isPerGroup, sinksAt } from "../parts/stages.ts";
import { SiteValues } from "../parts/values.ts";
import { type GroupContext, makeKernel } from "./context.ts";
import { type NativeResults, nativeBroadcast, nativeOr, type Portable } from "./native.ts";

/** Work-group collectives of a stage. Collectives that depend on one another are in different rounds. */
export function roundsAt(context: GroupContext, stage: number): CollectiveNode[][] {
  const { nodes } = context.checked.pipeline;
  const depth: number[] = [];
  const rounds: CollectiveNode[][] = [];
  for (const node of nodes) {
    const below = Math.max(0, ...operandsOf(node).map((id) => depth[id] as number));
    const here = isCollective(node) && node.scope === "work-group" && context.plan.ready[node.id] === stage;
    depth.push(here ? below + 1 : below);
    if (!here) continue;
    rounds[below] ??= [];
    rounds[below].push(node);
  }
  return rounds.filter((round) => round !== undefined);
}

/** @throws GroupwiseError `work-group-too-large` */
export function groupKernel(context: GroupContext, stage: number): Kernel | undefined {
  const rounds = roundsAt(context, stage);
  const sinks = sinksAt(context.plan, stage, ["item", "group"]);
  const materialized = context.plan.materialized.get(stage) ?? [];
  if (rounds.length === 0 && sinks.length === 0 && materialized.length === 0) return undefined;
  const { groupSize: size, groups, dimensions } = context.geometry;
  const limit = context.capabilities.maxWorkGroupSize;
  if (size > limit) throw errorOf("work-group-too-large", { size, limit }, "workGroupSize");
  const { workGroupSize } = context.checked.pipeline;
  const { filled } = context.plan.latency;
  const doc = [`Work-groups of ${workGroupSize.join(" x ")}, one item to a work-item.`];
  if (dimensions > 1) doc.push("A lane is a local linear id. The lanes of a smaller group have no gaps.");
  const hint = rounds.length > 0 ? "groups" : "map";
  return makeKernel(context, { hint, doc, workGroupSize: size, groups }, ({ code, lanes, group: number }) => {
    const { exists, place, group } = context.geometry.workItem(code, number, lanes.lane);
    const { count } = group;
    const values = new SiteValues(siteOf(context, place));
    const isLast = eq(lanes.lane, sub(count, 1));
    for (const round of rounds) {
      const components = componentsOf(round.filter(isMonoid), context.checked.pipeline.operators);
      if (components.length > 0) combine(context, code, { lanes, components, values, exists, isLast });
      for (const node of round.filter(isPick)) {
        values.set(node.id, broadcast(context, code, { lanes, node, values, group }));
      }
    }
    code.if(exists, (inner) => {
      const leader: NodeId[] = [];
      for (const id of rounds.flat().map((node) => node.id)) {
        if (!context.plan.stored.has(id)) continue;
        if (context.checked.uniformities[id] === "item") context.storage.materialize(id, values, inner);
        else leader.push(id);
      }
      for (const id of materialized) context.storage.materialize(id, values, inner);
      const first = sinks.filter((sink) => isPerGroup(context.checked, sink));
      for (const sink of sinks.filter((other) => !first.includes(other)))
        context.storage.write(sink, values, inner, { fits: filled?.has(sink.id) === true });
      inner.if(eq(lanes.lane, 0), (one) => {
        for (const id of leader) context.storage.materialize(id, values, one);
        for (const sink of first) context.storage.write(sink, values, one);
      });
    });
  });
}

/** The components of a work-group, and the lanes that take part. */
interface GroupCombines {
  readonly lanes: Lanes;
  readonly components: readonly Component[];
  readonly values: SiteValues;
  readonly exists: Expr;
  readonly isLast: Expr;
}

function combine(
  context: GroupContext,
  code: Code,
  { lanes, components, values, exists, isLast }: GroupCombines,
): void {
  const { reassociable, identity } = productOf(components);
  // Reassociable monoids take the identity for absent lanes: then the butterfly's total is the reduce, in every lane.
  const operands = components
    .flatMap((component) => operandsAt(component, values, code).map((v) => code.let("mine", v)))
    .map((v, i) => (reassociable ? select(exists, v, identity[i] as Expr) : v));
  const nodes = components.flatMap((component) => component.nodes);
  code.comment(
    `across the work-group: ${[...new Set(nodes.map((node) => titleOf(node, context)))].join(", ")}`,
  );
  const starts = new Map<Component, number>();
  let width = 0;
  for (const component of components) {
    starts.set(component, width);
    width += component.monoid.types.length;
  }
  const portable: Portable = (inner, some) => {
    const mine = some.flatMap((component) => {
      const start = starts.get(component) as number;
      return operands.slice(start, start + component.monoid.types.length);
    });
    return butterfly(inner, lanes, some, mine, isLast);
  };
  const results =
    nativeOr(code, { capabilities: context.capabilities, lanes, components, operands, portable }) ??
    portable(code, components);
  for (const [id, value] of results) values.set(id, value);
}

function butterfly(
  code: Code,
  lanes: Lanes,
  components: readonly Component[],
  mine: readonly Expr[],
  isLast: Expr,
): NativeResults {
  const monoid = productOf(components);
  const nodes = components.flatMap((component) => component.nodes);
  const scans = nodes.some(isScan);
  const ascent = ascend(code, lanes, monoid, mine, scans || !monoid.reassociable);
  const prefixes =
    scans || !monoid.reassociable ? descend(code, lanes, monoid, ascent, nothing(monoid)) : undefined;
  const reduces = nodes.some((node) => !isScan(node));
  const totals = !reduces
    ? []
    : monoid.reassociable || !prefixes
      ? ascent.total
      : announce(code, lanes, isLast, prefixes.inclusive);
  const results = new Map<NodeId, Expr>();
  for (const { node, at } of placesOf(components)) {
    const form = formOf(node);
    const result = {
      reduce: totals,
      "scan-inclusive": prefixes?.inclusive,
      "scan-exclusive": prefixes?.exclusive.values,
    }[form];
    const value = result?.[at] as Expr;
    const isFirst = eq(lanes.lane, 0);
    const masked =
      form === "scan-exclusive" && !monoid.reassociable
        ? select(isFirst, monoid.identity[at] as Expr, value)
        : value;
    const hint = node.kind === "user-collective" ? form : node.kind;
    results.set(node.id, code.let(hint.replace("-", "_"), masked));
  }
  return results;
}

function titleOf(node: CollectiveNode, { checked }: GroupContext): string {
  if (node.kind === "user-collective")
    return `${node.form} ${checked.pipeline.operators?.[node.operator]?.name}`;
  return "op" in node ? `${node.kind} ${node.op}` : node.kind;
}

/** A broadcast of a work-group, and the values so far. */
interface GroupBroadcast {
  readonly lanes: Lanes;
  readonly node: BroadcastNode;
  readonly values: SiteValues;
  readonly group: Pick<Group, "lane">;
}

function broadcast(context: GroupContext, code: Code, { lanes, node, values, group }: GroupBroadcast): Expr {
  code.comment("broadcast; an index past the end means the last item");
  const mine = code.let("mine", values.get(node.of, code));
  const coordinates = node.index.map((id) => values.get(id, code));
  const index = code.let("source", group.lane(code, coordinates));
  return nativeBroadcast(code, {
    capabilities: context.capabilities,
    lanes,
    mine,
    source: index,
    isSource: eq(lanes.lane, index),
  });
}
