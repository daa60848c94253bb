/** Which monoids combine by the device's own operations where no value is small, and from which magnitude on those are right. */
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { partsOf } from "@groupwise/kernel/language/map-expr.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { type Combination, combinationOf } from "../../../parts/combination.ts";
import type { Monoid } from "../../../parts/monoid.ts";

/** How a pass uses the device's own sums and products of f32. */
export interface Native {
  /** The exponent of the least magnitude but zero for which they are right. */
  readonly least: number;
  /** Whether that holds only if results of `combine` are as large. */
  readonly watches: boolean;
  /** By value of the monoid: whether prefixes that are written depend on those before them in this value. */
  readonly needed: readonly boolean[];
}

/** Floats of at least 2^-102 are multiples of 2^-125, and so are rounded sums of such floats and zeros: none is subnormal. */
const LEAST_OF_SUMS = -102;
/** The product of two floats of at least 2^-51 is at least 2^-102. */
const LEAST_OF_PRODUCTS = -51;

/** What an expression's name is of; undefined for an operand. */
type Definition = (name: string) => Expr | undefined;

/** By value: whether one of the needed results depends on it in the prefix before it. */
function neededBy(
  { left, results }: Combination,
  definition: Definition,
  read: ReadonlySet<number>,
): readonly boolean[] {
  const needed = left.map((_, i) => read.has(i));
  const visit = (e: Expr): void => {
    const i = left.findIndex((v) => e.kind === "var" && v.name === e.name);
    if (i >= 0 && !needed[i]) {
      needed[i] = true;
      visit(results[i] as Expr);
    }
    const value = e.kind === "var" ? definition(e.name) : undefined;
    for (const part of value ? [value] : partsOf(e)) visit(part);
  };
  for (const i of read) visit(results[i] as Expr);
  return needed;
}

/** Values are operands or chosen from them; sums may be smaller, and are no factors. */
type Form = "value" | "sum";

/** The form of an f32; undefined for those that other operations compute. */
function formOf(e: Expr, definition: Definition): Form | undefined {
  const form = (...parts: readonly Expr[]): Form | undefined => {
    const forms = parts.map((part) => formOf(part, definition));
    return forms.includes(undefined) ? undefined : forms.includes("sum") ? "sum" : "value";
  };
  switch (e.kind) {
    case "var": {
      const value = definition(e.name);
      return value ? form(value) : "value";
    }
    case "const":
      return e.value === 0 || Math.abs(Number(e.value)) >= 2 ** LEAST_OF_PRODUCTS ? "value" : undefined;
    case "unary":
      return form(e.of);
    case "select":
      return form(e.then, e.otherwise);
    case "cast":
      return e.of.type === "f16" || e.of.type === "f64" ? undefined : "value";
    case "binary": {
      if (e.op === "min" || e.op === "max") return form(e.left, e.right);
      if (e.op === "add" || e.op === "sub") return form(e.left, e.right) && "sum";
      return e.op === "mul" && form(e.left, e.right) === "value" ? "sum" : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Undefined if the device's own operations are not enough.
 * @param read the values of the monoid of which prefixes are written
 */
export function nativeOf(monoid: Monoid, read: ReadonlySet<number>): Native | undefined {
  const combination = combinationOf(monoid, true);
  const values = new Map<string, Expr>();
  for (const stmt of combination.stmts) {
    // Others are of operators with a function of their own.
    if (stmt.kind !== "let") return undefined;
    values.set(stmt.name, stmt.value);
  }
  const definition: Definition = (name) => values.get(name);
  const exprs = allExprs(combination.stmts);
  const computed = exprs.filter((e) => e.kind === "binary" && e.type === "f32");
  const isMade = (e: Expr): boolean =>
    e.type === "f32" ? formOf(e, definition) !== undefined : e.type !== "f16" && e.type !== "f64";
  if (computed.length === 0 || !exprs.every(isMade)) return undefined;
  const watches = computed.some((e) => e.kind === "binary" && e.op === "mul");
  const needed = neededBy(combination, definition, read);
  return { least: watches ? LEAST_OF_PRODUCTS : LEAST_OF_SUMS, watches, needed };
}
