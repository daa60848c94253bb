/** One thread: a loop over the items per stage, all stages in one kernel. */
import type { Checked } from "../../ir/check.ts";
import {
  type BroadcastNode,
  type CollectiveNode,
  formOf,
  isCollective,
  isScan,
  type NodeId,
  type SinkNode,
} from "../../ir/node.ts";
import { type ArrayRef, Code, type Names } from "../../kernel/build.ts";
import { type Expr, lt, u32, type VarExpr, zeroOf } from "../../kernel/expr.ts";
import type { Buffer, Kernel } from "../../kernel/stmt.ts";
import type { Geometry, Group, Place } from "../geometry/index.ts";
import {
  type Component,
  componentsOf,
  fieldOf,
  isMonoid,
  type MonoidCollective,
  operandsAt,
} from "../monoid.ts";
import { keptValues, type Latency, type Schedule, schedule, sinksAt } from "../schedule.ts";
import { Storage, siteAt, siteOf } from "../storage.ts";
import { Values } from "../values.ts";
import { type Running, running } from "./counter.ts";

/** Scans are ready item by item; a reduce or a broadcast when its loop is over. */
const LATENCY: Latency = {
  // A broadcast looks anywhere in its operand: what that is made from must be complete.
  start: (node, ready) => (node.kind === "broadcast" ? ready + 1 : Math.max(ready, 0)),
  ready: (node, start) => (isScan(node) ? start : start + 1),
  firstStage: 0,
  rewalks: false,
  inWalk: isScan,
};

/**
 * Where a work-group's items do not follow one another, no walk serves both scopes: even stages go in linear
 * order, odd ones from group to group.
 */
const apart = (latency: Latency): Latency => ({
  ...latency,
  start: (node, ready) => {
    const first = latency.start(node, ready);
    const parity = node.scope === "device" ? 0 : 1;
    return first % 2 === parity ? first : first + 1;
  },
});

interface Walk {
  readonly checked: Checked;
  readonly plan: Schedule;
  readonly storage: Storage;
  readonly geometry: Geometry;
  /** Results that are one value for all. */
  readonly uniforms: Map<NodeId, Expr>;
}

export function lowerSequential(
  checked: Checked,
  names: Names,
  geometry: Geometry,
): { buffers: Buffer[]; kernels: Kernel[] } {
  const plan = schedule(checked, geometry.contiguous ? LATENCY : apart(LATENCY));
  const storage = new Storage(checked, names, geometry, storedInMemory(checked, plan), keptValues(plan));
  const walk: Walk = { checked, plan, storage, geometry, uniforms: new Map() };
  const name = names.fresh("run");
  const code = new Code(names.fork());
  for (const { array, value, scatter } of storage.fills) {
    const { capacity } = scatter;
    const count = capacity === undefined ? geometry.n : new Values(siteAt(walk, u32(0))).get(capacity, code);
    code.for("slot", u32(0), count, (body, slot) => body.store(array, slot, value));
  }
  for (const stage of plan.stages) {
    storage.there = keptValues(plan, stage);
    walkStage(walk, stage, code);
  }
  const kernel: Kernel = { name, doc: [], workGroupSize: 1, groups: 1, shared: [], body: code.stmts };
  return { buffers: storage.buffers, kernels: [kernel] };
}

// Uniform results stay in variables of the one kernel.
function storedInMemory(checked: Checked, plan: Schedule): Set<NodeId> {
  return new Set([...plan.stored].filter((id) => checked.rates[id] !== "uniform"));
}

interface Progress {
  readonly component: Component;
  readonly state: Running;
}

function walkStage(walk: Walk, stage: number, code: Code): void {
  const { checked, plan, storage, geometry } = walk;
  const mine = checked.pipeline.nodes
    .filter(isCollective)
    .filter((node) => plan.start.get(node.id) === stage);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const device = progress(checked, code, mine, "device");
  const inGroups = mine.some((node) => node.scope === "work-group");
  const kept = plan.kept.get(stage) ?? [];
  if (mine.length + sinks.length + kept.length > 0) {
    const order = inGroups && !geometry.contiguous ? ", work-group after work-group" : "";
    code.comment(`walk ${plan.stages.indexOf(stage) + 1} over the items${order}`);
    if (inGroups) {
      const grouped = progress(checked, code, mine, "work-group");
      geometry.eachGroup(code, (body, group) => {
        for (const { state } of grouped) state.reset(body);
        group.each(body, (inner, lane, place) => {
          item(walk, stage, inner, place, [
            ...device.map((p) => ({ ...p, at: place.index })),
            ...grouped.map((p) => ({ ...p, at: lane })),
          ]);
        });
        closeGroup(walk, body, mine, grouped, group);
      });
    } else {
      code.for("i", u32(0), geometry.n, (body, i) => {
        const states = device.map((p) => ({ ...p, at: i }));
        item(walk, stage, body, geometry.place(i), states);
      });
    }
  }
  for (const { component, state } of device) {
    for (const node of component.nodes.filter((other) => !isScan(other)))
      walk.uniforms.set(node.id, state.latest[fieldOf(node)] as Expr);
  }
  for (const node of mine.filter((other) => other.kind === "broadcast")) {
    if (node.scope === "device") walk.uniforms.set(node.id, pick(walk, code, node));
  }
  const values = new Values(siteAt(walk, u32(0)), walk.uniforms);
  for (const sink of sinksAt(plan, stage, ["uniform"])) storage.write(sink, values, code);
}

function progress(
  { pipeline }: Checked,
  code: Code,
  nodes: readonly CollectiveNode[],
  scope: CollectiveNode["scope"],
): Progress[] {
  const mine = nodes.filter(isMonoid).filter((node) => node.scope === scope);
  return componentsOf(mine, pipeline.operators).map((component) => ({
    component,
    state: running(code, component.monoid, `${component.name}_so_far`),
  }));
}

function item(
  walk: Walk,
  stage: number,
  code: Code,
  place: Place,
  states: readonly (Progress & { at: Expr })[],
): void {
  const { plan, checked, storage } = walk;
  const values = new Values(siteOf(walk, place), walk.uniforms);
  // In the order of the list: a scan may feed another of the same walk.
  for (const { component, state, at } of [...states].sort((a, b) => firstOf(a) - firstOf(b))) {
    const value = operandsAt(component, values, code).map((operand) =>
      operand.kind === "var" || operand.kind === "const" ? operand : code.let("value", operand),
    );
    const latest = (hint: string, node: MonoidCollective): void =>
      values.set(node.id, code.let(hint, state.latest[fieldOf(node)] as VarExpr));
    const exclusive = component.nodes.filter((node) => formOf(node) === "exclusive-scan");
    for (const node of exclusive) latest("exclusive", node);
    state.push(code, at, value);
    const inclusive = component.nodes.filter((node) => formOf(node) === "inclusive-scan");
    for (const node of inclusive) latest("inclusive", node);
    for (const node of [...exclusive, ...inclusive].filter((other) => plan.stored.has(other.id)))
      storage.keep(node.id, values, code);
  }
  for (const id of plan.kept.get(stage) ?? []) storage.keep(id, values, code);
  const sinks = sinksAt(plan, stage, ["item", "group"]);
  const isPerGroup = (sink: SinkNode): boolean =>
    sink.kind === "output" && checked.rates[sink.id] === "group";
  const perGroup = sinks.filter(isPerGroup);
  for (const sink of sinks.filter((other) => !isPerGroup(other))) storage.write(sink, values, code);
  if (perGroup.length === 0) return;
  code.if(place.isFirst(code), (one) => {
    for (const sink of perGroup) storage.write(sink, values, one);
  });
}

const firstOf = (p: Progress): number => Math.max(...p.component.of);

function closeGroup(
  walk: Walk,
  code: Code,
  mine: readonly CollectiveNode[],
  grouped: readonly Progress[],
  group: Group,
): void {
  const values = new Values(siteOf(walk, group.first), walk.uniforms);
  const save = (id: NodeId, value: Expr): void => {
    const home = walk.storage.home(id);
    if (home) code.store(home as ArrayRef, walk.storage.indexOf(id, group.first, code), value);
  };
  for (const { component, state } of grouped) {
    for (const node of component.nodes.filter((other) => !isScan(other)))
      save(node.id, state.latest[fieldOf(node)] as Expr);
  }
  for (const node of mine.filter((other) => other.kind === "broadcast" && other.scope === "work-group")) {
    const coordinates = (node as BroadcastNode).index.map((id) => values.get(id, code));
    const at = code.let("source", group.item(code, coordinates));
    save(node.id, new Values(siteAt(walk, at), walk.uniforms).get((node as BroadcastNode).of, code));
  }
}

function pick(walk: Walk, code: Code, node: BroadcastNode): Expr {
  const uniforms = new Values(siteAt(walk, u32(0)), walk.uniforms);
  const coordinates = node.index.map((id) => uniforms.get(id, code));
  const type = walk.checked.types[node.id] as Expr["type"];
  const picked = code.var("picked", zeroOf(type));
  code.if(lt(u32(0), walk.geometry.n), (then) => {
    const at = then.let("source", walk.geometry.item(coordinates));
    then.assign(picked, new Values(siteAt(walk, at), walk.uniforms).get(node.of, then));
  });
  return picked;
}
