/** Whether an operator's identity is neutral, by folding constants: a claim of the author does not suffice, because a wrong one would change bits. */

import { Names } from "@groupwise/ir/base/names.js";
import type { NodeId } from "@groupwise/ir/document/node.js";
import { type Operator, type OperatorNode, typesOfOperator } from "@groupwise/ir/document/operator.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import { Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr, VarExpr } from "@groupwise/kernel/language/expr.js";
import { fold } from "@groupwise/kernel/language/fold-expr.js";
import { elementwise } from "@groupwise/kernel/library/functions/elementwise.js";

/** The fields of the identity. */
export const identityExprs = ({ fields }: Operator): readonly ConstExpr[] =>
  fields.map(({ type, identity }) => ({ kind: "const", type, value: identity }));

/**
 * True if the identity, combined with any record to its right, is shown to be that record, bit for bit. This is so for operators of
 * integers, such as affine maps. Floats are added to -0 and multiplied by NaN, so an affine map of floats changes by its identity.
 */
export function isNeutral(operator: Operator): boolean {
  const { fields, nodes, results } = operator;
  const types = typesOfOperator(operator);
  const left = identityExprs(operator);
  const right = fields.map(({ type }, i): VarExpr => ({ kind: "var", name: `right_${i}`, type }));
  const values = new Map<NodeId, Expr>();
  const code = new Code(new Names());
  for (const node of nodes) values.set(node.id, foldedValue(node, { left, right, values, types, code }));
  return results.every((id, i) => values.get(id) === right[i]);
}

interface Known {
  readonly left: readonly ConstExpr[];
  readonly right: readonly VarExpr[];
  readonly values: ReadonlyMap<NodeId, Expr>;
  readonly types: readonly Scalar[];
  /** Nothing is added to it: only functions declare names. */
  readonly code: Code;
}

/** A constant or a field on the right; any other value is a name, so that no expression grows. */
function foldedValue(node: OperatorNode, { left, right, values, types, code }: Known): Expr {
  if (node.kind === "left") return left[node.field] as Expr;
  if (node.kind === "right") return right[node.field] as Expr;
  const unknown: VarExpr = { kind: "var", name: `node_${node.id}`, type: types[node.id] as Scalar };
  if (node.kind === "function") return unknown;
  const value = fold(elementwise(node, (id) => values.get(id) as Expr, code));
  return value.kind === "const" || value.kind === "var" ? value : unknown;
}
