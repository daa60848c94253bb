/** Reduces that the pass of a scan can compute, because the scan combines the same values. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { formOf, isCollective, isMonoid, isScan } from "@groupwise/ir/document/collectives.js";
import type { MonoidCollective, NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import type { FilledNodes } from "@groupwise/ir/slots/filled.js";
import { type KeyOf, keysOf } from "@groupwise/ir/slots/keys.js";

/** Each with a scan of the same values by the same operator. No item's value needs them, and no other collective. */
export function reducesInScans(checked: Checked, filled: FilledNodes): Map<NodeId, NodeId> {
  const found = new Map<NodeId, NodeId>();
  const device = checked.pipeline.nodes
    .filter(isCollective)
    .filter(isMonoid)
    .filter(({ scope }) => scope === "device");
  const scans = device.filter(isScan);
  const reduces = device.filter((node) => formOf(node) === "reduce");
  if (scans.length === 0 || reduces.length === 0) return found;
  const keyOf = keysOf(checked);
  const byWhat = new Map(scans.map((node) => [whatOf(node, keyOf), node.id]));
  const waits = waited(checked, filled);
  for (const node of reduces) {
    const scan = byWhat.get(whatOf(node, keyOf));
    if (scan !== undefined && !waits.has(node.id)) found.set(node.id, scan);
  }
  return found;
}

/** The operator and its operands. */
const whatOf = (node: MonoidCollective, keyOf: KeyOf): string => {
  const operator =
    node.kind === "user-collective"
      ? [node.operator, node.field]
      : "op" in node
        ? [node.op, node.type, node.order]
        : [node.kind];
  return JSON.stringify([operator, operandsOf(node).map(keyOf)]);
};

/** Values that are needed before all items have been written. */
function waited({ pipeline: { nodes }, uniformities }: Checked, filled: FilledNodes): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  const isLater = (node: PipelineNode): boolean =>
    uniformities[node.id] === "uniform" && !isCollective(node) && !found.has(node.id);
  for (let id = nodes.length - 1; id >= 0; id--) {
    const node = nodes[id] as PipelineNode;
    if (node.kind !== "scatter" && isLater(node)) continue;
    const total = filled.get(node.id);
    for (const operand of operandsOf(node))
      if (operand !== total || node.kind !== "scatter" || isUsedElse(node, total)) found.add(operand);
  }
  return found;
}

/** Whether a scatter also uses its length for something else. */
const isUsedElse = (node: Extract<PipelineNode, { kind: "scatter" }>, length: NodeId): boolean =>
  [node.value, node.slot, node.where, node.capacity].includes(length);
