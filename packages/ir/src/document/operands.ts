/** Operands of nodes, and tests of their kinds. */
import type { NodeId, NodeKind, Pipeline, PipelineNode, SinkNode } from "./node.ts";

/** Work-items of a work-group, over all dimensions. */
export function groupSizeOf({ workGroupSize }: Pick<Pipeline, "workGroupSize">): number {
  return workGroupSize.reduce((a, b) => a * b, 1);
}

/** The fields of a node that hold ids or lists of ids, in a fixed order. */
const OPERANDS: { readonly [K in NodeKind]: readonly (keyof Extract<PipelineNode, { kind: K }>)[] } = {
  input: [],
  param: [],
  const: [],
  query: [],
  unary: ["of"],
  binary: ["left", "right"],
  function: ["of"],
  select: ["condition", "then", "otherwise"],
  cast: ["of"],
  bitcast: ["of"],
  spread: ["of"],
  table: [],
  "table-length": ["of"],
  gather: ["of", "index"],
  reduce: ["of"],
  "scan-inclusive": ["of"],
  "scan-exclusive": ["of"],
  "user-collective": ["of"],
  all: ["of"],
  any: ["of"],
  broadcast: ["of", "index"],
  rank: ["of"],
  output: ["of"],
  scatter: ["value", "slot", "where", "length", "capacity"],
};

/** Nodes whose value at an item follows from those of their operands at the same item. */
export const ELEMENTWISE: ReadonlySet<NodeKind> = new Set<NodeKind>([
  "unary",
  "binary",
  "function",
  "select",
  "cast",
  "bitcast",
]);

type Ids = NodeId | readonly NodeId[] | undefined;
const idsAt = (node: Pick<PipelineNode, "kind">, field: string): Ids =>
  (node as unknown as Readonly<Record<string, Ids>>)[field];

/** The ids that a node uses, in a fixed order. A loop, because checks and programs call it for every node many times. */
export const operandsOf = (node: PipelineNode): readonly NodeId[] => {
  const found: NodeId[] = [];
  for (const field of OPERANDS[node.kind]) {
    const ids = idsAt(node, field);
    if (typeof ids === "number") found.push(ids);
    else if (ids !== undefined) found.push(...ids);
  }
  return found;
};

/** The node, which need not have an id yet, with other operands. */
export function mapOperands<Node extends Pick<PipelineNode, "kind">>(
  node: Node,
  change: (id: NodeId) => NodeId,
): Node {
  const made: Record<string, unknown> = { ...node };
  for (const field of OPERANDS[node.kind]) {
    const ids = idsAt(node, field);
    if (ids !== undefined) made[field] = typeof ids === "number" ? change(ids) : ids.map(change);
  }
  return made as Node;
}

/** True for a node that is an output of the pipeline. */
export function isSink(node: PipelineNode): node is SinkNode {
  return node.kind === "output" || node.kind === "scatter";
}
