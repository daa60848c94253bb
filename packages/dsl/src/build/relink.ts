import type { NodeId } from "@groupwise/core";
import type { Template } from "./expr.ts";

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
