/** Sizes as expressions of C: 64-bit signed arithmetic that is exact for every range of a run. */
import {
  type Formula,
  type FormulaOp,
  type FormulaScalar,
  partsOfFormula,
  SIDES,
} from "@groupwise/ir/base/formula.js";
import type { Manifest } from "./manifest.ts";

/** The arguments for a run's range: n, or the sides if there are several. */
export const sidesOf = ({ workGroupSize }: Pick<Manifest, "workGroupSize">): readonly string[] =>
  workGroupSize.length === 1 ? ["n"] : SIDES.slice(0, workGroupSize.length);

/** The name of a scalar of the run in functions of sizes. */
export const scalarOf = (f: FormulaScalar): string =>
  "param" in f ? `param_${f.param}` : `length_${f.length}`;

/** A function of `a` and `b`; its name has the pipeline's prefix. */
export interface FormulaFunction {
  readonly name: string;
  readonly value: string;
}

const FORMULAS: Readonly<Record<FormulaOp, { readonly infix: string } | FormulaFunction>> = {
  add: { infix: "+" },
  sub: { infix: "-" },
  mul: { infix: "*" },
  // C rounds towards 0, and the remainder has the dividend's sign; no function accepts -1 as a size.
  "floor-div": { name: "floor_div", value: "b == 0 ? -1 : a / b - (a % b < 0)" },
  "ceil-div": { name: "ceil_div", value: "a / b + (a % b > 0)" },
  min: { name: "min", value: "a < b ? a : b" },
  max: { name: "max", value: "a > b ? a : b" },
};

/** A size of the run as an expression. */
export function formulaInC(f: Formula, prefix: string, sides: readonly string[]): string {
  if (typeof f === "number") return f < 2 ** 31 ? String(f) : `INT64_C(${f})`;
  if (f === "n") return sides.map((side) => `(int64_t)${side}`).reduce((a, b) => `(${a} * ${b})`);
  if (typeof f === "string") return `(int64_t)${f}`;
  if (!("op" in f)) return `(int64_t)${scalarOf(f)}`;
  const [a, b] = f.args.map((arg) => formulaInC(arg, prefix, sides)) as [string, string];
  const spelling = FORMULAS[f.op];
  return "infix" in spelling ? `(${a} ${spelling.infix} ${b})` : `${prefix}_${spelling.name}(${a}, ${b})`;
}

/** The functions that the formulas call. */
export function functionsOf(formulas: readonly Formula[]): readonly FormulaFunction[] {
  const parts = formulas.flatMap((f) => [...partsOfFormula(f)]);
  const ops = new Set(parts.flatMap((f) => (typeof f === "object" && "op" in f ? [f.op] : [])));
  const called = (Object.keys(FORMULAS) as FormulaOp[]).filter((op) => ops.has(op));
  return called.map((op) => FORMULAS[op]).filter((spelling) => "name" in spelling);
}

/** The variables that a formula reads: sides of the range, and scalars. */
export function variablesOf(f: Formula, sides: readonly string[]): ReadonlySet<string> {
  const variables = [...partsOfFormula(f)].flatMap((part) => {
    if (part === "n") return sides;
    if (typeof part === "string") return [part];
    return typeof part === "object" && !("op" in part) ? [scalarOf(part)] : [];
  });
  return new Set(variables);
}

/** Every size that the header has a function of. */
export const sizesOf = ({ bindings, passes }: Manifest): readonly Formula[] => [
  ...bindings.flatMap((binding) => [binding.elements, binding.bytes]),
  ...passes.map(({ groups }) => groups),
];

/** The scalars that some size of the manifest depends on, each once, in order. */
export function scalarsOf({ bindings, passes }: Manifest): readonly FormulaScalar[] {
  const formulas = [...bindings.map(({ elements }) => elements), ...passes.map(({ groups }) => groups)];
  const found = formulas
    .flatMap((f) => [...partsOfFormula(f)])
    .filter((f): f is FormulaScalar => typeof f === "object" && !("op" in f));
  return [...new Map(found.map((f) => [scalarOf(f), f])).values()];
}
