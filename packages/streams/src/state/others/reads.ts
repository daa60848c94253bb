/** Nodes that read the values of other items. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { PipelineNode } from "@groupwise/ir/document/node.js";
import { isLinearId } from "@groupwise/ir/document/query.js";

/** Whether a node reads values of other items. */
export const isOther = (node: PipelineNode, nodes: readonly PipelineNode[]): boolean =>
  (node.kind === "gather" && nodes[node.of]?.kind !== "table") || node.kind === "broadcast";

/** Whether a node is the value of the previous item; at the first item it is that of the last one. */
export function isPrevious(node: PipelineNode, nodes: readonly PipelineNode[]): boolean {
  if (node.kind !== "gather" || nodes[node.of]?.kind === "table") return false;
  const index = nodes[node.index];
  if (index?.kind !== "binary") return false;
  const [left, right] = [nodes[index.left], nodes[index.right]];
  const isConst = (side: PipelineNode | undefined, value: number): boolean =>
    side?.kind === "const" && side.value === value;
  if (index.op === "sub") return isLinearId(left) && isConst(right, 1);
  const isBack = (a: PipelineNode | undefined, b: PipelineNode | undefined): boolean =>
    isLinearId(a) && isConst(b, 0xffffffff);
  return index.op === "add" && (isBack(left, right) || isBack(right, left));
}

/** Whether a node is the value of one item for the whole range. */
export function isPicked(node: PipelineNode, { pipeline, uniformities }: Checked): boolean {
  if (node.kind === "broadcast") return node.scope === "device";
  return node.kind === "gather" && isOther(node, pipeline.nodes) && uniformities[node.index] === "uniform";
}
