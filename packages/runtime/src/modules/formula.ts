/** Sizes as expressions of ES modules. */
import type { Formula, FormulaOp, FormulaScalar, FormulaVariable } from "@groupwise/ir/base/formula.js";

/** A size as an expression. @param name returns the identifier for a variable of formulas */
export function formulaInModule(
  f: Formula,
  name: (variable: FormulaVariable | FormulaScalar) => string,
): string {
  if (typeof f === "number") return String(f);
  if (typeof f === "string" || !("op" in f)) return name(f);
  const [a, b] = f.args.map((arg) => formulaInModule(arg, name)) as [string, string];
  return FORMULAS[f.op](a, b);
}

const FORMULAS: Readonly<Record<FormulaOp, (a: string, b: string) => string>> = {
  add: (a, b) => `(${a} + ${b})`,
  sub: (a, b) => `(${a} - ${b})`,
  mul: (a, b) => `(${a} * ${b})`,
  "floor-div": (a, b) => `Math.floor(${a} / ${b})`,
  "ceil-div": (a, b) => `Math.ceil(${a} / ${b})`,
  min: (a, b) => `Math.min(${a}, ${b})`,
  max: (a, b) => `Math.max(${a}, ${b})`,
};
