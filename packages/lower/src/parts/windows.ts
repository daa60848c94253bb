/** Gathers at an index and the constants after it: one comparison tells whether all are inside, in place of a minimum for each. */
import { oncePer } from "@groupwise/ir/base/once.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import type { GatherNode, NodeId } from "@groupwise/ir/document/node.js";

/** Gathers of one input. */
export interface GatherWindow {
  readonly of: NodeId;
  /** The index of the first one is this, or a constant after it. */
  readonly from: NodeId;
  readonly members: readonly { readonly id: NodeId; readonly offset: number }[];
  readonly most: number;
}

/** A comparison and a branch are worth that many minima. */
const LEAST = 8;
const FARTHEST = 2 ** 16;

/** By gather: its window. */
export const windowsOf: (checked: Checked) => ReadonlyMap<NodeId, GatherWindow> = /*@__PURE__*/ oncePer(
  ({ pipeline: { nodes }, uniformities }: Checked) => {
    const groups = new Map<string, { id: NodeId; of: NodeId; from: NodeId; offset: number }[]>();
    for (const node of nodes) {
      if (node.kind !== "gather" || nodes[node.of]?.kind !== "input") continue;
      if (uniformities[node.index] === "uniform") continue;
      const { from, offset } = placeOf(node, nodes);
      const key = `${node.of} ${from}`;
      groups.set(key, [...(groups.get(key) ?? []), { id: node.id, of: node.of, from, offset }]);
    }
    const found = new Map<NodeId, GatherWindow>();
    for (const members of groups.values()) {
      const most = Math.max(...members.map(({ offset }) => offset));
      if (members.length < LEAST || most > FARTHEST) continue;
      const { of, from } = members[0] as (typeof members)[number];
      for (const { id } of members) found.set(id, { of, from, members, most });
    }
    return found;
  },
);

function placeOf(
  { index }: GatherNode,
  nodes: Checked["pipeline"]["nodes"],
): { readonly from: NodeId; readonly offset: number } {
  const node = nodes[index];
  if (node?.kind === "binary" && node.op === "add") {
    const right = nodes[node.right];
    if (right?.kind === "const") return { from: node.left, offset: Number(right.value) };
  }
  return { from: index, offset: 0 };
}
