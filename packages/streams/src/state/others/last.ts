/** Operators whose results are values of the last items. They are exactly associative, and the identity has no item. */
import type { NodeId } from "@groupwise/ir/document/node.js";
import type { Operator, OperatorNode } from "@groupwise/ir/document/operator.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";

/** The value of the last item that has one. */
export const lastOf = (type: Scalar): Operator => ({
  name: "last",
  fields: [
    { name: "there", type: "bool", identity: false },
    { name: "value", type, identity: zeroOf(type) },
  ],
  commutative: false,
  nodes: [
    { id: 0, kind: "left", field: 0 },
    { id: 1, kind: "right", field: 0 },
    { id: 2, kind: "binary", op: "or", left: 0, right: 1 },
    { id: 3, kind: "left", field: 1 },
    { id: 4, kind: "right", field: 1 },
    { id: 5, kind: "select", condition: 1, then: 4, otherwise: 3 },
  ],
  results: [2, 5],
});

const zeroOf = (type: Scalar) => encodeLiteral(type, SCALARS[type].whole(0));

/**
 * The values of the last items: field k is that of the k-th from the end, and field 0 their number, at most `count`. Values of the left move back by the number of
 * those of the right.
 */
export function lastsOf(type: Scalar, count: number): Operator {
  const nodes: OperatorNode[] = [];
  const add = (node: object): NodeId => nodes.push({ id: nodes.length, ...node } as OperatorNode) - 1;
  const fields = Array.from({ length: count + 1 }, (_, field) => field);
  const [left, right] = (["left", "right"] as const).map((kind) =>
    fields.map((field) => add({ kind, field })),
  ) as [NodeId[], NodeId[]];
  const numbers = fields.map((value) => add({ kind: "const", type: "u32", value }));
  const items = right[0] as NodeId;
  const isNumber = numbers.map((number) => add({ kind: "binary", op: "eq", left: items, right: number }));
  const sum = add({ kind: "binary", op: "add", left: left[0], right: items });
  const total = add({ kind: "binary", op: "min", left: sum, right: numbers[count] });
  const values = fields.slice(1).map((k) => {
    // From the last item of the left on, which is the k-th from the end if the right has k - 1 items.
    const moved = fields
      .slice(1, k)
      .reduce(
        (otherwise, by) => add({ kind: "select", condition: isNumber[by], then: left[k - by], otherwise }),
        left[k] as NodeId,
      );
    const condition = add({ kind: "binary", op: "le", left: numbers[k], right: items });
    return add({ kind: "select", condition, then: right[k], otherwise: moved });
  });
  return {
    name: `last_${count}`,
    fields: [
      { name: "items", type: "u32", identity: 0 },
      ...values.map((_, i) => ({ name: `value_${i + 1}`, type, identity: zeroOf(type) })),
    ],
    commutative: false,
    nodes,
    results: [total, ...values],
  };
}
