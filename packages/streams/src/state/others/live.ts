/** Parts of the nodes of a pipeline. */
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { PipelineNodes } from "@groupwise/ir/document/nodes.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";

/** Arrays and parameters of the caller. */
const GIVEN: ReadonlySet<string> = new Set(["input", "param", "table"]);
/** Whether a caller passes the values of a node. */
export const isGiven = (node: PipelineNode): boolean => GIVEN.has(node.kind);

/** By id: whether a node is a goal, or a goal depends on it. @param isEnd whether the operands of a node are unneeded */
export function neededFor(
  nodes: readonly PipelineNode[],
  isGoal: (node: PipelineNode) => boolean,
  isEnd: (node: PipelineNode) => boolean = () => false,
): readonly boolean[] {
  const isNeeded = nodes.map(isGoal);
  for (const node of nodes.toReversed())
    if (isNeeded[node.id] && !isEnd(node)) for (const used of operandsOf(node)) isNeeded[used] = true;
  return isNeeded;
}

/** A part of the nodes, with ids of its own. */
export interface LivePart {
  readonly nodes: readonly PipelineNode[];
  /** By the ids of all nodes. */
  readonly ids: readonly NodeId[];
}

/** The goals and the nodes on which they depend. */
export function livePart(nodes: readonly PipelineNode[], isGoal: (node: PipelineNode) => boolean): LivePart {
  const isNeeded = neededFor(nodes, isGoal);
  const ids: NodeId[] = [];
  const list = new PipelineNodes();
  for (const node of nodes.filter(({ id }) => isNeeded[id])) ids[node.id] = list.move(node, ids);
  return { nodes: list.nodes, ids };
}
