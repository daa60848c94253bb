/** Removes nodes that no output reads. The builder omits them, but documents may have them. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { NodeId, PipelineNode } from "@groupwise/ir/document/node.js";
import { isSink, operandsOf } from "@groupwise/ir/document/operands.js";
import { RebuiltPipeline } from "@groupwise/ir/document/rebuilt.js";

/** Nodes for the caller's arguments remain, even if nothing reads them. */
const isGiven = ({ kind }: PipelineNode): boolean => kind === "input" || kind === "param" || kind === "table";

/**
 * The pipeline without these nodes. A collective among them would be computed, and would need arrays that a device may not have.
 * @category Authors
 */
export function withoutUnread(checked: Checked): Checked {
  const { nodes } = checked.pipeline;
  const read = new Set<NodeId>();
  // Backwards, because operands precede their readers.
  for (const node of [...nodes].reverse()) {
    if (!read.has(node.id) && !isGiven(node) && !isSink(node)) continue;
    read.add(node.id);
    for (const id of operandsOf(node)) read.add(id);
  }
  if (read.size === nodes.length) return checked;
  const made = new RebuiltPipeline(checked);
  for (const node of nodes) if (read.has(node.id)) made.add(node);
  return made.checked();
}
