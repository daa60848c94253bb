/** The work of one loop for an item, and at the end of a work-group. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { formOf, isMonoid, isPick, isScan } from "@groupwise/ir/document/collectives.js";
import type { BroadcastNode, CollectiveNode, MonoidCollective, NodeId } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ArrayRef, Code } from "@groupwise/kernel/language/build.js";
import type { Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Group, Place } from "../geometry/index.ts";
import { type Component, componentsOf, fieldOf, operandsAt } from "../parts/components.ts";
import { pickedFrom, type SiteContext, siteAt, siteOf } from "../parts/site.ts";
import { isPerGroup, type Schedule, sinksAt } from "../parts/stages.ts";
import type { Into } from "../parts/storage.ts";
import type { Carrying } from "../parts/strategy.ts";
import { SiteValues } from "../parts/values.ts";
import { type RunningItems, running } from "./counter.ts";
import { type LoopRanking, type Nexts, rankItem } from "./ranks.ts";

export interface Loop extends SiteContext {
  readonly plan: Schedule;
  /** Uniform results. */
  readonly uniforms: Map<NodeId, Expr>;
  readonly carrying: Carrying | undefined;
  readonly nexts: Nexts;
  /** By scatter with a length: the end of the slots that it has written. */
  readonly ends: ReadonlyMap<NodeId, VarExpr>;
  /** Scatters whose slots are all below their lengths. */
  readonly fits: ReadonlySet<NodeId>;
  readonly blockScans?: Capabilities["blockScans"];
  readonly vectors?: Capabilities["vectors"] | undefined;
  readonly unrolls?: Capabilities["unrolls"] | undefined;
  /** By scatter: the work-item's own array, in which its values combine first. */
  readonly bins?: ReadonlyMap<NodeId, ArrayRef>;
}

export interface Progress {
  readonly component: Component;
  readonly state: RunningItems;
}

/** A scan or reduce in progress, and how the current item is added to it. */
export interface Pushing extends Progress {
  push(code: Code, value: readonly Expr[]): void;
}

/** The work of the loop of a stage for each item, besides writing. */
export interface LoopSteps {
  readonly states: readonly Pushing[];
  readonly ranks: readonly LoopRanking[];
  /** Values of nodes that are known of the item. */
  readonly known?: ReadonlyMap<NodeId, Expr>;
}

/** @param at the item's index since the last reset */
export const pushingAt = (progress: Progress, at: Expr): Pushing => ({
  ...progress,
  push: (code, value) => progress.state.push(code, at, value),
});

export function progress(
  { pipeline }: Checked,
  code: Code,
  nodes: readonly CollectiveNode[],
  scope: CollectiveNode["scope"],
): Progress[] {
  const mine = nodes.filter(isMonoid).filter((node) => node.scope === scope);
  return componentsOf(mine, pipeline.operators).map((component) =>
    progressOf(code, component, scope === "device" ? "so_far" : "of_group"),
  );
}

/** A scan or reduce before its first item. */
export const progressOf = (code: Code, component: Component, hint: string = "so_far"): Progress => ({
  component,
  state: running(code, component.monoid, `${component.name}_${hint}`),
});

export function item(
  loop: Loop,
  stage: number,
  code: Code,
  place: Place,
  { states, ranks, known }: LoopSteps,
): void {
  const { plan, checked, storage } = loop;
  const values = new SiteValues({ ...siteOf(loop, place), branches: true }, loop.uniforms);
  for (const [id, value] of known ?? []) values.set(id, value);
  const added: (() => void)[] = [];
  const changing = new Set(states.flatMap(({ state }) => state.latest.map(({ name }) => name)));
  const steps = [
    ...states.map((state) => ({
      of: Math.max(...state.component.of),
      run: () => added.push(...pushItem(loop, code, values, { ...state, changing })),
    })),
    ...ranks.map((one) => ({ of: one.node.of, run: () => rankOf(loop, code, values, one) })),
  ];
  // In the order of the list: a scan may be the operand of another one in the same loop.
  for (const { run } of steps.sort((a, b) => a.of - b.of)) run();
  for (const id of plan.materialized.get(stage) ?? []) storage.materialize(id, values, code);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const perGroup = sinks.filter((sink) => isPerGroup(checked, sink));
  for (const sink of sinks.filter((other) => !perGroup.includes(other)))
    storage.write(sink, values, code, intoOf(loop, sink.id));
  if (perGroup.length > 0)
    code.if(place.isFirst(code), (one) => {
      for (const sink of perGroup) storage.write(sink, values, one);
    });
  for (const add of added) add();
}

function intoOf({ ends, fits, bins }: Loop, id: NodeId): Into {
  const array = bins?.get(id);
  return { end: ends.get(id), fits: fits.has(id), ...(array && { bins: { array, at: (slot) => slot } }) };
}

function rankOf({ plan, storage, nexts }: Loop, code: Code, values: SiteValues, ranking: LoopRanking): void {
  rankItem(code, ranking, nexts, values);
  const { id } = ranking.node;
  if (!ranking.counts && plan.stored.has(id)) storage.materialize(id, values, code);
}

/**
 * Names the results of a collective at an item, and adds the item to it. @returns what is left until everything that reads the results is written:
 * where they are those before the item, their variables need no copies, which compilers would keep in registers of their own.
 */
function pushItem(
  { plan, storage }: Loop,
  code: Code,
  values: SiteValues,
  { component, state, push, changing }: Pushing & { readonly changing: ReadonlySet<string> },
): readonly (() => void)[] {
  const isKept = (operand: Expr): boolean =>
    operand.kind === "const" || (operand.kind === "var" && !changing.has(operand.name));
  const value = operandsAt(component, values, code).map((operand) =>
    isKept(operand) ? operand : code.let("value", operand),
  );
  const latestOf = (node: MonoidCollective): VarExpr => state.latest[fieldOf(node)] as VarExpr;
  const scans = component.nodes.filter(isScan);
  const exclusive = scans.filter((node) => formOf(node) === "scan-exclusive");
  const isBefore = scans.length > 0 && exclusive.length === scans.length;
  for (const node of exclusive)
    values.set(node.id, isBefore ? latestOf(node) : code.let("exclusive", latestOf(node)));
  if (!isBefore) push(code, value);
  for (const node of scans.filter((other) => !exclusive.includes(other)))
    values.set(node.id, code.let("inclusive", latestOf(node)));
  for (const node of scans.filter((other) => plan.stored.has(other.id)))
    storage.materialize(node.id, values, code);
  return isBefore ? [() => push(code, value)] : [];
}

export function closeGroup(
  loop: Loop,
  code: Code,
  mine: readonly CollectiveNode[],
  grouped: readonly Progress[],
  group: Group,
): void {
  const values = new SiteValues(siteOf(loop, group.first), loop.uniforms);
  const save = (id: NodeId, value: Expr): void => {
    const home = loop.storage.home(id);
    if (home) code.store(home as ArrayRef, loop.storage.indexOf(id, group.first, code), value);
  };
  for (const { component, state } of grouped) {
    for (const node of component.nodes.filter((other) => !isScan(other)))
      save(node.id, state.latest[fieldOf(node)] as Expr);
  }
  for (const node of mine.filter(isPick).filter((other) => other.scope === "work-group")) {
    const coordinates = (node as BroadcastNode).index.map((id) => values.get(id, code));
    const at = code.let("source", group.item(code, coordinates));
    save(node.id, new SiteValues(siteAt(loop, at), loop.uniforms).get((node as BroadcastNode).of, code));
  }
}

export function pick(loop: Loop, code: Code, node: BroadcastNode): Expr {
  const uniforms = new SiteValues(siteAt(loop, u32(0)), loop.uniforms);
  const coordinates = node.index.map((id) => uniforms.get(id, code));
  const type = loop.checked.types[node.id] as Expr["type"];
  return pickedFrom(loop.geometry, code, { type, coordinates }, (some, at) =>
    new SiteValues(siteAt(loop, at), loop.uniforms).get(node.of, some),
  );
}
