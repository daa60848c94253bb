/**
 * Ranges of two and three dimensions. Items, work-groups and the items of a work-group are all numbered with
 * dimension 0 varying fastest; a work-group at the end of a dimension has fewer items there, and numbers
 * those that exist without gaps.
 */
import { type Formula, formula, SIDES } from "@groupwise/ir/base/formula.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { binary, lt, sub } from "@groupwise/kernel/language/make-expr.js";
import { clamp, every, gridFrom, linear, product } from "./coordinates.ts";
import type { Geometry, GeometryFrame, Group } from "./geometry.ts";
import { countsIn, groupIn } from "./grid-group.ts";
import { placeIn } from "./grid-place.ts";
import { groupsFormula } from "./line.ts";

export function gridOf(frame: GeometryFrame): Geometry {
  const { workGroup, groupSize, n, sides, params, lengthOf } = frame;
  const grid = gridFrom(frame);
  const group = (code: Code, number: Expr): Group => groupIn(grid, code, number, countsIn(grid, code));
  return {
    dimensions: sides.length,
    n,
    groupSize,
    groups: workGroup
      .map((size, d) => groupsFormula(SIDES[d] as Formula, size))
      .reduce((a, b) => formula("mul", a, b)),
    params,
    lengthOf,
    contiguous: false,
    variable: (name) => (name === "n" ? n : (sides[SIDES.indexOf(name)] as Expr)),
    place: (index) => placeIn(grid, index),
    group,
    workItem: (code, number, lane) => {
      const own = group(code, number);
      const exists = code.let("exists", lt(lane, own.count));
      const inside = code.let("lane_or_last", binary("min", lane, sub(own.count, 1)));
      return { exists, place: own.place(code, inside), group: own };
    },
    eachGroup: (code, visit) => {
      const along = countsIn(grid, code);
      const total = code.let("groups", product(along));
      code.for("group", 0, total, (body, number) => visit(body, groupIn(grid, body, number, along)));
    },
    item: (coordinates) => {
      const inside = every(grid, (d) => clamp(coordinates[d] as Expr, sides[d] as Expr));
      return linear(inside, sides);
    },
  };
}
