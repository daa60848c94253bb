/** Stages: passes over the items, and what each computes. */
import type { Checked } from "../../ir/document/check.ts";
import { isCollective } from "../../ir/document/collectives.ts";
import type { CollectiveNode, NodeId, PipelineNode, SinkNode } from "../../ir/document/node.ts";
import { operandsOf } from "../../ir/document/operands.ts";
import type { Uniformity } from "../../ir/document/uniformity.ts";
import type { Filled } from "../ranks/filled.ts";

/** Stage that any pass comes after: inputs, parameters, constants. */
export const ANYWHERE = -1;

/** `items`: a pass over all items in linear order, tile by tile; `groups`: work-group after work-group of the pipeline's. */
export type StageKind = "items" | "groups";

/** One pass. */
export interface Stage {
  readonly number: number;
  readonly kind: StageKind;
}

/** The first stage of a kind from a stage on, where kinds follow one another in turns. */
export function stageOf(kinds: readonly StageKind[], kind: StageKind, from: number): number {
  let stage = Math.max(from, 0);
  while (kinds[stage % kinds.length] !== kind) stage++;
  return stage;
}

/** Which stage of its kind a stage is, from 0 on. */
export const turnOf = ({ latency: { kinds } }: Pick<Schedule, "latency">, stage: number): number =>
  Math.floor(stage / kinds.length);

export interface Latency {
  /** The kinds of stages, which follow one another in turns. */
  readonly kinds: readonly StageKind[];
  /**
   * Stage in which a collective's operand is reduced, given the stage from which its operands can be
   * computed.
   */
  start(node: CollectiveNode, ready: number): number;
  /** Stage from which the result can be used, given the stage that reduces the operand. */
  ready(node: CollectiveNode, start: number): number;
  /** The stage for an output where no stage exists yet that could hold it. */
  readonly firstStage: number;
  /** True where the stage that finishes a collective computes its operand once more. */
  readsAgain(node: CollectiveNode): boolean;
  /** True where the pass that first uses the result also makes it, so that it need not come from memory. */
  inPass(node: CollectiveNode): boolean;
  /** True where a scatter's length may be computed after the pass that writes the scatter, which checks it then. */
  readonly checksLengthsLater?: boolean;
  /** True where operands are reduced by a different pass of the stage than the one that computes its results. */
  readonly reducesApart?: boolean;
  /** Scatters that need not know their lengths, each with its length. */
  readonly filled?: Filled;
  /** Reduces that are ready only after the pass of a scan, which stores them; each with that scan. */
  readonly late?: ReadonlyMap<NodeId, NodeId>;
}

export interface Schedule {
  readonly checked: Checked;
  readonly latency: Latency;
  /** By node: the first stage that can use its value. */
  readonly ready: readonly number[];
  /** By collective: the stage that reduces its operand. */
  readonly start: ReadonlyMap<NodeId, number>;
  /** Stages with something to do, ascending. */
  readonly stages: readonly Stage[];
  /** By stage: the outputs that it writes. */
  readonly sinks: ReadonlyMap<number, readonly SinkNode[]>;
  /** Collectives whose values later stages read from memory. */
  readonly stored: ReadonlySet<NodeId>;
  /**
   * By stage: values of items that it writes to memory, because gathers read them at other items and computing them
   * there would take further gathers, or many operations.
   */
  readonly materialized: ReadonlyMap<number, readonly NodeId[]>;
}

/** Outputs of a stage, by how often their value changes. */
export function sinksAt(plan: Schedule, stage: number, uniformities: readonly Uniformity[]): SinkNode[] {
  return (plan.sinks.get(stage) ?? []).filter((node) => {
    const uniformity: Uniformity =
      node.kind === "scatter" ? "item" : (plan.checked.uniformities[node.id] as Uniformity);
    return uniformities.includes(uniformity);
  });
}

/** True for an output of one value for each work-group of the pipeline's. */
export const isPerGroup = ({ uniformities }: Pick<Checked, "uniformities">, sink: SinkNode): boolean =>
  sink.kind === "output" && uniformities[sink.id] === "group";

/** The values that are read at other items, and that stages before `stage` write. */
export function materializedValues(
  { materialized }: Pick<Schedule, "materialized">,
  stage: number = Infinity,
): ReadonlySet<NodeId> {
  return new Set([...materialized].flatMap(([writer, ids]) => (writer < stage ? ids : [])));
}

/** Whether a pass of the stage computes values that these need, without storing them. */
export function waits(
  { checked, ready, latency }: Schedule,
  stage: number,
  roots: readonly NodeId[],
): boolean {
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const node = checked.pipeline.nodes[id] as PipelineNode;
    if (!isCollective(node)) stack.push(...operandsOf(node));
    else if (ready[id] === stage && latency.inPass(node)) return true;
  }
  return false;
}
