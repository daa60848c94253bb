/** Scatters by a stable rank: each slot is written by exactly one item, and none is past the end. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { SinkNode } from "@groupwise/ir/document/node.js";

/** Whether the items of a scatter are permuted. Narrow elements may be added to words of zeros, so they are not. */
export const isPermuted = ({ pipeline }: Checked, sink: SinkNode): boolean =>
  sink.kind === "scatter" &&
  pipeline.nodes[sink.slot]?.kind === "rank" &&
  sink.as === undefined &&
  sink.where === undefined &&
  sink.length === undefined &&
  sink.capacity === undefined &&
  sink.combine === undefined;
