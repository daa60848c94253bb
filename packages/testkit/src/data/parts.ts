/** Parts of a pipeline: the same nodes for fewer outputs, for devices that cannot bind all outputs at once. */
import type { NodeId, Pipeline, PipelineNode } from "@groupwise/core";
import { isSink, operandsOf, PipelineNodes, type SinkNode } from "@groupwise/core/target";

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
  const ids: NodeId[] = [];
  const list = new PipelineNodes();
  for (const node of pipeline.nodes) if (wanted.has(node.id)) ids[node.id] = list.move(node, ids);
  return { ...pipeline, nodes: list.nodes };
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
