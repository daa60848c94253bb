/** Nodes that read the values of other items. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { GatherNode, PipelineNode } from "@groupwise/ir/document/node.js";
import { isLinearId } from "@groupwise/ir/document/query.js";

/** The greatest distance of a read of earlier items that a state carries: one fewer than the fields of an operator, which counts them too. */
export const FARTHEST_BACK = 31;

/** Whether a node reads values of other items. */
export const isOther = (node: PipelineNode, nodes: readonly PipelineNode[]): boolean =>
  isOfItems(node, nodes) || node.kind === "broadcast";

const isOfItems = (node: PipelineNode, nodes: readonly PipelineNode[]): node is GatherNode =>
  node.kind === "gather" && nodes[node.of]?.kind !== "table";

/** Whether a node reads what the pipeline scatters. */
export const isOfScatter = (node: PipelineNode, nodes: readonly PipelineNode[]): boolean =>
  node.kind === "gather" && nodes[node.of]?.kind === "scatter";

/** The constant k of a gather at the item's index plus k; undefined for other nodes. */
export function offsetOf(node: PipelineNode, nodes: readonly PipelineNode[]): number | undefined {
  const index = isOfItems(node, nodes) && !isOfScatter(node, nodes) ? nodes[node.index] : undefined;
  if (index?.kind !== "binary") return undefined;
  const [left, right] = [nodes[index.left], nodes[index.right]];
  const sum = (a: PipelineNode | undefined, b: PipelineNode | undefined): number | undefined =>
    isLinearId(a) && b?.kind === "const" ? Number(b.value) : undefined;
  const by = sum(left, right);
  if (index.op === "sub") return by === undefined ? undefined : -by | 0;
  const added = by ?? sum(right, left);
  return index.op === "add" && added !== undefined ? added | 0 : undefined;
}

/** The number of items by which a node reads before its own; 0 for other nodes. The first items, which have none, read the last one. */
export function distanceBack(node: PipelineNode, nodes: readonly PipelineNode[]): number {
  const offset = offsetOf(node, nodes) ?? 0;
  return offset < 0 && -offset <= FARTHEST_BACK ? -offset : 0;
}

/** Whether a node is the value of an earlier item at a constant distance. */
export const isPrevious = (node: PipelineNode, nodes: readonly PipelineNode[]): node is GatherNode =>
  distanceBack(node, nodes) > 0;

/** Whether a node is the value of one item for the whole range. */
export function isPicked(node: PipelineNode, { pipeline, uniformities }: Checked): boolean {
  if (node.kind === "broadcast") return node.scope === "device";
  const isItem = isOther(node, pipeline.nodes) && !isOfScatter(node, pipeline.nodes);
  return node.kind === "gather" && isItem && uniformities[node.index] === "uniform";
}
