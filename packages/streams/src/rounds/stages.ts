/** The rounds in which the values of a pipeline are computed, if a later round can use the results of earlier ones. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective, isScan } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { isSink } from "@groupwise/ir/document/operands.js";
import { isCount } from "@groupwise/ir/document/query.js";
import { operandsInChunk, orderedScatters } from "@groupwise/ir/slots/filled.js";
import { isEnd } from "../state/others/ahead.ts";
import { neededFor } from "../state/others/live.ts";
import { isEdge } from "../state/refuse.ts";

/** The rounds of a pipeline. */
export interface RoundStages {
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
export function stagesOf(checked: Checked, knowsCount: boolean): RoundStages {
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
