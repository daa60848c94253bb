/** The value of the last item that has one. */
import type { Operator } from "@groupwise/ir/document/operator.js";
import { encodeLiteral } from "@groupwise/ir/tables/literal.js";
import { SCALARS, type Scalar } from "@groupwise/ir/tables/scalar.js";

/** It is exactly associative, and the identity is one without a value. */
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
