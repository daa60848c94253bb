/** The kinds of pipelines whose parts are computed side by side. */
import type { Checked } from "@groupwise/ir/document/check.js";
import { isCollective } from "@groupwise/ir/document/collectives.js";
import type { SinkNode } from "@groupwise/ir/document/node.js";
import { operandsOf } from "@groupwise/ir/document/operands.js";
import { type Carried, carriedOf } from "./carry.ts";
import { withoutOthers } from "./others/others.ts";
import { refuseParts } from "./parts.ts";
import { kindOfState } from "./state.ts";

/**
 * `map`: parts are independent. `reduce`: the states of all parts are merged, and no item needs them. `scan`: first the states of parts,
 * then the items of each part from the state before it; scatters whose elements are in the order of their items write those of a part too.
 * Where elements stay in parts (`acrossRuntimes`), a compaction of values that need no scan is computed in one pass.
 */
export type Division = "map" | "reduce" | "scan";

/**
 * The kind of a pipeline.
 * @param knowsLater whether the inputs of items after a part are known
 * @throws GroupwiseError `not-carried` if it cannot be computed in parts with the bits of the whole range
 */
export function divisionOfChecked(checked: Checked, knowsLater: boolean = false): Division {
  carriedOf(checked);
  refuseParts(checked.pipeline, knowsLater);
  const { pipeline, sinks, uniformities } = withoutOthers(checked);
  refuseParts(pipeline, knowsLater);
  if (!pipeline.nodes.some(isCollective)) return "map";
  return sinks.some(({ id }) => uniformities[id] === "item") ? "scan" : "reduce";
}

/**
 * Whether the parts of a `scan` are independent where the elements of each part have an array of their own: collectives only count them, or
 * have one value for the range, and the states of parts are merged. The state of a part is then known after its items, if it is one total for each operator.
 */
export function areElementsApart({ scans, source }: Carried): boolean {
  if (!scans.every(({ operator }) => kindOfState(operator) === "total")) return false;
  const { pipeline, sinks, uniformities } = withoutOthers(source);
  const depends: boolean[] = [];
  for (const node of pipeline.nodes)
    depends.push(isCollective(node) || operandsOf(node).some((id) => depends[id]));
  const isFree = (sink: SinkNode): boolean => {
    if (sink.kind === "output") return uniformities[sink.id] === "uniform" || !depends[sink.of];
    return !depends[sink.value] && (sink.where === undefined || !depends[sink.where]);
  };
  return sinks.every(isFree);
}
