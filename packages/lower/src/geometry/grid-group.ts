/** Work-groups of ranges of several dimensions. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import { clamp, every, extentOf, type Grid, linear, named, product, sideOf, split } from "./coordinates.ts";
import { AXES, type Group, type Place } from "./geometry.ts";
import { placeFrom } from "./grid-place.ts";

/** Work-groups along each dimension, with names. */
export const countsIn = (grid: Grid, code: Code): Expr[] =>
  named(grid, code, "groups", (d) => grid.counts[d] as Expr);

/** @param along work-groups along each dimension, as names that are declared in the code */
export function groupIn(grid: Grid, code: Code, number: Expr, along: readonly Expr[]): Group {
  const { sides } = grid.frame;
  const group = split(code, "group", number, along);
  const start = named(grid, code, "start", (d) => mul(group[d] as Expr, sideOf(grid, d)));
  const extent = extentOf(grid, code, start);
  const count = code.let("count", product(extent));
  const origin = every(grid, () => u32(0));
  const at = (inner: Code, local: readonly Expr[]): Place => {
    const item = named(grid, inner, "item", (d) => add(start[d] as Expr, local[d] as Expr));
    const index = inner.let("i", linear(item, sides));
    return placeFrom(grid, index, () => ({ item, group, local, extent, number }));
  };
  const within = (coordinates: readonly Expr[]): Expr[] =>
    every(grid, (d) => clamp(coordinates[d] as Expr, extent[d] as Expr));
  const first = { item: start, group, local: origin, extent, number };
  return {
    count,
    first: placeFrom(grid, linear(start, sides), () => first),
    place: (inner, lane) => at(inner, split(inner, "local", lane, extent)),
    lane: (_, coordinates) => linear(within(coordinates), extent),
    item: (_, coordinates) => {
      const inside = within(coordinates);
      return linear(
        inside.map((x, d) => add(start[d] as Expr, x)),
        sides,
      );
    },
    each: (inner, visit) =>
      nest(inner, extent, [], (body, local) => visit(body, linear(local, extent), at(body, local))),
  };
}

/** Loops over coordinates below an extent, the last dimension outermost. */
function nest(
  code: Code,
  extent: readonly Expr[],
  local: readonly Expr[],
  visit: (code: Code, local: readonly Expr[]) => void,
): void {
  const d = extent.length - local.length - 1;
  if (d < 0) visit(code, local);
  else
    code.for(`local_${AXES[d]}`, 0, extent[d] as Expr, (inner, x) =>
      nest(inner, extent, [x, ...local], visit),
    );
}
