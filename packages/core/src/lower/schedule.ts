/**
 * Which stage computes what. A stage is one walk over all items; a collective's result can be ready only
 * in a later one. How much later is the execution's business (`Latency`); the rest is common.
 */
import type { Checked } from "../ir/check.ts";
import {
  type CollectiveNode,
  type GatherNode,
  isCollective,
  isSink,
  type NodeId,
  operandsOf,
  type PipelineNode,
  type SinkNode,
} from "../ir/node.ts";
import type { Rate } from "../ir/rate.ts";
import { addTo } from "./facts.ts";

/** Stage that any walk comes after: inputs, parameters, constants. */
export const ANYWHERE = -1;

export interface Latency {
  /**
   * Stage in which a collective's operand is gathered, given the stage from which its operands can be
   * computed.
   */
  start(node: CollectiveNode, ready: number): number;
  /** Stage from which the result can be used, given the stage that gathers the operand. */
  ready(node: CollectiveNode, start: number): number;
  /** The stage for an output where no stage exists yet that could hold it. */
  readonly firstStage: number;
  /** True where the stage that finishes a collective computes its operand once more. */
  readonly rewalks: boolean;
  /** True where the walk that first uses the result also makes it, so that it need not come from memory. */
  inWalk(node: CollectiveNode): boolean;
  /** True where operands are gathered by another walk of the stage than the one that makes its results. */
  readonly gathersApart?: boolean;
}

export interface Schedule {
  readonly checked: Checked;
  readonly latency: Latency;
  /** By node: the first stage that can use its value. */
  readonly ready: readonly number[];
  /** By collective: the stage that gathers its operand. */
  readonly start: ReadonlyMap<NodeId, number>;
  /** Stages with something to do, ascending. */
  readonly stages: readonly number[];
  /** By stage: the outputs that it writes. */
  readonly sinks: ReadonlyMap<number, readonly SinkNode[]>;
  /** Collectives whose values later stages read from memory. */
  readonly stored: ReadonlySet<NodeId>;
  /**
   * By stage: values of items that it writes to memory, because gathers read them at other items and computing them
   * there would take gathers again, or much.
   */
  readonly kept: ReadonlyMap<number, readonly NodeId[]>;
}

/** What a gather computes again at the other item, rather than reading it: that many operations. */
const AGAIN = 32;

/** A schedule, and the stages that write what is kept. */
interface Plan extends Omit<Schedule, "stored"> {
  readonly keptIn: ReadonlyMap<NodeId, number>;
}

export function schedule(checked: Checked, latency: Latency): Schedule {
  const { nodes } = checked.pipeline;
  const ready: number[] = [];
  const start = new Map<NodeId, number>();
  const again = costsAgain(checked);
  const keptIn = new Map<NodeId, number>();
  for (const node of nodes) {
    if (node.kind === "gather") {
      const other = checked.rates[node.of] === "uniform" ? (ready[node.of] as number) : elsewhere(node);
      ready.push(Math.max(ready[node.index] as number, other));
      continue;
    }
    const operands = operandsOf(node).reduce((stage, id) => Math.max(stage, ready[id] as number), ANYWHERE);
    if (isCollective(node)) {
      const first = latency.start(node, operands);
      start.set(node.id, first);
      ready.push(latency.ready(node, first));
    } else {
      ready.push(operands);
    }
  }
  /** The first stage that comes after all is written from which another item's value is read or made. */
  function elsewhere({ of }: GatherNode): number {
    const from = ready[of] as number;
    if ((again[of] as number) <= AGAIN) return from === ANYWHERE ? ANYWHERE : from + 1;
    const stage = keptIn.get(of) ?? Math.max(from, latency.firstStage);
    keptIn.set(of, stage);
    return stage + 1;
  }
  const kept = new Map<number, NodeId[]>();
  for (const [id, stage] of keptIn) addTo(kept, stage, id);
  const busy = new Set<number>(kept.keys());
  for (const node of nodes.filter(isCollective)) {
    busy.add(start.get(node.id) as number);
    busy.add(ready[node.id] as number);
  }
  const sinks = new Map<number, SinkNode[]>();
  for (const node of nodes.filter(isSink)) {
    const earliest = ready[node.id] as number;
    const fitting = [...busy].filter((stage) => stage >= earliest);
    const stage = fitting.length ? Math.min(...fitting) : Math.max(earliest, latency.firstStage);
    busy.add(stage);
    addTo(sinks, stage, node);
  }
  const stages = [...busy].sort((a, b) => a - b);
  const schedule = { checked, latency, ready, start, stages, sinks, kept };
  const plan: Plan = { ...schedule, keptIn };
  return { ...schedule, stored: new Set(stages.flatMap((stage) => [...reads(plan, stage)])) };
}

/** By node: operations that its value takes at another item; without end where that needs another item again. */
function costsAgain({ pipeline: { nodes } }: Checked): number[] {
  const costs: number[] = [];
  for (const node of nodes) {
    const isLoad = isCollective(node) || node.kind === "input" || node.kind === "table";
    const isFromItems = node.kind === "gather" && nodes[node.of]?.kind !== "table";
    const below = (): number => operandsOf(node).reduce((sum, id) => sum + (costs[id] as number), 1);
    costs.push(isLoad ? 0 : isFromItems ? Number.POSITIVE_INFINITY : below());
  }
  return costs;
}

/** The operands that a stage gathers for collectives. */
function gathered(plan: Plan, stage: number): NodeId[] {
  const isAt = (node: CollectiveNode): boolean =>
    plan.start.get(node.id) === stage || (plan.latency.rewalks && plan.ready[node.id] === stage);
  return plan.checked.pipeline.nodes.filter(isCollective).filter(isAt).flatMap(operandsOf);
}

/** Collectives whose values a stage reads from memory. */
function reads(plan: Plan, stage: number): Set<NodeId> {
  const found = new Set<NodeId>();
  const sinks = plan.sinks.get(stage) ?? [];
  const isUniform = (sink: SinkNode): boolean =>
    sink.kind === "output" && plan.checked.rates[sink.id] === "uniform";
  const { inWalk, gathersApart = false } = plan.latency;
  const walk = (roots: readonly NodeId[], apart: boolean): void =>
    visit(plan, stage, roots, (node) => {
      if (apart || (plan.ready[node.id] as number) < stage || !inWalk(node)) found.add(node.id);
    });
  walk(gathered(plan, stage), gathersApart);
  walk(
    [...(plan.kept.get(stage) ?? []), ...sinks.filter((sink) => !isUniform(sink)).flatMap(operandsOf)],
    false,
  );
  visit(plan, stage, sinks.filter(isUniform).flatMap(operandsOf), (node) => {
    if ((plan.ready[node.id] as number) < stage) found.add(node.id);
  });
  return found;
}

/** Calls back for the nearest collectives that the roots are made from. */
function visit(
  plan: Plan,
  stage: number,
  roots: readonly NodeId[],
  found: (node: CollectiveNode) => void,
): void {
  const isKept = (id: NodeId): boolean => plan.keptIn.has(id);
  const isThere = (id: NodeId): boolean => (plan.keptIn.get(id) ?? Infinity) < stage;
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || isThere(id)) continue;
    seen.add(id);
    const node = plan.checked.pipeline.nodes[id] as PipelineNode;
    if (isCollective(node)) found(node);
    else if (node.kind === "gather" && isKept(node.of)) stack.push(node.index);
    else stack.push(...operandsOf(node));
  }
}

/** Outputs of a stage, by how often their value changes. */
export function sinksAt(plan: Schedule, stage: number, rates: readonly Rate[]): SinkNode[] {
  return (plan.sinks.get(stage) ?? []).filter((node) => {
    const rate: Rate = node.kind === "scatter" ? "item" : (plan.checked.rates[node.id] as Rate);
    return rates.includes(rate);
  });
}

/** The values that are read at other items, and that stages before `stage` write. */
export function keptValues({ kept }: Pick<Schedule, "kept">, stage: number = Infinity): ReadonlySet<NodeId> {
  return new Set([...kept].flatMap(([writer, ids]) => (writer < stage ? ids : [])));
}
