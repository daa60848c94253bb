/** Places of items in ranges of several dimensions. */
import type { Query } from "@groupwise/ir/document/query.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, bool, eq, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import {
  type Coordinates,
  every,
  extentOf,
  type Grid,
  isFlat,
  linear,
  named,
  sideOf,
  split,
} from "./coordinates.ts";
import { type Place, plainAnswer } from "./geometry.ts";

type Answers = Readonly<Partial<Record<Query, (code: Code, d: number) => Expr>>>;

/** @param find makes the coordinates, in the code that first needs them */
export function placeFrom(grid: Grid, index: Expr, find: (code: Code) => Coordinates): Place {
  const { frame, counts } = grid;
  let found: Coordinates | undefined;
  const at = (code: Code): Coordinates => {
    found ??= find(code);
    return found;
  };
  const lane = (code: Code): Expr => linear(at(code).local, at(code).extent);
  const answers: Answers = {
    "local-id": (code, d) => at(code).local[d] as Expr,
    "group-id": (code, d) => at(code).group[d] as Expr,
    "local-size": (code, d) => at(code).extent[d] as Expr,
    "num-groups": (_, d) => counts[d] as Expr,
    "global-linear-id": () => index,
    "local-linear-id": lane,
  };
  return {
    index,
    group: (code) => at(code).number ?? linear(at(code).group, counts),
    lane,
    isFirst: (code) => isOrigin(grid, at(code).local),
    query: (query, dimension, code) =>
      plainAnswer(frame, query, dimension, () => at(code).item[dimension] as Expr) ??
      (answers[query]?.(code, dimension) as Expr),
  };
}

const isOrigin = (grid: Grid, local: readonly Expr[]): Expr =>
  local
    .filter((_, d) => !isFlat(grid, d))
    .map((x) => eq(x, 0))
    .reduce<Expr | undefined>((all, one) => (all ? and(all, one) : one), undefined) ?? bool(true);

/** The place of the item with a number. */
export const placeIn = (grid: Grid, index: Expr): Place =>
  placeFrom(grid, index, (code) => {
    const item = split(code, "item", index, grid.frame.sides);
    const group = named(grid, code, "group", (d) => binary("div", item[d] as Expr, sideOf(grid, d)));
    const start = every(grid, (d) => mul(group[d] as Expr, sideOf(grid, d)));
    const local = named(grid, code, "local", (d) =>
      isFlat(grid, d) ? u32(0) : sub(item[d] as Expr, start[d] as Expr),
    );
    return { item, group, local, extent: extentOf(grid, code, start) };
  });
