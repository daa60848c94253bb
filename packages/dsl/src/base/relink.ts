/** Nodes of a builder, and their links. */
import type { NodeId, PipelineNode } from "@groupwise/core";

type Without<N, K extends string> = N extends unknown ? Omit<N, K> : never;
/** A node before it has an id: its links are positions in the list of its operands. */
export type Template = Without<PipelineNode, "id" | "at">;

const LINKS = [
  ...["of", "left", "right", "condition", "then", "otherwise", "index"],
  ...["slot", "where", "length", "capacity"],
] as const;

/** The node with other operands. */
export function relink<N extends Template>(node: N, link: (id: NodeId) => NodeId): N {
  const copy: Record<string, unknown> = { ...node };
  for (const key of LINKS) if (typeof copy[key] === "number") copy[key] = link(copy[key]);
  if (node.kind === "scatter") copy.value = link(node.value);
  if (node.kind === "broadcast") copy.index = node.index.map(link);
  if (node.kind === "user-collective" || node.kind === "function") copy.of = node.of.map(link);
  return copy as N;
}
