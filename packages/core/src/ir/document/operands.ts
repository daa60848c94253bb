/** What nodes have in common: their operands, and what kind of node each is. */
import type { NodeId, NodeKind, Pipeline, PipelineNode, SinkNode } from "./node.ts";

/** Work-items of a work-group, over all dimensions. */
export function groupSizeOf({ workGroupSize }: Pick<Pipeline, "workGroupSize">): number {
  return workGroupSize.reduce((a, b) => a * b, 1);
}

/** The ids that a node uses, in a fixed order. */
export function operandsOf(node: PipelineNode): readonly NodeId[] {
  return (OPERANDS[node.kind] as (node: PipelineNode) => readonly NodeId[])(node);
}

const none = (): readonly NodeId[] => [];
const of = (node: { of: NodeId }): readonly NodeId[] => [node.of];

const OPERANDS: {
  readonly [K in NodeKind]: (node: Extract<PipelineNode, { kind: K }>) => readonly NodeId[];
} = {
  input: none,
  param: none,
  const: none,
  query: none,
  unary: of,
  binary: (node) => [node.left, node.right],
  function: (node) => node.of,
  select: (node) => [node.condition, node.then, node.otherwise],
  cast: of,
  bitcast: of,
  spread: of,
  table: none,
  "table-length": of,
  gather: (node) => [node.of, node.index],
  reduce: of,
  "scan-inclusive": of,
  "scan-exclusive": of,
  "user-collective": (node) => node.of,
  all: of,
  any: of,
  broadcast: (node) => [node.of, ...node.index],
  output: of,
  scatter: (node) => [
    node.value,
    node.slot,
    ...[node.where, node.length, node.capacity].filter((id) => id !== undefined),
  ],
};
/** True for a node that is an output of the pipeline. */
export function isSink(node: PipelineNode): node is SinkNode {
  return node.kind === "output" || node.kind === "scatter";
}
