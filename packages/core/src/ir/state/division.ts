/** The kinds of pipelines whose parts are computed side by side. */
import type { Checked } from "../document/check.ts";
import { isCollective } from "../document/collectives.ts";
import { carriedOf } from "./carry.ts";
import { withoutOthers } from "./others/others.ts";
import { refuseParts } from "./parts.ts";

/**
 * `map`: parts are independent. `reduce`: the states of all parts are merged, and no item needs them. `scan`: first the states of parts,
 * then the items of each part from the state before it; scatters whose elements are in the order of their items write those of a part too.
 */
export type Division = "map" | "reduce" | "scan";

/**
 * The kind of a pipeline.
 * @throws GroupwiseError `not-carried` if it cannot be computed in parts with the bits of the whole range
 */
export function divisionOfChecked(checked: Checked): Division {
  carriedOf(checked);
  refuseParts(checked.pipeline);
  const { pipeline, sinks, uniformities } = withoutOthers(checked);
  refuseParts(pipeline);
  if (!pipeline.nodes.some(isCollective)) return "map";
  return sinks.some(({ id }) => uniformities[id] === "item") ? "scan" : "reduce";
}
