/** The values that a pass computes for others. */
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";

/** The nodes that a pass computes for the roots, each once. @param written values that it reads from memory, as it does those of collectives */
export function* computedFor(
  nodes: readonly PipelineNode[],
  roots: readonly NodeId[],
  written: ReadonlySet<NodeId>,
): Generator<PipelineNode> {
  const seen = new Set<NodeId>();
  const stack = [...roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const node = nodes[id] as PipelineNode;
    if (seen.has(id) || written.has(id) || isCollective(node)) continue;
    seen.add(id);
    yield node;
    stack.push(...operandsOf(node));
  }
}
