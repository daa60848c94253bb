/** The integers that expressions of narrow elements can be: where they fit into fewer bits, operators of those bits return the same. */

import { NARROW, type Narrow } from "@groupwise/ir/tables/narrow.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { bitsAbove } from "@groupwise/kernel/language/interval.js";

/** Least and greatest value, both included. */
export type Range = readonly [number, number];

export type WholeScalar = "u32" | "i32" | "bool";
const ALL: Readonly<Record<WholeScalar, Range>> = {
  u32: [0, 2 ** 32 - 1],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  bool: [0, 1],
};
export const isWhole = (type: Scalar): type is WholeScalar => Object.hasOwn(ALL, type);

/** The range, or all values of the type if operators wrap. */
const wrapped = (type: WholeScalar, low: number, high: number): Range =>
  low < ALL[type][0] || high > ALL[type][1] ? ALL[type] : [low, high];

type Rule = (type: WholeScalar, a: Range, b: Range) => Range;
const corners = (type: WholeScalar, all: readonly number[]): Range =>
  wrapped(type, Math.min(...all), Math.max(...all));
const bits: Rule = (type, a, b) => (a[0] < 0 || b[0] < 0 ? ALL[type] : [0, bitsAbove(a[1], b[1])]);
const RULES: Readonly<Record<string, Rule>> = {
  add: (type, a, b) => wrapped(type, a[0] + b[0], a[1] + b[1]),
  sub: (type, a, b) => wrapped(type, a[0] - b[1], a[1] - b[0]),
  mul: (type, a, b) => corners(type, [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]]),
  min: (_, a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
  max: (_, a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
  // The sign bit of a number that is not negative clears that of the other.
  and: (type, a, b) => {
    const most = [a, b].flatMap(([low, high]) => (low < 0 ? [] : [high]));
    return most.length > 0 ? [0, Math.min(...most)] : ALL[type];
  },
  or: bits,
  xor: bits,
  shr: (type, a, b) =>
    b[0] === b[1] ? [Math.floor(a[0] / 2 ** b[0]), Math.floor(a[1] / 2 ** b[0])] : ALL[type],
};
const COMPARED: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

/** The range of an expression. @param known those of variables; others have any value */
export function rangeOf(e: Expr, known: ReadonlyMap<string, Range>): Range {
  if (!isWhole(e.type)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const all = ALL[e.type];
  const of = (one: Expr): Range => rangeOf(one, known);
  switch (e.kind) {
    case "const":
      return [Number(e.value), Number(e.value)];
    case "var":
      return known.get(e.name) ?? all;
    case "load":
      return (e.memory === undefined ? undefined : NARROW[e.memory as Narrow]?.range) ?? all;
    case "binary":
      return COMPARED.has(e.op) ? all : (RULES[e.op]?.(e.type, of(e.left), of(e.right)) ?? all);
    case "select": {
      const [a, b] = [of(e.then), of(e.otherwise)];
      return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
    }
    case "cast":
    case "bitcast": {
      if (!isWhole(e.of.type)) return all;
      const [low, high] = of(e.of);
      return wrapped(e.type, low, high);
    }
    case "permute":
      return e.right ? all : of(e.left);
    default:
      return all;
  }
}

/** Whether elements of so many bits hold the values as they are, with the sign that the type has. */
export function fits(type: WholeScalar, [low, high]: Range, size: number): boolean {
  if (type === "bool") return true;
  return type === "u32" ? low >= 0 && high < 2 ** size : low >= -(2 ** (size - 1)) && high < 2 ** (size - 1);
}
