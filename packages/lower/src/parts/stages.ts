/** Stages: passes over the items, and the values that each computes. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { CollectiveNode, NodeId, PipelineNode, SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { Uniformity } from "@groupwise/ir/document/uniformity.js";
import type { FilledNodes } from "@groupwise/ir/slots/filled.js";
import { factsOf } from "./facts.ts";
import type { Materialized } from "./storage.ts";

/** The stage before any pass: inputs, parameters, constants. */
export const ANYWHERE = -1;

/** `items`: a pass over all items in linear order, tile by tile; `groups`: work-group after work-group of the pipeline's. */
export type StageKind = "items" | "groups";

/** One pass. */
export interface Stage {
  readonly number: number;
  readonly kind: StageKind;
  /** Its number among the stages of its kind, from 0. */
  readonly turn: number;
}

/** All stages that a schedule may use, in rounds of one stage of each kind. A stage has its kind from when it is made. */
export class Stages {
  private readonly kinds: readonly StageKind[];
  private readonly made: Stage[] = [];
  private rounds = 0;

  constructor(...kinds: readonly StageKind[]) {
    this.kinds = kinds;
  }

  at(number: number): Stage {
    while (this.made.length <= number) this.makeRound();
    return this.made[number] as Stage;
  }

  /** The number of the first stage of a kind from a stage on. */
  first(kind: StageKind, from: number): number {
    let stage = Math.max(from, 0);
    while (this.at(stage).kind !== kind) stage++;
    return stage;
  }

  private makeRound(): void {
    const turn = this.rounds++;
    for (const kind of this.kinds) this.made.push({ number: this.made.length, kind, turn });
  }
}

/** The stage that first reduces the operand of a collective, or the one in which the result is ready. */
export type Moment = "start" | "ready";

/** For `Latency.computesAt`: the pass in which the result is ready computes the operands of some collectives again. */
export const againFor =
  (isAgain: (node: CollectiveNode) => boolean) =>
  (node: CollectiveNode): readonly Moment[] =>
    isAgain(node) ? ["start", "ready"] : ["start"];

export interface Latency {
  /** The stages to choose from. */
  readonly stages: Stages;
  /**
   * Stage in which a collective's operand is reduced, given the stage from which its operands can be
   * computed.
   */
  start(node: CollectiveNode, ready: number): number;
  /** Stage from which the result can be used, given the stage that reduces the operand. */
  ready(node: CollectiveNode, start: number): number;
  /** The stage for an output if no existing stage can write it. */
  readonly firstStage: number;
  /** True if the stage that finishes a collective recomputes its operand. */
  readsAgain(node: CollectiveNode): boolean;
  /** True if the pass that first uses the result also computes it, so that it is not read from memory. */
  inPass(node: CollectiveNode): boolean;
  /** True if a scatter's length may be computed, and then checked, after the pass that writes the scatter. */
  readonly checksLengthsLater?: boolean;
  /** True if one pass of the stage reduces operands, and another one computes its results. */
  readonly splitsReduces?: boolean;
  /** Scatters that do not need their lengths, each with its length. */
  readonly filled?: FilledNodes;
  /**
   * Given if values that take long to compute are stored for later stages that need them again: the stages whose passes compute the operand of
   * a collective for all items.
   */
  computesAt?(node: CollectiveNode): readonly Moment[];
  /** Reduces that are ready only after the pass of a scan, which stores them; each with that scan. */
  readonly inScans?: ReadonlyMap<NodeId, NodeId>;
}

export interface Schedule {
  readonly checked: Checked;
  readonly latency: Latency;
  /** By node: the first stage that can use its value. */
  readonly ready: readonly number[];
  /** By collective: the stage that reduces its operand. */
  readonly start: ReadonlyMap<NodeId, number>;
  /** Stages that compute or write something, ascending. */
  readonly stages: readonly Stage[];
  /** By stage: the outputs that it writes. */
  readonly sinks: ReadonlyMap<number, readonly SinkNode[]>;
  /** Collectives whose values later stages read from memory. */
  readonly stored: ReadonlySet<NodeId>;
  /**
   * By stage: item-wise values that it writes to memory, because gathers read them at other items and recomputing them
   * there would require further gathers, or many operations, or because later stages need them and they take long to compute.
   */
  readonly materialized: ReadonlyMap<number, readonly NodeId[]>;
}

/** Outputs of a stage, by the uniformity of their values. */
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

/** What passes store for later ones. */
export function materializedIn(
  plan: Pick<Schedule, "checked" | "stored" | "materialized" | "sinks">,
): Materialized {
  const { outputs } = factsOf(plan.checked);
  // The output of a work-group's value has one element for each work-group, and gathers read one for each item.
  const isOutput = (id: NodeId, stage: number): boolean =>
    plan.checked.uniformities[id] === "item" &&
    plan.sinks.get(stage)?.some((sink) => sink === outputs.get(id)) === true;
  const inOutputs = [...plan.materialized].flatMap(([stage, ids]) => ids.filter((id) => isOutput(id, stage)));
  return { collectives: plan.stored, values: materializedValues(plan), inOutputs: new Set(inOutputs) };
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
