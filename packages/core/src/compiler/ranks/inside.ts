/** Scatters that need no comparison of slots with the end of the output, and no status word. */
import type { Checked } from "../../ir/document/check.ts";
import type { SinkNode } from "../../ir/document/node.ts";
import { boundOf } from "../../ir/slots/bounded.ts";
import { filledScatters } from "../../ir/slots/filled.ts";
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
