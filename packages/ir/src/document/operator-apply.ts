/** The meaning of an operator: one application on host values. */

import { FUNCTION_ROWS } from "../functions/functions.ts";
import { bitcastValue, castValue } from "../tables/convert-value.ts";
import { BINARY, UNARY } from "../tables/expr-op.ts";
import { decodeLiteral } from "../tables/literal.ts";
import type { Scalar, ScalarValue } from "../tables/scalar.ts";
import { type Operator, type OperatorNode, typesOfOperator } from "./operator.ts";

/** The identity, one value a field. */
export function identityOf({ fields }: Pick<Operator, "fields">): ScalarValue[] {
  return fields.map(({ type, identity }) => decodeLiteral(type, identity) as ScalarValue);
}

/**
 * `left op right`, one value a field; `left` holds the earlier items. The operator must be valid.
 * To apply one operator often, use {@link applierOf}.
 */
export function applyOperator(
  operator: Operator,
  left: readonly ScalarValue[],
  right: readonly ScalarValue[],
): ScalarValue[] {
  return applierOf(operator)(left, right);
}

/** A function that applies the operator. */
export function applierOf(
  operator: Operator,
): (left: readonly ScalarValue[], right: readonly ScalarValue[]) => ScalarValue[] {
  const types = typesOfOperator(operator);
  const { nodes, results } = operator;
  return (left, right) => {
    const values: ScalarValue[] = [];
    for (const node of nodes) values.push(compute(node, types, values, left, right));
    return results.map((id) => values[id] as ScalarValue);
  };
}

function compute(
  node: OperatorNode,
  types: readonly Scalar[],
  values: readonly ScalarValue[],
  left: readonly ScalarValue[],
  right: readonly ScalarValue[],
): ScalarValue {
  const type = (id: number): Scalar => types[id] as Scalar;
  const get = (id: number): ScalarValue => values[id] as ScalarValue;
  switch (node.kind) {
    case "left":
      return left[node.field] as ScalarValue;
    case "right":
      return right[node.field] as ScalarValue;
    case "const":
      return decodeLiteral(node.type, node.value) as ScalarValue;
    case "unary":
      return UNARY[node.op].apply(type(node.of), get(node.of));
    case "binary":
      return BINARY[node.op].apply(type(node.left), get(node.left), get(node.right));
    case "function":
      return FUNCTION_ROWS[node.op].apply(type(node.of[0] as number), node.of.map(get));
    case "select":
      return get(node.condition) ? get(node.then) : get(node.otherwise);
    case "cast":
      return castValue(type(node.of), node.to, get(node.of));
    case "bitcast":
      return bitcastValue(type(node.of), node.to, get(node.of));
  }
}
