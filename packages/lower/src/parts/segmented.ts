/** User-defined operators that are built-in operators lifted to segments, recognised by their nodes. */
import type { NodeId } from "@groupwise/ir/document/node.js";
import type { Operator, OperatorField, OperatorNode } from "@groupwise/ir/document/operator.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { normalises, OPS, type Op } from "@groupwise/ir/tables/op.js";

const OPERATORS = Object.keys(OPS) as readonly Op[];

/** Whether a node is a field of the left record and another the same field of the right one. */
function areSides({ nodes }: Operator, ids: readonly [NodeId, NodeId], field: number): boolean {
  const sides = ids.map((id) => nodes[id] as OperatorNode);
  return (
    sides.every((side) => (side.kind === "left" || side.kind === "right") && side.field === field) &&
    sides[0]?.kind !== sides[1]?.kind
  );
}

/** Whether the first field says that a record has a first item of a segment: it is true if that of either side is. */
export function hasFlag(operator: Operator): boolean {
  const [field] = operator.fields;
  if (field?.type !== "bool" || field.identity !== false) return false;
  const either = operator.nodes[operator.results[0] as NodeId];
  return (
    either?.kind === "binary" && either.op === "or" && areSides(operator, [either.left, either.right], 0)
  );
}

/** The exactly associative operator that combines the two sides of a field, whose identity is the operator's; undefined if there is none. */
function exactOp(operator: Operator, id: NodeId, field: number): Op | undefined {
  const node = operator.nodes[id] as OperatorNode;
  if (node.kind !== "binary" || !areSides(operator, [node.left, node.right], field)) return undefined;
  const { type, identity } = operator.fields[field] as OperatorField;
  const op = OPERATORS.find((name) => OPS[name].elementwise === node.op && !normalises(name, type));
  const isExact =
    op !== undefined &&
    OPS[op].exactlyAssociative(type) &&
    encodeLiteral(type, OPS[op].identity(type)) === identity;
  return isExact ? op : undefined;
}

/**
 * The operators by field after the first, if an operator is one or several exactly associative ones, lifted to segments: values may be
 * combined in any grouping, with identities anywhere. Undefined for others.
 */
export function opsInSegments(operator: Operator): readonly Op[] | undefined {
  const { nodes, results } = operator;
  if (!hasFlag(operator)) return undefined;
  const ops = results.slice(1).map((id, i) => {
    const node = nodes[id] as OperatorNode;
    if (node.kind !== "select") return undefined;
    const [starts, own] = [nodes[node.condition], nodes[node.then]] as OperatorNode[];
    const isFlag = starts?.kind === "right" && starts.field === 0;
    const isOwn = own?.kind === "right" && own.field === i + 1;
    return isFlag && isOwn ? exactOp(operator, node.otherwise, i + 1) : undefined;
  });
  return ops.every((op) => op !== undefined) ? ops : undefined;
}
