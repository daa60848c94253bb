/** Whether two states are the same, and if not, whether rounding explains it. */

import { type Operator, type OperatorNode, typesOfOperator } from "../document/operator.ts";
import { applierOf } from "../document/operator-apply.ts";
import { FUNCTION_ROWS } from "../functions/functions.ts";
import { bitcastValue, castValue } from "../tables/convert-value.ts";
import {
  BINARY,
  type BinaryOp,
  type CompareOp,
  type IntegerOp,
  isCompare,
  UNARY,
} from "../tables/expr-op.ts";
import { decodeLiteral } from "../tables/literal.ts";
import { isFloat, SCALARS, type Scalar, type ScalarValue } from "../tables/scalar.ts";
import type { Exact } from "./ratio.ts";
import * as ratio from "./ratio.ts";
import { roundingOf } from "./sample.ts";
import type { State } from "./state.ts";

// Operators in exact arithmetic: floats become ratios, integers and bools are unchanged.
/** A float as an exact number; a value of any other type unchanged. */
type ExactValue = Exact | ScalarValue;

const isNaNumber = (x: ExactValue): boolean => typeof x === "number" && Number.isNaN(x);

/** The exact value of a value of the type. */
export function exactOf(type: Scalar, value: ScalarValue): ExactValue {
  return isFloat(type) ? ratio.exact(value as number) : value;
}

/** The value of the type that is nearest. */
export function roundedTo(type: Scalar, value: ExactValue): ScalarValue {
  return isFloat(type) ? SCALARS[type].wrap(ratio.approximate(value as Exact)) : (value as ScalarValue);
}

const lesser = (x: Exact, y: Exact, sign: number): Exact => {
  const order = sign * ratio.compare(x, y);
  if (Number.isNaN(order)) return Number.NaN;
  // The two zeros are equal but ordered: -0 < +0.
  if (order === 0) return Object.is(x, -0) === sign > 0 ? x : y;
  return order < 0 ? x : y;
};
const magnitude = (x: Exact): Exact => (ratio.compare(x, 0) < 0 || Object.is(x, -0) ? ratio.negate(x) : x);
type FloatOp = Exclude<BinaryOp, CompareOp | IntegerOp>;
type Calculate = (x: Exact, y: Exact) => Exact;
const ARITHMETIC: Readonly<Record<FloatOp, Calculate>> = {
  add: ratio.add,
  sub: (x, y) => ratio.add(x, ratio.negate(y)),
  mul: ratio.multiply,
  div: ratio.divide,
  min: (x, y) => lesser(x, y, 1),
  max: (x, y) => lesser(x, y, -1),
  absdiff: (x, y) => magnitude(ratio.add(x, ratio.negate(y))),
};
const COMPARE: Readonly<Record<CompareOp, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

/** The result of one application, and whether an undefined operation such as ∞ - ∞ occurred. */
interface ExactResult {
  readonly values: readonly ExactValue[];
  readonly invalid: boolean;
}

/**
 * left op right.
 * @throws TooLarge
 */
export function applyExactly(
  operator: Operator,
  left: readonly ExactValue[],
  right: readonly ExactValue[],
): ExactResult {
  const types = typesOfOperator(operator);
  const values: ExactValue[] = [];
  let invalid = false;
  const at = (id: number): ExactValue => values[id] as ExactValue;
  const typeAt = (id: number): Scalar => types[id] as Scalar;
  for (const node of operator.nodes) {
    if (node.kind !== "binary" || !isFloat(typeAt(node.left))) {
      values.push(plain(node, left, right, at, typeAt));
      continue;
    }
    const [x, y] = [at(node.left) as Exact, at(node.right) as Exact];
    const { op } = node;
    const result = isCompare(op) ? COMPARE[op](ratio.compare(x, y)) : ARITHMETIC[op as FloatOp](x, y);
    if (isNaNumber(result) && !isNaNumber(x) && !isNaNumber(y)) invalid = true;
    values.push(result);
  }
  return { values: operator.results.map(at), invalid };
}

function plain(
  node: OperatorNode,
  left: readonly ExactValue[],
  right: readonly ExactValue[],
  at: (id: number) => ExactValue,
  typeAt: (id: number) => Scalar,
): ExactValue {
  switch (node.kind) {
    case "left":
      return left[node.field] as ExactValue;
    case "right":
      return right[node.field] as ExactValue;
    case "const":
      return exactOf(node.type, decodeLiteral(node.type, node.value) as ScalarValue);
    case "unary": {
      const type = typeAt(node.of);
      const x = at(node.of);
      if (!isFloat(type)) return UNARY[node.op].apply(type, x as ScalarValue);
      return node.op === "neg" ? ratio.negate(x as Exact) : magnitude(x as Exact);
    }
    case "binary": {
      const [x, y] = [at(node.left), at(node.right)];
      return BINARY[node.op].apply(typeAt(node.left), x as ScalarValue, y as ScalarValue);
    }
    case "function": {
      // For a value between two values of the type, the function of the nearest one.
      const operands = node.of.map((id) => roundedTo(typeAt(id), at(id)));
      return exactOf(typeAt(node.id), FUNCTION_ROWS[node.op].apply(typeAt(node.of[0] as number), operands));
    }
    case "select":
      return at(node.condition) ? at(node.then) : at(node.otherwise);
    case "cast":
      return castExactly(typeAt(node.of), node.to, at(node.of));
    case "bitcast": {
      const from = typeAt(node.of);
      return exactOf(node.to, bitcastValue(from, node.to, roundedTo(from, at(node.of))));
    }
  }
}

/** Conversions to floats do not round; those to integers truncate and saturate as usual. */
function castExactly(from: Scalar, to: Scalar, value: ExactValue): ExactValue {
  if (!isFloat(from)) {
    if (!isFloat(to)) return castValue(from, to, value as ScalarValue);
    return ratio.exactInteger(BigInt(value as ScalarValue));
  }
  if (isFloat(to)) return value;
  if (typeof value !== "object") return castValue(from, to, value);
  if (to === "bool") return true;
  const { lowest, highest } = SCALARS[to];
  const whole = ratio.truncate(value);
  if (whole <= BigInt(lowest)) return lowest;
  if (whole >= BigInt(highest)) return highest;
  return SCALARS[to].whole(whole);
}

/**
 * The comparison of two sides. `zero`: zeros differ in their sign. `rounding`: equal in exact arithmetic.
 * `non-finite`: infinities or NaN among the operands led to NaN on one side only, as in 0 · ∞ or 0 · NaN.
 */
export type Judgement = "same" | "zero" | "rounding" | "non-finite" | "different";

/** The two sides of a law, built with the caller's function of application. */
export type LawSides = <V>(
  apply: (left: readonly V[], right: readonly V[]) => readonly V[],
  states: readonly (readonly V[])[],
) => readonly [readonly V[], readonly V[]];

/** The results of a law's two sides, and how they compare. */
export interface Judged {
  readonly judgement: Judgement;
  readonly left: State;
  readonly right: State;
}

/**
 * Exact results may still differ because the operands were rounded before: by this many roundings of the
 * largest magnitude.
 */
export const ROUNDINGS = 64;

/** Tests one law of one operator on states. */
export function judgeOf(operator: Operator, sides: LawSides): (states: readonly State[]) => Judged {
  const apply = applierOf(operator);
  return (states) => {
    const [left, right] = sides<ScalarValue>(apply, states);
    const pairs = left.map((value, i) => [value, right[i]] as const);
    if (pairs.every(([l, r]) => Object.is(l, r))) return { judgement: "same", left, right };
    // 0 equals -0 here; NaN was handled above or differs.
    if (pairs.every(([l, r]) => Object.is(l, r) || l === r)) return { judgement: "zero", left, right };
    return { judgement: judgeExactly(operator, sides, states), left, right };
  };
}

function judgeExactly(operator: Operator, sides: LawSides, states: readonly State[]): Judgement {
  const { fields } = operator;
  if (!fields.some(({ type }) => isFloat(type))) return "different";
  const operands = states.map((state) => fields.map(({ type }, i) => exactOf(type, state[i] as ScalarValue)));
  let invalid = false;
  const apply = (a: readonly ExactValue[], b: readonly ExactValue[]): readonly ExactValue[] => {
    const result: ExactResult = applyExactly(operator, a, b);
    invalid ||= result.invalid;
    return result.values;
  };
  try {
    const [left, right] = sides<ExactValue>(apply, operands);
    const differing = fields.flatMap(({ type }, i) => {
      const [l, r] = [left[i] as ExactValue, right[i] as ExactValue];
      const all = [l, r, ...operands.map((state) => state[i])] as Exact[];
      const equal = isFloat(type) ? isNear(all, ROUNDINGS * roundingOf(type)) : Object.is(l, r);
      return equal ? [] : [[l, r]];
    });
    if (differing.length === 0) return "rounding";
    const values = states.flat();
    const spreads = differing.every((pair) => pair.some(Number.isNaN));
    if (values.some(isInfinite) && (invalid || spreads)) return "non-finite";
    return values.some(Number.isNaN) && spreads ? "non-finite" : "different";
  } catch (error) {
    if (error instanceof ratio.TooLarge) return "rounding";
    throw error;
  }
}

const isInfinite = (x: ScalarValue): boolean => x === INF || x === -INF;
const INF = Number.POSITIVE_INFINITY;

/** Whether the first two differ by no more than a part of the largest. */
function isNear([left, right, ...operands]: readonly Exact[], part: number): boolean {
  const [l, r] = [left as Exact, right as Exact];
  if (Object.is(l, r) || ratio.compare(l, r) === 0) return true;
  if (typeof l === "number" && l !== 0) return false;
  if (typeof r === "number" && r !== 0) return false;
  const magnitude = (x: Exact): Exact => (ratio.compare(x, 0) < 0 ? ratio.negate(x) : x);
  const finite = [l, r, ...operands].filter((x) => typeof x === "object").map(magnitude);
  const largest = finite.reduce((a, b) => (ratio.compare(a, b) < 0 ? b : a));
  const difference = magnitude(ratio.add(l, ratio.negate(r)));
  return ratio.compare(difference, ratio.multiply(largest, ratio.exact(part))) <= 0;
}
