/** Sizes as plain data: whole-number formulas of a run's range that any host can evaluate. */

export type FormulaOp = "add" | "sub" | "mul" | "floor-div" | "ceil-div" | "min" | "max";

/** `n`: the number of items; the others are the sides of the range, which formulas of one dimension do not use. */
export type FormulaVariable = "n" | "size_x" | "size_y" | "size_z";

/** A number, a variable, or an operator over two formulas. */
export type Formula =
  | number
  | FormulaVariable
  | { readonly op: FormulaOp; readonly args: readonly [Formula, Formula] };

/** The sides of a range, one per dimension; a number is the side of a range of one dimension. */
export type Sides = number | readonly number[];

/** The variables for the sides, by dimension. */
export const SIDES: readonly ["size_x", "size_y", "size_z"] = ["size_x", "size_y", "size_z"];

/** Items of a range. */
export function itemsIn(sides: Sides): number {
  return typeof sides === "number" ? sides : sides.reduce((a, b) => a * b, 1);
}

interface FormulaSpec {
  readonly apply: (a: number, b: number) => number;
  readonly print: (a: string, b: string) => string;
}

const FORMULAS: Readonly<Record<FormulaOp, FormulaSpec>> = {
  add: { apply: (a, b) => a + b, print: (a, b) => `(${a} + ${b})` },
  sub: { apply: (a, b) => a - b, print: (a, b) => `(${a} - ${b})` },
  mul: { apply: (a, b) => a * b, print: (a, b) => `(${a} * ${b})` },
  "floor-div": { apply: (a, b) => Math.floor(a / b), print: (a, b) => `floor(${a} / ${b})` },
  "ceil-div": { apply: (a, b) => Math.ceil(a / b), print: (a, b) => `ceil(${a} / ${b})` },
  min: { apply: Math.min, print: (a, b) => `min(${a}, ${b})` },
  max: { apply: Math.max, print: (a, b) => `max(${a}, ${b})` },
};

/** Builds `a op b`, folding what is known already. */
export function formula(op: FormulaOp, a: Formula, b: Formula): Formula {
  if (typeof a === "number" && typeof b === "number") return FORMULAS[op].apply(a, b);
  if ((op === "floor-div" || op === "ceil-div" || op === "mul") && b === 1) return a;
  if ((op === "add" || op === "sub") && b === 0) return a;
  if (op === "add" && a === 0) return b;
  return { op, args: [a, b] };
}

/** The value for a range; exact below 2^53. */
export function evaluate(f: Formula, sides: Sides): number {
  if (typeof f === "number") return f;
  if (f === "n") return itemsIn(sides);
  if (typeof f === "string") return (typeof sides === "number" ? [sides] : sides)[SIDES.indexOf(f)] ?? 1;
  return FORMULAS[f.op].apply(evaluate(f.args[0], sides), evaluate(f.args[1], sides));
}

/** The formula as people write it: `ceil(n / 2048)`. */
export function printFormula(f: Formula): string {
  if (typeof f !== "object") return String(f);
  const text = FORMULAS[f.op].print(printFormula(f.args[0]), printFormula(f.args[1]));
  return text;
}
