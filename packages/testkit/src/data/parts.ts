/** Parts of a pipeline: the same nodes for fewer outputs, for devices that cannot bind all outputs at once. */
import type { NodeId, Pipeline, PipelineNode } from "@groupwise/core";
import { isSink, operandsOf, type SinkNode } from "@groupwise/core/target";

const LINKS = [
  ...["of", "left", "right", "condition", "then", "otherwise", "index"],
  ...["value", "slot", "where", "length", "capacity"],
];

/** The node with other operands. */
export function relinked(
  node: PipelineNode,
  operand: (used: NodeId) => NodeId,
  id: NodeId = node.id,
): PipelineNode {
  const copy: Record<string, unknown> = { ...node, id };
  // A constant has a `value` too, which is not a node id.
  const links = node.kind === "const" ? [] : LINKS;
  for (const key of links) if (typeof copy[key] === "number") copy[key] = operand(copy[key]);
  if (node.kind === "broadcast") copy.index = node.index.map(operand);
  if (node.kind === "user-collective" || node.kind === "function") copy.of = node.of.map(operand);
  return copy as unknown as PipelineNode;
}

/** The pipeline with only these outputs and the nodes that they need. */
export function withOutputs(pipeline: Pipeline, names: ReadonlySet<string>): Pipeline {
  const wanted = new Set<NodeId>();
  const open = pipeline.nodes
    .filter((node): node is SinkNode => isSink(node) && names.has(node.name))
    .map(({ id }) => id);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    wanted.add(id);
    open.push(...operandsOf(pipeline.nodes[id] as PipelineNode).filter((used) => !wanted.has(used)));
  }
  const ids = new Map<NodeId, NodeId>();
  const nodes = pipeline.nodes
    .filter(({ id }) => wanted.has(id))
    .map((node, position) => {
      ids.set(node.id, position);
      return relinked(node, (used) => ids.get(used) as NodeId, position);
    });
  return { ...pipeline, nodes };
}

/** The names of a pipeline's outputs. */
export const sinksOf = (pipeline: Pipeline): string[] =>
  pipeline.nodes.flatMap((node) => (isSink(node) ? [node.name] : []));

/** The pipeline without the nodes that no output needs. */
export const withoutDead = (pipeline: Pipeline): Pipeline => {
  const live = withOutputs(pipeline, new Set(sinksOf(pipeline)));
  if (live.nodes.some(({ kind }) => kind === "user-collective")) return live;
  const { operators: _, ...rest } = live;
  return rest;
};
