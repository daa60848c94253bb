/**
 * Pipelines in rounds: each round reads all items. It computes the reduces whose results later rounds need, which take them as
 * parameters; the last round computes the outputs.
 */
import { hintOf, Names } from "@groupwise/ir/base/names.js";
import { type Checked, check } from "@groupwise/ir/document/check.js";
import { isCollective, isScan } from "@groupwise/ir/document/collectives.js";
import type { InputNode, NodeId, Pipeline, PipelineNode } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { isSink } from "@groupwise/ir/document/operands.js";
import { isCount } from "@groupwise/ir/document/query.js";
import { operandsInChunk, orderedScatters } from "@groupwise/ir/slots/filled.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { isEnd } from "../state/others/ahead.ts";
import { neededFor } from "../state/others/live.ts";
import { withoutOthers } from "../state/others/others.ts";
import { describe, isEdge, refuseAlways } from "../state/refuse.ts";
import { isMirrored, mirroredOf } from "./mirror.ts";

// The rounds in which the values of a pipeline are computed, if a later round can use the results of earlier ones.
/** The rounds of a pipeline. */
interface RoundStages {
  /** The number of rounds, at least 1. */
  readonly rounds: number;
  /** By id: the first round, from 0, in which each item can use the value. */
  readonly ready: readonly number[];
  /** Reduces, votes and the number of items whose results items or collectives use; in the order of the pipeline. */
  readonly needed: readonly PipelineNode[];
  /** True if the pipeline itself is its only round. Nodes without effect can also need results of the whole range. */
  readonly isUnchanged: boolean;
}

/** Whether the value of a node is known after the last item: a reduce, a vote or the number of items. */
const isLate = (node: PipelineNode): boolean => isCount(node) || (isCollective(node) && !isScan(node));

/** @param knowsCount the number of items is given with each round */
function stagesOf(checked: Checked, knowsCount: boolean): RoundStages {
  const { nodes } = checked.pipeline;
  const ordered = orderedScatters(checked);
  const ready: number[] = [];
  const isKnown = knownEdges(nodes, knowsCount);
  for (const node of nodes) {
    const before = Math.max(0, ...operandsInChunk(node, ordered).map((id) => ready[id] as number));
    if (isKnown(node)) ready.push(0);
    else if (isCount(node)) ready.push(knowsCount ? 0 : 1);
    else ready.push(before + (isLate(node) ? 1 : 0));
  }
  const last = (node: PipelineNode): number => {
    const at = ready[node.id] as number;
    return checked.uniformities[node.id] === "item" ? at : Math.max(0, at - 1);
  };
  const rounds = 1 + Math.max(0, ...nodes.filter(isSink).map(last));
  const needed = neededOf(checked, neededFor(nodes, isSink), isKnown);
  const isUnchanged =
    rounds === 1 &&
    neededOf(
      checked,
      nodes.map(() => true),
      isKnown,
    ).length === 0;
  return { rounds, ready, needed, isUnchanged };
}

/** Whether a chunk knows a comparison with the first item or the end. The number of items is not needed for it, unless it is given. */
const knownEdges =
  (nodes: readonly PipelineNode[], knowsCount: boolean) =>
  (node: PipelineNode): boolean =>
    isEdge(node, nodes) || (!knowsCount && isEnd(node, nodes));

/** The late values that an item or a collective uses, directly or through values of the whole range. */
function neededOf(
  checked: Checked,
  isLive: readonly boolean[],
  isKnown: (node: PipelineNode) => boolean,
): readonly PipelineNode[] {
  const { nodes } = checked.pipeline;
  const { uniformities } = checked;
  const ordered = orderedScatters(checked);
  const isUsed = new Set<NodeId>();
  for (const node of nodes.toReversed()) {
    if (!isLive[node.id] || isKnown(node)) continue;
    const isUser = isCollective(node) || uniformities[node.id] !== "uniform" || isUsed.has(node.id);
    if (isUser) for (const id of operandsInChunk(node, ordered)) isUsed.add(id);
  }
  return nodes.filter((node) => isUsed.has(node.id) && isLate(node));
}

/** A result of one round that later rounds use. */
export interface RoundValue {
  /** The name of the output that computes it, and of the parameters that take it. */
  readonly name: string;
  readonly type: Scalar;
  /** What it is, for people. */
  readonly about: string;
  /** The source location of its node. */
  readonly at?: string;
}

/** One pass over all items. */
export interface Round {
  /** From 1. */
  readonly number: number;
  /** The pipeline of this round. Inputs, tables and parameters that it does not read are absent. */
  readonly pipeline: Pipeline;
  /** The inputs whose items it reads. If its pipeline has none, one of the whole pipeline, for the number of items. */
  readonly reads: readonly string[];
  /** The results of earlier rounds that are its parameters. */
  readonly takes: readonly RoundValue[];
  /** Its outputs for later rounds; none in the last round, whose outputs are those of the whole pipeline. */
  readonly gives: readonly RoundValue[];
}

/** A pipeline in rounds. */
export interface Rounds {
  /** The whole pipeline. */
  readonly pipeline: Pipeline;
  /**
   * `backwards` if scans begin at the last item: chunks follow one another from the last to the first, and a state counts items from the end. The pipelines
   * of rounds are then those of the mirrored items.
   */
  readonly order: "forwards" | "backwards";
  /** At least one. One round is the pipeline itself, unless it takes the number of items. */
  readonly list: readonly Round[];
  /** The parameter for the number of items, if it is given and used. */
  readonly items: RoundValue | undefined;
}

/** Options of rounds. */
export interface RoundsChoice {
  /** True: the number of items is known before the first round, so that none is needed to count them. */
  readonly knowsCount?: boolean;
}

/**
 * The rounds in which a pipeline is computed chunk by chunk with the bits of the whole range.
 * @throws GroupwiseError `not-carried` if it cannot be computed so
 */
export function roundsOfChecked(given: Checked, { knowsCount = false }: RoundsChoice = {}): Rounds {
  const isBackwards = isMirrored(given);
  const ordered = isBackwards ? mirroredOf(given) : given;
  refuseAlways(ordered);
  const checked = withoutOthers(ordered);
  const order = isBackwards ? "backwards" : "forwards";
  const stages = stagesOf(checked, knowsCount);
  const { pipeline } = given;
  if (stages.isUnchanged) {
    const own = { pipeline: checked.pipeline, reads: readsOf(checked.pipeline, checked) };
    return { pipeline, order, list: [{ number: 1, ...own, takes: [], gives: [] }], items: undefined };
  }
  const maker = new RoundMaker(checked, stages);
  const list = Array.from({ length: stages.rounds }, (_, round) => maker.make(round));
  const count = stages.needed.find((node) => isCount(node) && stages.ready[node.id] === 0);
  return { pipeline, order, list, items: count && maker.valueOf(count) };
}

/** @param whole the whole pipeline */
function readsOf({ nodes }: Pipeline, whole: Checked): readonly string[] {
  const own = nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  if (own.length > 0) return own;
  const bytes = ({ type }: InputNode): number => arraySpec(type).hostBytes;
  const [narrowest] = whole.inputs.toSorted((a, b) => bytes(a) - bytes(b));
  return narrowest ? [narrowest.name] : [];
}

class RoundMaker {
  private readonly checked: Checked;
  private readonly stages: RoundStages;
  private readonly values = new Map<number, RoundValue>();

  constructor(checked: Checked, stages: RoundStages) {
    this.checked = checked;
    this.stages = stages;
    const { nodes } = checked.pipeline;
    const names = new Names(nodes.flatMap((node) => ("name" in node ? [node.name] : [])));
    let count: RoundValue | undefined;
    for (const node of stages.needed) {
      // Several queries for the number of items have one value.
      const value = (isCount(node) ? count : undefined) ?? this.named(node, names);
      if (isCount(node)) count = value;
      this.values.set(node.id, value);
    }
  }

  valueOf(node: PipelineNode): RoundValue {
    return this.values.get(node.id) as RoundValue;
  }

  /** @param round from 0 */
  make(round: number): Round {
    const { checked, stages } = this;
    const { nodes } = checked.pipeline;
    const taken = new Map<number, PipelineNode>();
    const given = new Map<number, PipelineNode>();
    for (const node of stages.needed) {
      const ready = stages.ready[node.id] as number;
      if (ready <= round) taken.set(node.id, node);
      else if (ready === round + 1) given.set(node.id, node);
    }
    const isLast = round === stages.rounds - 1;
    const isGoal = (node: PipelineNode): boolean => (isLast ? isSink(node) : given.has(node.id));
    const isNeeded = neededFor(nodes, isGoal, ({ id }) => taken.has(id));
    const made = this.nodesOf(isNeeded, taken, isLast ? [] : [...given.values()]);
    const pipeline = check({ ...checked.pipeline, nodes: made }).pipeline;
    const used = [...taken.values()].filter(({ id }) => isNeeded[id]);
    return {
      number: round + 1,
      pipeline,
      reads: readsOf(pipeline, checked),
      takes: this.valuesOf(used),
      gives: isLast ? [] : this.valuesOf([...given.values()]),
    };
  }

  private valuesOf(nodes: readonly PipelineNode[]): readonly RoundValue[] {
    return [...new Set(nodes.map((node) => this.valueOf(node)))];
  }

  /** The nodes of a round. Results of earlier rounds become parameters. */
  private nodesOf(
    isNeeded: readonly boolean[],
    taken: ReadonlyMap<number, PipelineNode>,
    given: readonly PipelineNode[],
  ): readonly PipelineNode[] {
    const list = new PipelineNodes();
    const moved: number[] = [];
    const params = new Map<RoundValue, number>();
    for (const node of this.checked.pipeline.nodes.filter(({ id }) => isNeeded[id])) {
      if (!taken.has(node.id)) {
        moved[node.id] = list.move(node, moved);
        continue;
      }
      const value = this.valueOf(node);
      const { name, type, at } = value;
      const id =
        params.get(value) ?? list.add({ kind: "param", name, type, ...(at !== undefined && { at }) });
      params.set(value, id);
      moved[node.id] = id;
    }
    for (const value of this.valuesOf(given)) {
      const node = given.find((one) => this.valueOf(one) === value) as PipelineNode;
      list.output(value.name, moved[node.id] as number);
    }
    return list.nodes;
  }

  private named(node: PipelineNode, names: Names): RoundValue {
    const type = this.checked.types[node.id] as Scalar;
    const name = names.fresh(hintOf(isCount(node) ? "items" : this.operatorName(node)));
    const about = isCount(node) ? "the number of items" : describe(node);
    return { name, type, about, ...(node.at !== undefined && { at: node.at }) };
  }

  private operatorName(node: PipelineNode): string {
    const { operators = [] } = this.checked.pipeline;
    if (node.kind !== "user-collective") return `${"op" in node ? node.op : node.kind}_of_all`;
    const operator = operators[node.operator];
    return `${operator?.name}_${operator?.fields[node.field]?.name}_of_all`;
  }
}
