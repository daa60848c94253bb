import type { Names } from "../../ir/base/names.ts";
import type { Checked } from "../../ir/document/check.ts";
import { frameOf, type Geometry } from "./geometry.ts";
import { gridOf } from "./grid.ts";
import { lineOf } from "./line.ts";

export { AXES, type Geometry, type Group, type Place } from "./geometry.ts";

/** The geometry of a pipeline's range. @param names makes the names of launch scalars */
export function geometryOf(checked: Checked, names: Names): Geometry {
  const frame = frameOf(checked, names);
  return frame.sides.length === 1 ? lineOf(frame) : gridOf(frame);
}
