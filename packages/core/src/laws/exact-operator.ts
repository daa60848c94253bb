/** Operators on numbers that do not round: floats become ratios, integers and bools stay what they are. */
import { BINARY, type BinaryOp, bitcastValue, castValue, UNARY } from "../ir/expr-op.ts";
import { type Operator, type OperatorNode, typesOfOperator } from "../ir/operator.ts";
import { decodeLiteral } from "../literal.ts";
import { isFloat, SCALARS, type Scalar, type ScalarValue } from "../scalar.ts";
import type { Exact } from "./ratio.ts";
import * as ratio from "./ratio.ts";

/** A float as an exact number; a value of any other type as it is. */
export type ExactValue = Exact | ScalarValue;

const isNaNumber = (x: ExactValue): boolean => typeof x === "number" && Number.isNaN(x);

/** What a value of the type stands for. */
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
  // Only zeros are equal and two: -0 < +0.
  if (order === 0) return Object.is(x, -0) === sign > 0 ? x : y;
  return order < 0 ? x : y;
};
type Calculate = (x: Exact, y: Exact) => Exact;
const ARITHMETIC: Readonly<Partial<Record<BinaryOp, Calculate>>> = {
  add: ratio.add,
  sub: (x, y) => ratio.add(x, ratio.negate(y)),
  mul: ratio.multiply,
  div: ratio.divide,
  min: (x, y) => lesser(x, y, 1),
  max: (x, y) => lesser(x, y, -1),
};
const COMPARE: Readonly<Partial<Record<BinaryOp, (order: number) => boolean>>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
};

/** What one application gives, and whether it had to answer what has no answer, as ∞ - ∞. */
export interface ExactResult {
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
    const decide = COMPARE[node.op];
    const result = decide ? decide(ratio.compare(x, y)) : (ARITHMETIC[node.op] as Calculate)(x, y);
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
      const flips = node.op === "neg" || ratio.compare(x as Exact, 0) < 0 || Object.is(x, -0);
      return flips ? ratio.negate(x as Exact) : x;
    }
    case "binary": {
      const [x, y] = [at(node.left), at(node.right)];
      return BINARY[node.op].apply(typeAt(node.left), x as ScalarValue, y as ScalarValue);
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

/** Conversions to floats do not round; those to integers cut off and saturate as they always do. */
function castExactly(from: Scalar, to: Scalar, value: ExactValue): ExactValue {
  if (!isFloat(from)) {
    if (!isFloat(to)) return castValue(from, to, value as ScalarValue);
    return ratio.exactInteger(BigInt(value as ScalarValue));
  }
  if (isFloat(to)) return value;
  if (typeof value !== "object") return castValue(from, to, value);
  if (to === "bool") return true;
  const { lowest, highest, bits } = SCALARS[to];
  const whole = ratio.truncate(value);
  if (whole <= BigInt(lowest)) return lowest;
  if (whole >= BigInt(highest)) return highest;
  return bits === 64 ? whole : Number(whole);
}
