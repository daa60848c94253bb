/** Sizes as plain data: whole-number formulas of a run's range that any host can evaluate. */
import { LIST, NUMBER, OBJECT, requireArgument, type Wanted } from "./arguments.ts";
import { shown } from "./kind.ts";

/** An operation of two whole numbers. */
export type FormulaOp = "add" | "sub" | "mul" | "floor-div" | "ceil-div" | "min" | "max";

/** `n`: the number of items; the others are the sides of the range, which formulas of one dimension do not use. */
export type FormulaVariable = "n" | "size_x" | "size_y" | "size_z";

/** A scalar of a run: a u32 parameter of the pipeline, or the length of a table. */
export type FormulaScalar = { readonly param: string } | { readonly length: string };

/** A number, a variable, a scalar of the run, or an operator over two formulas. */
export type Formula =
  | number
  | FormulaVariable
  | FormulaScalar
  | { readonly op: FormulaOp; readonly args: readonly [Formula, Formula] };

/** A range, and the scalars that sizes depend on. */
export interface Extent {
  /** Items per dimension. */
  readonly globalSize: readonly number[];
  readonly scalars?: FormulaScalars;
}

/**
 * The sides of a range, one per dimension; a number is the side of a range of one dimension. Includes the
 * parameters and lengths of tables that sizes depend on.
 */
export type Sides = number | readonly number[] | Extent;

/** Normalised sides. */
export function extentOf(sides: Sides): Extent {
  if (typeof sides === "number") return { globalSize: [sides] };
  return "globalSize" in sides ? sides : { globalSize: sides };
}

/** The variables for the sides, by dimension. */
export const SIDES: readonly ["size_x", "size_y", "size_z"] = ["size_x", "size_y", "size_z"];

/** Items of a range. */
export function itemsIn(sides: Sides): number {
  return extentOf(sides).globalSize.reduce((a, b) => a * b, 1);
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

/** Builds `a op b` with constant folding. */
export function formula(op: FormulaOp, a: Formula, b: Formula): Formula {
  if (typeof a === "number" && typeof b === "number") return FORMULAS[op].apply(a, b);
  if ((op === "floor-div" || op === "ceil-div" || op === "mul") && b === 1) return a;
  if ((op === "add" || op === "sub") && b === 0) return a;
  if (op === "add" && a === 0) return b;
  return { op, args: [a, b] };
}

/** The terms of a sum. */
const TERMS = 64;

/** The sum of all terms, balanced so that formulas stay shallow. */
export function sumOf(terms: readonly Formula[]): Formula {
  if (terms.length <= TERMS) return terms.reduce((sum, term) => formula("add", sum, term), 0);
  const parts = Array.from({ length: Math.ceil(terms.length / TERMS) }, (_, i) =>
    sumOf(terms.slice(i * TERMS, (i + 1) * TERMS)),
  );
  return sumOf(parts);
}

/** The sum of formulas, each as often as its count says. Equal ones are added first, so that the formula is short. */
export function weightedSum(terms: readonly (readonly [term: Formula, count: number])[]): Formula {
  const counts = new Map<string, { readonly term: Formula; readonly count: number }>();
  for (const [term, more] of terms) {
    const key = JSON.stringify(term);
    counts.set(key, { term, count: (counts.get(key)?.count ?? 0) + more });
  }
  return sumOf([...counts.values()].map(({ term, count }) => formula("mul", term, count)));
}

/** The scalars of a run for formulas, by name. */
export interface FormulaScalars {
  readonly params: Readonly<Record<string, number>>;
  /** Of tables. */
  readonly lengths: Readonly<Record<string, number>>;
}

const RANGE: Wanted = {
  want: "a number of items, a list of sides, or an object with `globalSize`",
  is: (value) =>
    NUMBER.is(value) ||
    LIST.is(value) ||
    (OBJECT.is(value) && LIST.is((value as { globalSize?: unknown }).globalSize)),
};

/**
 * The value for a range; exact below 2^53, NaN if a scalar of the formula is not given.
 * @example
 * ```ts
 * import { evaluate } from "@groupwise/core";
 *
 * console.log(evaluate({ op: "ceil-div", args: ["n", 256] }, 1000)); // 4
 * ```
 */
export function evaluate(f: Formula, sides: Sides): number {
  if (typeof f === "number") return f;
  requireArgument(sides, RANGE, "the range of a formula");
  return valueIn(extentOf(sides), f);
}

/** Each step of a recorder evaluates a dozen formulas. */
function valueIn(extent: Extent, f: Formula): number {
  if (typeof f === "number") return f;
  if (f === "n") return itemsIn(extent);
  if (typeof f === "string") return extent.globalSize[SIDES.indexOf(f)] ?? 1;
  requireArgument(f, OBJECT, "a formula");
  if ("param" in f) return extent.scalars?.params[f.param] ?? Number.NaN;
  if ("length" in f) return extent.scalars?.lengths[f.length] ?? Number.NaN;
  const spec = FORMULAS[f.op];
  if (!spec) requireArgument(spec, OBJECT, `the operation ${shown(f.op)} of a formula`);
  return spec.apply(valueIn(extent, f.args[0]), valueIn(extent, f.args[1]));
}

/** A formula and all of its subformulas. */
export function* partsOfFormula(f: Formula): Generator<Formula> {
  yield f;
  if (typeof f === "object" && "op" in f) for (const part of f.args) yield* partsOfFormula(part);
}

/** The formula as text: `ceil(n / 2048)`. */
export function printFormula(f: Formula): string {
  if (typeof f !== "object") return String(f);
  if (!("op" in f)) return "param" in f ? f.param : `length(${f.length})`;
  const text = FORMULAS[f.op].print(printFormula(f.args[0]), printFormula(f.args[1]));
  return text;
}

/** A number of things as text: `ceil(n / 2048) elements`, `1 element`. */
export const countOf = (f: Formula, thing: string): string =>
  `${printFormula(f)} ${f === 1 ? thing : `${thing}s`}`;

/** Without the outermost parentheses, for a text on its own. */
export function bare(text: string): string {
  if (!text.startsWith("(") || !text.endsWith(")")) return text;
  let depth = 0;
  for (let i = 0; i < text.length - 1; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")") depth--;
    if (depth === 0) return text;
  }
  return text.slice(1, -1);
}

/** The terms of a sum without the brackets around them. */
export function printSum(f: Formula): string {
  const isSum = typeof f === "object" && "op" in f && f.op === "add";
  return isSum ? f.args.map(printSum).join(" + ") : bare(printFormula(f));
}
