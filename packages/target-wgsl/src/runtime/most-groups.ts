/** The most work-groups that a pass has for any number of items up to a greatest one. */
import { evaluate, type Formula } from "@groupwise/core";
import type { FormulaOp, Launch } from "@groupwise/core/target";

/** The least and the greatest value. */
type Span = readonly [least: number, most: number];

const SPANS: Readonly<Record<FormulaOp, (a: Span, b: Span) => Span>> = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1]],
  sub: (a, b) => [Math.max(0, a[0] - b[1]), Math.max(0, a[1] - b[0])],
  mul: (a, b) => [a[0] * b[0], a[1] * b[1]],
  "floor-div": (a, b) => [Math.floor(a[0] / Math.max(1, b[1])), Math.floor(a[1] / Math.max(1, b[0]))],
  "ceil-div": (a, b) => [Math.ceil(a[0] / Math.max(1, b[1])), Math.ceil(a[1] / Math.max(1, b[0]))],
  min: (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
  max: (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
};

function spanOf(formula: Formula, launch: Launch): Span {
  if (typeof formula === "object" && "op" in formula) {
    const [a, b] = formula.args.map((arg) => spanOf(arg, launch)) as [Span, Span];
    return SPANS[formula.op](a, b);
  }
  const value = evaluate(formula, launch);
  return formula === "n" || formula === "size_x" ? [0, value] : [value, value];
}

/** It may be more than that: a bound of each operator. @param launch for the most items, of one dimension */
export const mostGroups = (groups: Formula, launch: Launch): number => spanOf(groups, launch)[1];
