/** Scans from the last item to the first: in a document the scan of the mirrored items, mirrored. */
import type { NodeId, PipelineNode } from "@groupwise/core";
import { decodeLiteral, operandsOf } from "@groupwise/core/target";

type Nodes = readonly PipelineNode[];
type ScanNode = Extract<PipelineNode, { kind: "scan-inclusive" | "scan-exclusive" }>;

/** Whether an index is that of the item as far from the end as the item is from the start: size - 1 - index. */
function isMirror(nodes: Nodes, id: NodeId): boolean {
  const [all, own] = operandsIn(nodes, id, "sub");
  const [size, one] = operandsIn(nodes, all?.id, "sub");
  return (
    own?.kind === "query" &&
    own.query === "global-linear-id" &&
    size?.kind === "query" &&
    size.query === "global-size" &&
    size.dimension === 0 &&
    one?.kind === "const" &&
    decodeLiteral("u32", one.value) === 1
  );
}

function operandsIn(nodes: Nodes, id: NodeId | undefined, op: string): readonly (PipelineNode | undefined)[] {
  const node = id === undefined ? undefined : nodes[id];
  return node?.kind === "binary" && node.op === op ? [nodes[node.left], nodes[node.right]] : [];
}

/** The scan that a gather mirrors, and the items that it scans from the last one on; undefined for other nodes. */
export function reverseScan(nodes: Nodes, node: PipelineNode): { scan: ScanNode; of: NodeId } | undefined {
  if (node.kind !== "gather" || !isMirror(nodes, node.index)) return undefined;
  const scan = nodes[node.of];
  if (scan?.kind !== "scan-inclusive" && scan?.kind !== "scan-exclusive") return undefined;
  const items = nodes[scan.of];
  return items?.kind === "gather" && isMirror(nodes, items.index) ? { scan, of: items.of } : undefined;
}

/** The nodes that outputs need. */
export function neededNodes(nodes: Nodes): ReadonlySet<NodeId> {
  const needed = new Set<NodeId>();
  for (const node of nodes.toReversed()) {
    if (node.kind === "output" || node.kind === "scatter") needed.add(node.id);
    if (!needed.has(node.id)) continue;
    const reverse = reverseScan(nodes, node);
    for (const id of reverse ? [reverse.of] : operandsOf(node)) needed.add(id);
  }
  return needed;
}
