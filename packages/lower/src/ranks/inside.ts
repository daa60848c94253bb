/** Scatters that need no comparison of slots with the end of the output, and no status word. */
import type { Checked } from "@groupwise/ir/document/check.js";
import type { SinkNode } from "@groupwise/ir/document/node.js";
import { boundOf } from "@groupwise/ir/slots/bounded.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import { isPermuted } from "./permuted.ts";

/**
 * Whether no slot is past the end, and none needs a comparison: the items are permuted, or the output has an element for each item and a slot
 * is the number of some of the items before.
 */
export const isInside = (checked: Checked, sink: SinkNode): boolean =>
  isPermuted(checked, sink) ||
  (sink.kind === "scatter" && sink.capacity === undefined && filledScatters(checked).has(sink.id));

/** Whether no slot is reported: none is past the end, or the condition of the scatter leaves these out. */
export const staysInside = (checked: Checked, sink: SinkNode): boolean =>
  isInside(checked, sink) || (sink.kind === "scatter" && boundOf(checked, sink) !== undefined);
