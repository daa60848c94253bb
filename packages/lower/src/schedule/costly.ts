/** Values that take long to compute and that several stages need: the first of these stages stores them for the others. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { isElementary } from "@groupwise/ir/functions/functions.js";
import { computedFor } from "./computed.ts";

/** Elementary functions, except those of the language. */
const isCostly = (node: PipelineNode): boolean =>
  node.kind === "function" && isElementary(node.op) && node.fast !== true;

/** True if a pass computes a value for the roots that takes long. @param written values that it reads */
export const needsCosts = (
  { pipeline: { nodes } }: Checked,
  roots: readonly NodeId[],
  written: ReadonlySet<NodeId>,
): boolean => [...computedFor(nodes, roots, written)].some(isCostly);

/**
 * @param rootsByStage by stage, in ascending order: the values of an item that it reduces or writes
 * @param taken values that are stored for another reason
 * @returns by node: the stage that stores it
 */
export function storedCosts(
  { pipeline: { nodes }, uniformities }: Checked,
  rootsByStage: ReadonlyMap<number, readonly NodeId[]>,
  taken: ReadonlyMap<NodeId, number>,
): ReadonlyMap<NodeId, number> {
  const found = new Map<NodeId, number>();
  if (!nodes.some(isCostly)) return found;
  const elsewhere = neededElsewhere(nodes);
  /** By node: the stages that compute it. */
  const needed = new Map<NodeId, Set<number>>();
  const need = (id: NodeId, stages: Iterable<number>): void => {
    const all = needed.get(id) ?? new Set();
    for (const stage of stages) all.add(stage);
    needed.set(id, all);
  };
  for (const [stage, roots] of rootsByStage) for (const id of roots) need(id, [stage]);
  // Users come after their operands in the list.
  for (const node of nodes.toReversed()) {
    const stages = needed.get(node.id);
    if (!stages || isCollective(node)) continue;
    const first = Math.min(...stages);
    const isStored = stages.size > 1 && isCostly(node) && uniformities[node.id] === "item";
    if (isStored && !taken.has(node.id) && !elsewhere.has(node.id)) found.set(node.id, first);
    for (const id of operandsOf(node)) need(id, found.has(node.id) ? [first] : stages);
  }
  return found;
}

/** Values that gathers compute at other items, perhaps in the stage that would store them. */
function neededElsewhere(nodes: readonly PipelineNode[]): ReadonlySet<NodeId> {
  const found = new Set<NodeId>();
  for (const node of nodes.toReversed()) {
    if (node.kind === "gather") found.add(node.of);
    if (found.has(node.id) && !isCollective(node)) for (const id of operandsOf(node)) found.add(id);
  }
  return found;
}
