/** Scatters by a stable rank, and those that part items by a condition: each slot is written by exactly one item, and none is past the end. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { SinkNode } from "@groupwise/ir/document/node.js";
import { partingScatters } from "@groupwise/ir/slots/filled.js";

/** Whether the items of a scatter are permuted. Narrow elements may be added to words of zeros, so they are not. */
export const isPermuted = (checked: Checked, sink: SinkNode): boolean =>
  sink.kind === "scatter" &&
  (checked.pipeline.nodes[sink.slot]?.kind === "rank" || partingScatters(checked).has(sink.id)) &&
  sink.as === undefined &&
  sink.where === undefined &&
  sink.length === undefined &&
  sink.capacity === undefined &&
  sink.combine === undefined;
