/** In a pipeline over a chunk: numbers of elements from which those before the chunk are subtracted. */
import type { Checked } from "../document/check.ts";
import type { GatherNode, NodeId, PipelineNode } from "../document/node.ts";
import { operandsOf } from "../document/operands.ts";

/** The table whose first element a gather reads; undefined for other gathers. */
export function firstElementOf(
  nodes: readonly PipelineNode[],
  { of, index }: GatherNode,
): string | undefined {
  const [table, at] = [nodes[of], nodes[index]];
  return table?.kind === "table" && at?.kind === "const" && at.value === 0 ? table.name : undefined;
}

/** A number less the first element of a table of the chunk's state; other numbers unchanged. */
export interface Less {
  readonly of: NodeId;
  readonly table: string | undefined;
}

export function lessEarlier({ pipeline: { nodes }, counted }: Checked, id: NodeId): Less {
  const node = nodes[id];
  const other = node?.kind === "binary" && node.op === "sub" ? nodes[node.right] : undefined;
  const table = other?.kind === "gather" ? firstElementOf(nodes, other) : undefined;
  const isOfState = table !== undefined && [...(counted?.values() ?? [])].includes(table);
  return isOfState ? { of: (node as Difference).left, table } : { of: id, table: undefined };
}

type Difference = Extract<PipelineNode, { kind: "binary" }>;

/** The scans whose values are used only less the number before the chunk, with which they begin: items need no number of the whole range. */
export function countedInChunk(checked: Checked): ReadonlySet<NodeId> {
  const { counted, pipeline } = checked;
  if (!counted) return new Set();
  const users = new Map<NodeId, PipelineNode[]>();
  for (const node of pipeline.nodes)
    for (const id of operandsOf(node)) users.set(id, [...(users.get(id) ?? []), node]);
  const isLess = (id: NodeId, table: string): boolean =>
    (users.get(id) ?? []).every((user) => {
      const less = lessEarlier(checked, user.id);
      if (less.table === table) return less.of === id;
      // An inclusive count less one is a slot.
      const one = user.kind === "binary" && user.op === "sub" && user.left === id ? user.right : undefined;
      const isOne = one !== undefined && pipeline.nodes[one]?.kind === "const";
      return isOne && isLess(user.id, table);
    });
  return new Set([...counted].filter(([id, table]) => isLess(id, table)).map(([id]) => id));
}
