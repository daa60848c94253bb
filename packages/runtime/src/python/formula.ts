/** Sizes as expressions of Python over `v`, the numbers of a run by name. */
import type { Formula, FormulaOp } from "@groupwise/ir/base/formula.js";

const FORMULAS: Readonly<Record<FormulaOp, (a: string, b: string) => string>> = {
  add: (a, b) => `(${a} + ${b})`,
  sub: (a, b) => `(${a} - ${b})`,
  mul: (a, b) => `(${a} * ${b})`,
  "floor-div": (a, b) => `(${a} // ${b})`,
  "ceil-div": (a, b) => `-(-${a} // ${b})`,
  min: (a, b) => `min(${a}, ${b})`,
  max: (a, b) => `max(${a}, ${b})`,
};

/** A number of a run, by its name in the module. */
export const numberInPython = (name: string): string => `v[${JSON.stringify(name)}]`;

/**
 * A size as an expression, which raises ZeroDivisionError if a parameter divides and is 0.
 * @category Authors
 */
export function formulaInPython(f: Formula): string {
  if (typeof f === "number") return String(f);
  if (typeof f === "string") return numberInPython(f);
  if (!("op" in f)) return numberInPython("param" in f ? `param ${f.param}` : `length ${f.length}`);
  const [a, b] = f.args.map(formulaInPython) as [string, string];
  return FORMULAS[f.op](a, b);
}
