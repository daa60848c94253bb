/** Values that are known before any run: constants, sizes of its work-groups, and operators of those. */

import { FUNCTION_ROWS } from "../functions/functions.ts";
import { bitcastValue, castValue } from "../tables/convert-value.ts";
import { BINARY, UNARY } from "../tables/expr-op.ts";
import { decodeLiteral } from "../tables/literal.ts";
import type { Scalar, ScalarValue } from "../tables/scalar.ts";
import type { Pipeline, PipelineNode, QueryNode } from "./node.ts";
import { QUERIES } from "./query.ts";

/**
 * The value of a node, the same in every run; undefined if it depends on the run.
 * @param types and `known` of the nodes before it; the node itself is valid
 */
export function knownValue(
  node: PipelineNode,
  { workGroupSize }: Pipeline,
  types: readonly Scalar[],
  known: readonly (ScalarValue | undefined)[],
): ScalarValue | undefined {
  if (node.kind === "const") return decodeLiteral(node.type, node.value);
  if (node.kind === "query") return knownQuery(node, workGroupSize);
  if (node.kind === "select") {
    const condition = known[node.condition];
    return condition === undefined ? undefined : known[condition ? node.then : node.otherwise];
  }
  if (node.kind === "binary") {
    const [a, b] = [known[node.left], known[node.right]];
    if (a === undefined || b === undefined) return undefined;
    return BINARY[node.op].apply(types[node.left] as Scalar, a, b);
  }
  if (node.kind === "function") {
    const values = node.of.flatMap((id) => known[id] ?? []);
    if (values.length < node.of.length) return undefined;
    return FUNCTION_ROWS[node.op].apply(types[node.of[0] as number] as Scalar, values);
  }
  if (node.kind !== "unary" && node.kind !== "cast" && node.kind !== "bitcast") return undefined;
  const [value, type] = [known[node.of], types[node.of] as Scalar];
  if (value === undefined) return undefined;
  if (node.kind === "unary") return UNARY[node.op].apply(type, value);
  return (node.kind === "cast" ? castValue : bitcastValue)(type, node.to, value);
}

function knownQuery({ query, dimension }: QueryNode, sides: readonly number[]): number | undefined {
  if (query === "work-dim") return sides.length;
  if (query === "enqueued-local-size") return sides[dimension] ?? 1;
  return dimension >= sides.length ? QUERIES[query].beyond : undefined;
}
