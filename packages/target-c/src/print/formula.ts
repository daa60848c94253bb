/** Sizes as expressions of C: 64-bit signed arithmetic that is exact for every range of a run. */
import type { Formula, Manifest } from "@groupwise/core";
import { called, infix, marked } from "@groupwise/core/kernel";
import { type FormulaOp, partsOfFormula, SIDES } from "@groupwise/core/target";
import { lengthOf, sidesOf } from "./arguments.ts";

/** A size of the run as an expression. */
export function formulaInC(f: Formula, manifest: Manifest): string {
  const wide = (name: string): string => `(int64_t)${marked(name)}`;
  const sides = sidesOf(manifest);
  if (typeof f === "number") return f < 2 ** 31 ? String(f) : `INT64_C(${f})`;
  if (f === "n") return sides.map(wide).reduce((a, b) => infix("*")(a, b));
  if (typeof f === "string") return wide(sides[SIDES.indexOf(f)] ?? (sides[0] as string));
  if (!("op" in f)) return wide("param" in f ? f.param : lengthOf(manifest, f.length));
  const [a, b] = f.args.map((arg) => formulaInC(arg, manifest)) as [string, string];
  return FORMULAS[f.op].print(a, b);
}

/** The same as a number of elements in memory. */
export function sizeInC(f: Formula, manifest: Manifest): string {
  if (typeof f === "number") return String(f);
  if (f === "n" && manifest.workGroupSize.length === 1) return marked(sidesOf(manifest)[0] as string);
  return `(size_t)${formulaInC(f, manifest)}`;
}

/** The functions of sizes and of their memory. */
export type SizeFunction =
  | "product"
  | "floor_div"
  | "ceil_div"
  | "smaller"
  | "larger"
  | "is_size"
  | "clear"
  | "zeros";

interface Spelling {
  readonly print: (a: string, b: string) => string;
  /** The function that it calls, if any. */
  readonly calls?: SizeFunction;
}
const calling = (name: SizeFunction): Spelling => ({ print: called(name), calls: name });
const FORMULAS: Readonly<Record<FormulaOp, Spelling>> = {
  add: { print: infix("+") },
  sub: { print: infix("-") },
  mul: calling("product"),
  "floor-div": calling("floor_div"),
  "ceil-div": calling("ceil_div"),
  min: calling("smaller"),
  max: calling("larger"),
};

/** The functions that sizes call. */
export const functionsOf = (sizes: readonly Formula[]): readonly SizeFunction[] =>
  sizes
    .flatMap((size) => [...partsOfFormula(size)])
    .flatMap((part) => (typeof part === "object" && "op" in part ? (FORMULAS[part.op].calls ?? []) : []));

const define = (name: string, about: string, value: string): string =>
  `${about === "" ? "" : `// ${about}\n`}static inline int64_t ${name}(int64_t a, int64_t b) { return ${value}; }`;

const SIZE_FUNCTIONS: Readonly<Record<SizeFunction, string>> = {
  product: define(
    "product",
    "Of two that are not negative.",
    "b > 0 && a > INT64_MAX / b ? INT64_MAX : a * b",
  ),
  // C rounds towards 0, and the remainder has the dividend's sign.
  floor_div: define("floor_div", "-1, which is no size, where b is 0.", "b == 0 ? -1 : a / b - (a % b < 0)"),
  ceil_div: define("ceil_div", "", "a / b + (a % b > 0)"),
  smaller: define("smaller", "", "a < b ? a : b"),
  larger: define("larger", "", "a > b ? a : b"),
  is_size: "static inline bool is_size(int64_t x, int64_t most) { return x >= 0 && x <= most; }",
  clear:
    "static inline void clear(void *array, size_t bytes) {\n  if (bytes > 0) memset(array, 0, bytes);\n}",
  // One element more: where a size is 0, calloc may give NULL.
  zeros:
    "static inline void *zeros(size_t elements, size_t bytes) {\n  return elements < PTRDIFF_MAX / bytes ? calloc(elements + 1, bytes) : NULL;\n}",
};
/** The definitions of functions, each once. */
export const definitionsOf = (names: readonly SizeFunction[]): readonly string[] =>
  (Object.keys(SIZE_FUNCTIONS) as SizeFunction[])
    .filter((name) => names.includes(name))
    .map((name) => SIZE_FUNCTIONS[name]);
