/** Scatters none of whose slots is past the end, by their own condition or by how slots are computed: see `boundOf`. */
import type { Checked } from "../document/check.ts";
import type { NodeId, PipelineNode, ScatterNode } from "../document/node.ts";
import { isNarrow, NARROW } from "../tables/narrow.ts";

type Nodes = readonly PipelineNode[];
type Binary = Extract<PipelineNode, { kind: "binary" }>;

/** The value of a constant of u32, otherwise infinity. */
function constantOf(nodes: Nodes, id: NodeId): number {
  const node = nodes[id];
  return node?.kind === "const" && node.type === "u32" ? Number(node.value) : Number.POSITIVE_INFINITY;
}

/** By operator on u32: the bound of a result whose right operand is a constant. */
const BELOW: Readonly<Partial<Record<Binary["op"], (constant: number) => number>>> = {
  rem: (constant) => (constant > 0 ? constant : Number.POSITIVE_INFINITY),
  and: (constant) => constant + 1,
  min: (constant) => constant + 1,
};

/** A number that the values of a node of u32 are below. */
function belowOf(nodes: Nodes, id: NodeId): number {
  const node = nodes[id];
  if (node?.kind === "const") return constantOf(nodes, id) + 1;
  if (node?.kind === "input" && isNarrow(node.type))
    return (NARROW[node.type].range?.[1] ?? Number.POSITIVE_INFINITY) + 1;
  if (node?.kind !== "binary") return Number.POSITIVE_INFINITY;
  return BELOW[node.op]?.(constantOf(nodes, node.right)) ?? Number.POSITIVE_INFINITY;
}

/** The conditions that all hold where a condition holds. */
function partsOf(nodes: Nodes, id: NodeId): readonly NodeId[] {
  const node = nodes[id];
  return node?.kind === "binary" && node.op === "and"
    ? [...partsOf(nodes, node.left), ...partsOf(nodes, node.right)]
    : [id];
}

/** What is known of the slots that a scatter writes. */
interface Bound {
  /** They are below it, and it is at most the capacity. */
  readonly below: number;
  /** Whether the condition of the scatter says this and nothing else. */
  readonly isCondition: boolean;
  /** Whether each value of the slot is below it, that of an item that writes nothing too. */
  readonly isValue: boolean;
}

/** The bound of the slots; undefined if one may be at or past the end. */
export function boundOf(
  { pipeline: { nodes } }: Checked,
  { slot, where, length, capacity }: ScatterNode,
): Bound | undefined {
  if (length !== undefined || capacity === undefined) return undefined;
  const parts = where === undefined ? [] : partsOf(nodes, where);
  const bounds = parts.map((id) => {
    const node = nodes[id];
    const isOfSlot = node?.kind === "binary" && node.op === "lt" && node.left === slot;
    return isOfSlot ? constantOf(nodes, node.right) : Number.POSITIVE_INFINITY;
  });
  const stated = Math.min(...bounds);
  const ofValue = belowOf(nodes, slot);
  const below = Math.min(stated, ofValue);
  // A capacity that is no constant has no bound.
  const end = nodes[capacity]?.kind === "const" ? constantOf(nodes, capacity) : 0;
  if (below > end) return undefined;
  return { below, isCondition: parts.length === 1 && stated === below, isValue: ofValue <= end };
}
