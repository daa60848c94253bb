/** Nodes that choose elements by their values. */
import { elementWise } from "./element-wise.ts";
import { axisOf } from "./reduce.ts";
import { extremes } from "./scan.ts";
import type { Tensor } from "./space.ts";
import { tensor } from "./space.ts";
import { scalarOf } from "./types.ts";
import { apply, cast } from "./value.ts";
import type { NodeView, Rule } from "./view.ts";

/** 1 at the first maximum along an axis, 0 elsewhere; before version 13 along all axes from it on. */
function hardmax(view: NodeView): Tensor {
  const x = view.input(0);
  const { space } = view;
  const axis = axisOf(view.whole("axis", view.version < 13 ? 1 : -1), x.dims);
  const first = extremes(view, x, axis, "argmax");
  const place = tensor("u32", x.dims, (index) => space.coordinate(index, x.dims, axis));
  return elementWise(view, [place, first], ([own, best]) => cast(apply(own as never, "eq", best), scalarOf(x.type)), x.type);
}

export const SELECTIONS: Readonly<Record<string, Rule>> = {
  Hardmax: hardmax,
};
