/**
 * The assignment of values to stages. A stage is one pass over all items; a collective's result is ready only
 * in a later one. The execution determines how much later (`Latency`); everything else is shared.
 */
import { addTo } from "@groupwise/ir/base/lists.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isPick } from "@groupwise/ir/document/collectives.js";
import type {
  CollectiveNode,
  GatherNode,
  NodeId,
  PipelineNode,
  ScatterNode,
  SinkNode,
} from "@groupwise/ir/document/node.js";
import { isSink, operandsOf } from "@groupwise/ir/document/operands.js";
import { ANYWHERE, type Latency, type Schedule } from "../parts/stages.ts";
import { storedCosts } from "./costly.ts";

/** Maximum number of operations that a gather recomputes at the other item instead of reading the value. */
const AGAIN = 32;

/** A schedule, and the stages that write materialized values. */
interface Plan extends Omit<Schedule, "stored" | "stages"> {
  readonly materializedIn: ReadonlyMap<NodeId, number>;
}

export function schedule(checked: Checked, latency: Latency): Schedule {
  const { nodes } = checked.pipeline;
  const ready: number[] = [];
  const start = new Map<NodeId, number>();
  const again = costsAgain(checked);
  const materializedIn = new Map<NodeId, number>();
  /** By scatter that items read: the stage that writes it. */
  const read = new Map<NodeId, number>();
  for (const node of nodes) {
    if (node.kind === "gather") {
      ready.push(Math.max(ready[node.index] as number, other(node)));
      continue;
    }
    const needed = isSink(node) && isLengthLater(latency, node) ? operandsInPass(node) : operandsOf(node);
    const operands = needed.reduce((stage, id) => Math.max(stage, ready[id] as number), ANYWHERE);
    if (isCollective(node)) {
      const first = latency.start(node, operands);
      start.set(node.id, first);
      const usual = latency.ready(node, first);
      ready.push(latency.inScans?.has(node.id) ? latency.ready(node, usual) : usual);
    } else {
      ready.push(operands);
    }
  }
  function other(node: GatherNode): number {
    const of = nodes[node.of] as PipelineNode;
    if (of.kind === "scatter") return afterScatter(of);
    return checked.uniformities[of.id] === "uniform" ? (ready[of.id] as number) : elsewhere(node);
  }
  /** The first stage after the one that writes a scatter, in which its length is known. */
  function afterScatter({ id, length }: ScatterNode): number {
    const stage = read.get(id) ?? Math.max(ready[id] as number, latency.firstStage);
    read.set(id, stage);
    return Math.max(stage + 1, length === undefined ? ANYWHERE : (ready[length] as number));
  }
  /** The first stage after those that write the values from which another item's value is read or computed. */
  function elsewhere({ of }: GatherNode): number {
    const from = ready[of] as number;
    if ((again[of] as number) <= AGAIN) return from === ANYWHERE ? ANYWHERE : from + 1;
    const stage = materializedIn.get(of) ?? Math.max(from, latency.firstStage);
    materializedIn.set(of, stage);
    return stage + 1;
  }
  const materialized = new Map<number, NodeId[]>();
  for (const [id, stage] of materializedIn) addTo(materialized, stage, id);
  const collectives = nodes.filter(isCollective).map(({ id }) => id);
  const busy = new Set([
    ...materialized.keys(),
    ...collectives.flatMap((id) => [start.get(id), ready[id]]),
  ] as number[]);
  const sinks = placeSinks(nodes.filter(isSink), (id) => read.get(id), ready, busy, latency);
  const numbers = [...busy].sort((a, b) => a - b);
  const plan: Plan = { checked, latency, ready, start, sinks, materialized, materializedIn };
  if (latency.computesAt) {
    const roots = new Map(numbers.map((stage) => [stage, rootsAt(plan, stage)]));
    for (const [id, stage] of storedCosts(checked, roots, materializedIn)) {
      materializedIn.set(id, stage);
      addTo(materialized, stage, id);
    }
  }
  const stages = numbers.map((number) => latency.stages.at(number));
  const stored = new Set([
    ...numbers.flatMap((stage) => [...reads(plan, stage)]),
    ...(latency.inScans ?? new Map()).keys(),
  ]);
  return { ...plan, stages, stored };
}

/** Whether the pass that writes a scatter does not need its length. */
const isLengthLater = ({ checksLengthsLater = false, filled }: Latency, { id }: SinkNode): boolean =>
  checksLengthsLater || filled?.has(id) === true;

/** Operands of an output, except the length of a scatter. */
function operandsInPass(node: SinkNode): readonly NodeId[] {
  if (node.kind === "output") return operandsOf(node);
  const { length: _, ...others } = node;
  return operandsOf(others);
}

/** By stage: the outputs that it writes. Each output is written in the first possible stage; stages that only write are added to the busy ones. */
function placeSinks(
  nodes: readonly SinkNode[],
  placed: (id: NodeId) => number | undefined,
  ready: readonly number[],
  busy: Set<number>,
  { firstStage }: Latency,
): Map<number, SinkNode[]> {
  const sinks = new Map<number, SinkNode[]>();
  for (const node of nodes) {
    const earliest = ready[node.id] as number;
    const fitting = [...busy].filter((stage) => stage >= earliest);
    const first = fitting.length ? Math.min(...fitting) : Math.max(earliest, firstStage);
    const stage = placed(node.id) ?? first;
    busy.add(stage);
    addTo(sinks, stage, node);
  }
  return sinks;
}

/** By node: number of operations for its value at another item; infinite if that requires another gather. */
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

/** The operands that a stage reduces for collectives. */
function reduced(plan: Plan, stage: number): NodeId[] {
  const isAt = (node: CollectiveNode): boolean =>
    plan.start.get(node.id) === stage || (plan.ready[node.id] === stage && plan.latency.readsAgain(node));
  return plan.checked.pipeline.nodes.filter(isCollective).filter(isAt).flatMap(operandsOf);
}

/** The values that a stage computes for all items. */
export function rootsAt(
  { checked, sinks, materialized, start, ready, latency }: Omit<Schedule, "stored" | "stages">,
  stage: number,
): NodeId[] {
  const at = { start: (id: NodeId) => start.get(id), ready: (id: NodeId) => ready[id] };
  const isAt = (node: CollectiveNode): boolean =>
    latency.computesAt?.(node).some((moment) => at[moment](node.id) === stage) === true;
  // A broadcast computes the value of one item, and a scan computes that of a reduce in `inScans`.
  const isWanted = (node: CollectiveNode): boolean => !isPick(node) && !latency.inScans?.has(node.id);
  const operands = checked.pipeline.nodes.filter(isCollective).filter(isWanted).filter(isAt);
  const written = (sinks.get(stage) ?? []).flatMap(operandsOf);
  return [...operands.flatMap(operandsOf), ...(materialized.get(stage) ?? []), ...written];
}

/** Collectives whose values a stage reads from memory. */
function reads(plan: Plan, stage: number): Set<NodeId> {
  const found = new Set<NodeId>();
  const sinks = plan.sinks.get(stage) ?? [];
  const isUniform = (sink: SinkNode): boolean =>
    sink.kind === "output" && plan.checked.uniformities[sink.id] === "uniform";
  const { inPass, splitsReduces = false } = plan.latency;
  const collect = (roots: readonly NodeId[], readsAll: boolean): void =>
    visit(plan, stage, roots, (node) => {
      if (readsAll || (plan.ready[node.id] as number) < stage || !inPass(node)) found.add(node.id);
    });
  collect(reduced(plan, stage), splitsReduces);
  collect(
    [
      ...(plan.materialized.get(stage) ?? []),
      ...sinks.filter((sink) => !isUniform(sink)).flatMap(operandsOf),
    ],
    false,
  );
  visit(plan, stage, sinks.filter(isUniform).flatMap(operandsOf), (node) => {
    if ((plan.ready[node.id] as number) < stage) found.add(node.id);
  });
  return found;
}

/** The nodes that a gather needs: of a scatter, which another stage writes, the length. */
function operandsHere({ of, index }: GatherNode, { pipeline: { nodes } }: Checked): readonly NodeId[] {
  const node = nodes[of] as PipelineNode;
  if (node.kind !== "scatter") return [of, index];
  return [index, ...(node.length === undefined ? [] : [node.length])];
}

/** Calls back for the nearest collectives that the roots depend on. */
function visit(
  plan: Plan,
  stage: number,
  roots: readonly NodeId[],
  found: (node: CollectiveNode) => void,
): void {
  const isMaterialized = (id: NodeId): boolean => plan.materializedIn.has(id);
  const isPresent = (id: NodeId): boolean => (plan.materializedIn.get(id) ?? Infinity) < stage;
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id) || isPresent(id)) continue;
    seen.add(id);
    const node = plan.checked.pipeline.nodes[id] as PipelineNode;
    if (isCollective(node)) found(node);
    else if (node.kind === "gather" && isMaterialized(node.of)) stack.push(node.index);
    else if (node.kind === "gather") stack.push(...operandsHere(node, plan.checked));
    else stack.push(...operandsOf(node));
  }
}
