import type { Names } from "@groupwise/ir/base/names.js";
import type { Checked } from "@groupwise/ir/document/check.js";
import { frameOf, type Geometry } from "./geometry.ts";
import { gridOf } from "./grid.ts";
import { lineOf } from "./line.ts";

export { AXES, type Geometry, type Group, type Place } from "./geometry.ts";

/** The geometry of a pipeline's range. @param names makes the names of launch scalars */
export function geometryOf(checked: Checked, names: Names): Geometry {
  const frame = frameOf(checked, names);
  return frame.sides.length === 1 ? lineOf(frame) : gridOf(frame);
}
