/** Sizes as plain data: whole-number formulas of n, the number of items, that any host can evaluate. */

export type FormulaOp = "add" | "sub" | "mul" | "floor-div" | "ceil-div" | "min" | "max";

/** A number, `"n"`, or an operator over two formulas. */
export type Formula = number | "n" | { readonly op: FormulaOp; readonly args: readonly [Formula, Formula] };

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

/** The value for n items; exact below 2^53. */
export function evaluate(f: Formula, n: number): number {
  if (f === "n") return n;
  if (typeof f === "number") return f;
  return FORMULAS[f.op].apply(evaluate(f.args[0], n), evaluate(f.args[1], n));
}

/** The formula as people write it: `ceil(n / 2048)`. */
export function printFormula(f: Formula): string {
  if (typeof f !== "object") return String(f);
  const text = FORMULAS[f.op].print(printFormula(f.args[0]), printFormula(f.args[1]));
  return text;
}
