/** Bounds of a u32 expression, derived from its form. */
import type { BinaryOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import { NARROW, type Narrow } from "@groupwise/ir/tables/narrow.js";
import type { BinaryExpr, Builtin, Expr } from "./expr.ts";
import type { Memory } from "./memory.ts";

/** Least and greatest value, both included. */
export type Interval = readonly [number, number];

export const EVERYTHING: Interval = [0, 0xffffffff];

export interface KnownIntervals {
  variable(name: string): Interval;
  /** Work-items of a group, at most. */
  readonly workGroupSize: number;
}

// Wrapping makes everything possible again.
const within = (low: number, high: number): Interval =>
  low < 0 || high > 0xffffffff ? EVERYTHING : [low, high];
/** All bits up to the highest one of two numbers. */
export const bitsAbove = (a: number, b: number): number => 2 ** Math.ceil(Math.log2(Math.max(a, b) + 1)) - 1;

type Rule = (a: Interval, b: Interval) => Interval;
/** The operators whose result can be a u32. */
type Counting = Exclude<BinaryOp, "eq" | "ne" | "lt" | "le" | "gt" | "ge">;
const RULES: Readonly<Record<Counting, Rule>> = {
  add: (a, b) => within(a[0] + b[0], a[1] + b[1]),
  sub: (a, b) => within(a[0] - b[1], a[1] - b[0]),
  mul: (a, b) => within(a[0] * b[0], a[1] * b[1]),
  // A divisor of 0 gives x and 0.
  div: (a, b) => (b[0] > 0 ? [Math.floor(a[0] / b[1]), Math.floor(a[1] / b[0])] : [0, a[1]]),
  rem: (a, b) => [0, b[0] > 0 ? Math.min(a[1], b[1] - 1) : a[1]],
  min: (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
  max: (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
  absdiff: (a, b) => [0, Math.max(a[1] - b[0], b[1] - a[0])],
  // gcd(x, 0) is x.
  gcd: (a, b) => [0, Math.max(a[1], b[1])],
  and: (a, b) => [0, Math.min(a[1], b[1])],
  or: (a, b) => [Math.max(a[0], b[0]), bitsAbove(a[1], b[1])],
  xor: (a, b) => [0, bitsAbove(a[1], b[1])],
  shl: (a, b) => (b[1] < 32 ? within(a[0] * 2 ** b[0], a[1] * 2 ** b[1]) : EVERYTHING),
  shr: (a, b) => (b[1] < 32 ? [Math.floor(a[0] / 2 ** b[1]), Math.floor(a[1] / 2 ** b[0])] : [0, a[1]]),
};

const UNARY_RULES: Readonly<Record<UnaryOp, (a: Interval) => Interval>> = {
  neg: () => EVERYTHING,
  abs: (a) => a,
  not: () => EVERYTHING,
  popcount: () => [0, 32],
  clz: () => [0, 32],
};

const BUILTINS: Readonly<Record<Builtin, (workGroupSize: number) => Interval>> = {
  "local-id": (size) => [0, size - 1],
  "group-size": (size) => [1, size],
  "subgroup-size": () => [1, EVERYTHING[1]],
  "group-id": () => EVERYTHING,
  cell: () => EVERYTHING,
};

/** The values of elements in memory; of narrow ones they are few. */
export const intervalIn = (memory: Memory | undefined): Interval =>
  (memory === undefined ? undefined : NARROW[memory as Narrow]?.range) ?? EVERYTHING;

export function intervalOf(expr: Expr, around: KnownIntervals): Interval {
  if (expr.type !== "u32") return EVERYTHING;
  switch (expr.kind) {
    case "const":
      return [Number(expr.value), Number(expr.value)];
    case "var":
      return around.variable(expr.name);
    case "load":
      return intervalIn(expr.memory);
    case "part":
      return around.variable(expr.of);
    case "builtin":
      return BUILTINS[expr.builtin](around.workGroupSize);
    case "unary":
      return UNARY_RULES[expr.op](intervalOf(expr.of, around));
    case "binary":
      return ofBinary(expr, around);
    case "select": {
      const [a, b] = [
        intervalOf(expr.then, where(expr.condition, around)),
        intervalOf(expr.otherwise, around),
      ];
      return [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
    }
    default:
      return EVERYTHING;
  }
}

/** The bounds of names under a condition. */
export interface ConditionBounds {
  readonly name: string;
  readonly interval: Interval;
}

/** A name that is below a bound is at most the bound less one. */
export function boundOf(condition: Expr, around: KnownIntervals): ConditionBounds | undefined {
  if (condition.kind !== "binary" || condition.op !== "lt" || condition.left.kind !== "var") return undefined;
  const [low, high] = intervalOf(condition.left, around);
  const most = Math.max(0, intervalOf(condition.right, around)[1] - 1);
  return { name: condition.left.name, interval: [Math.min(low, most), Math.min(high, most)] };
}

/** What is known where a condition holds. */
function where(condition: Expr, around: KnownIntervals): KnownIntervals {
  const bound = boundOf(condition, around);
  if (!bound) return around;
  return { ...around, variable: (name) => (name === bound.name ? bound.interval : around.variable(name)) };
}

function ofBinary(expr: BinaryExpr, around: KnownIntervals): Interval {
  return RULES[expr.op as Counting](intervalOf(expr.left, around), intervalOf(expr.right, around));
}
