/**
 * The operator on the values of the last items: field k is the value of the k-th item from the end, and field 0 the number of items. Its exclusive scan is a read of earlier items.
 *
 * The values on the left move back by the number of items on the right, where they meet values that are the identity unless a caller made them otherwise; their maximum
 * keeps the operator exactly associative for any values at all.
 */
import type { NodeId } from "@groupwise/ir/document/node.js";
import { NodeList } from "@groupwise/ir/document/nodes.js";
import type { Operator, OperatorNode } from "@groupwise/ir/document/operator.js";
import { encodeLiteral, type Literal } from "@groupwise/ir/tables/literal.js";
import { OPS, type Op } from "@groupwise/ir/tables/op.js";
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";

/** The operator by which values meet: exactly associative on every type. */
const meetingOf = (type: Scalar): Op => (type === "bool" ? "logical-or" : "max");

/** The value of a field without an item. */
export const noValue = (type: Scalar): Literal => encodeLiteral(type, OPS[meetingOf(type)].identity(type));

/** @param count of values, at most 31 */
export function lastsOf(type: Scalar, count: number): Operator {
  const list = new NodeList<OperatorNode>();
  const fields = Array.from({ length: count + 1 }, (_, field) => field);
  const [left, right] = (["left", "right"] as const).map((kind) =>
    fields.map((field) => list.add({ kind, field })),
  ) as [NodeId[], NodeId[]];
  const numbers = fields.map((value) => list.constant("u32", value));
  const items = right[0] as NodeId;
  const isNumber = numbers.map((number) => list.binary("eq", items, number));
  const total = list.add({ kind: "function", op: "addSaturating", of: [left[0] as NodeId, items] });
  const op = OPS[meetingOf(type)].elementwise;
  const values = fields.slice(1).map((k) => {
    // From the last item of the left on, which is the k-th from the end if the right has k - 1 items.
    const moved = fields
      .slice(1, k)
      .reduce(
        (otherwise, by) => list.select(isNumber[by] as NodeId, left[k - by] as NodeId, otherwise),
        left[k] as NodeId,
      );
    const own = right[k] as NodeId;
    const otherwise = list.binary(op, moved, own);
    return list.select(list.binary("le", numbers[k] as NodeId, items), own, otherwise);
  });
  return {
    name: `lasts_${count}`,
    fields: [
      { name: "items", type: "u32", identity: 0 },
      ...values.map((_, i) => ({ name: `value_${i + 1}`, type, identity: noValue(type) })),
    ],
    commutative: false,
    nodes: list.nodes,
    results: [total, ...values],
  };
}

const NAME = /^lasts_([1-9]\d?)$/;
const known = new WeakMap<Operator, boolean>();

/** Whether an operator is that of {@link lastsOf}. */
export function isLasts(operator: Operator): boolean {
  const found = known.get(operator) ?? isSame(operator);
  known.set(operator, found);
  return found;
}

function isSame({ name, fields, nodes, results }: Operator): boolean {
  const count = Number(NAME.exec(name)?.[1]);
  const type = fields[1]?.type;
  if (!type || count !== fields.length - 1) return false;
  const own = lastsOf(type, count);
  const bare = nodes.map(({ at: _, ...node }) => node);
  return textOf([fields, bare, results]) === textOf([own.fields, own.nodes, own.results]);
}

/** Properties may be in any order, as in a document that was read. */
const textOf = (parts: readonly (readonly unknown[])[]): string =>
  JSON.stringify(parts.map((part) => part.map(sorted)));

const sorted = (value: unknown): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    : value;

/** The values of the last items after one more: they move by one. Undefined if the right is not one item. */
export function movedByOne(
  operator: Operator,
  left: readonly Expr[],
  right: readonly Expr[],
): readonly Expr[] | undefined {
  const [items, value, ...others] = right;
  const is = (expr: Expr | undefined, literal: Literal | undefined): boolean =>
    expr?.kind === "const" && Object.is(expr.value, literal);
  const isOne = is(items, 1) && others.every((other, i) => is(other, operator.fields[i + 2]?.identity));
  return isOne ? [value as Expr, ...left.slice(1, -1)] : undefined;
}
