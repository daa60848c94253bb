/** Coordinates of items in ranges of several dimensions, dimension 0 varying fastest. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { AXES, type GeometryFrame } from "./geometry.ts";
import { groupsAlong } from "./line.ts";

const isOne = (side: Expr): boolean => side.kind === "const" && side.value === 1;
export const product = (sides: readonly Expr[]): Expr =>
  sides.filter((side) => !isOne(side)).reduce<Expr | undefined>((a, b) => (a ? mul(a, b) : b), undefined) ??
  u32(1);

/** x, clamped to the last existing one. */
export const clamp = (x: Expr, side: Expr): Expr =>
  (x.kind === "const" && x.value === 0) || isOne(side) ? u32(0) : binary("min", x, sub(side, 1));

/** (z * sides[1] + y) * sides[0] + x */
export const linear = (at: readonly Expr[], sides: readonly Expr[]): Expr =>
  at.reduceRight((sum, x, d) => add(mul(sum, sides[d] as Expr), x), u32(0));

/** Coordinates of a linear number: one division for each dimension but the last that is not flat. */
export function split(code: Code, hint: string, number: Expr, sides: readonly Expr[]): Expr[] {
  let rest = number;
  return sides.map((side, d) => {
    const whole = rest;
    if (sides.slice(d + 1).every(isOne)) {
      rest = u32(0);
      return whole;
    }
    if (isOne(side)) return u32(0);
    const hints = sides.length - d === 2 ? AXES[d + 1] : AXES.slice(d + 1, sides.length).join("");
    rest = code.let(`${hint}_${hints}`, binary("div", whole, side));
    return code.let(`${hint}_${AXES[d]}`, sub(whole, mul(rest, side)));
  });
}

/** The known coordinates and sizes at a place, by dimension. */
export interface Coordinates {
  /** In the range, without the offset. */
  readonly item: readonly Expr[];
  readonly group: readonly Expr[];
  readonly local: readonly Expr[];
  /** Items of the work-group that exist. */
  readonly extent: readonly Expr[];
  /** The work-group's linear number, if it is known. */
  readonly number?: Expr;
}

/** A range of several dimensions, and its work-groups along each. */
export interface Grid {
  readonly frame: GeometryFrame;
  readonly counts: readonly Expr[];
}

export const gridFrom = (frame: GeometryFrame): Grid => ({
  frame,
  counts: frame.sides.map((side, d) => groupsAlong(side, frame.workGroup[d] as number)),
});

/** A value for each dimension. */
export const every = ({ frame }: Grid, make: (d: number) => Expr): Expr[] =>
  frame.workGroup.map((_, d) => make(d));

/** A value for each dimension; those that are not constants are named. */
export const named = (grid: Grid, code: Code, hint: string, make: (d: number) => Expr): Expr[] =>
  every(grid, (d) => {
    const value = make(d);
    return value.kind === "const" ? value : code.let(`${hint}_${AXES[d]}`, value);
  });

/** The side of a work-group along a dimension. */
export const sideOf = ({ frame }: Grid, d: number): Expr => u32(frame.workGroup[d] as number);

/** Whether work-groups have one work-item along a dimension. */
export const isFlat = ({ frame }: Grid, d: number): boolean => frame.workGroup[d] === 1;

/** The existing items of a work-group that starts at an item. */
export const extentOf = (grid: Grid, code: Code, start: readonly Expr[]): Expr[] =>
  named(grid, code, "extent", (d) =>
    isFlat(grid, d)
      ? u32(1)
      : binary("min", sideOf(grid, d), sub(grid.frame.sides[d] as Expr, start[d] as Expr)),
  );
