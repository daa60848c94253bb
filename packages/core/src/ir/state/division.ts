/** How the parts of a range are computed side by side. */
import type { Checked } from "../document/check.ts";
import { isCollective } from "../document/collectives.ts";
import { carriedOf } from "./carry.ts";
import { refuseParts } from "./parts.ts";

/**
 * `map`: parts are independent. `reduce`: the states of all parts join, and no item needs them. `scan`: first the states of parts,
 * then the items of each part after those before it.
 */
export type Division = "map" | "reduce" | "scan";

/**
 * How a pipeline is computed in parts.
 * @throws GroupwiseError `not-carried` if it cannot be, with the bits of the whole range
 */
export function divisionOfChecked(checked: Checked): Division {
  carriedOf(checked);
  refuseParts(checked.pipeline);
  if (!checked.pipeline.nodes.some(isCollective)) return "map";
  return checked.sinks.some(({ id }) => checked.uniformities[id] === "item") ? "scan" : "reduce";
}
