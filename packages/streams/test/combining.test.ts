/** The operators of states as a pipeline: its items are pairs of totals, and its results are those of merging. */

import { check } from "@groupwise/ir/document/check.js";
import type { Operator } from "@groupwise/ir/document/operator.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { OP_NAMES, opExists } from "@groupwise/ir/tables/op.js";
import { SCALAR_NAMES, SCALARS, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { expect, it } from "vitest";
import { operatorOf } from "../../ir/test/operator-builder.ts";
import { combiningOf } from "../src/state/combining.ts";
import { combineOf, type StateOperator, typesOfState } from "../src/state/state.ts";

const AFFINE: Operator = operatorOf("affine", { a: "f32", b: "f32" }, { a: 1, b: 0 }, (l, r) => ({
  a: l.a.op("mul", r.a),
  b: l.b.op("mul", r.a).op("add", r.b),
}));
/** It ignores most of its operands, and has a field whose path is no name. */
const LAST: Operator = operatorOf("last", { x: "i64", "m.a": "f16" }, { x: 0n, "m.a": 0 }, (l, r) => ({
  x: r.x,
  "m.a": l["m.a"],
}));
const OPERATORS: readonly StateOperator[] = [
  ...OP_NAMES.flatMap((op) =>
    SCALAR_NAMES.filter((type) => opExists(op, type)).map((type) => ({ op, type })),
  ),
  ...[AFFINE, LAST, AFFINE],
];

/** A total for each number: no two alike on the two sides of an item. Those of logical operators are 0 or 1. */
function totalOf(operator: StateOperator, k: number): ScalarValue[] {
  const isTruth = "op" in operator && operator.op.startsWith("logical");
  return typesOfState(operator).map((type, field) => {
    if (isTruth || type === "bool") return SCALARS[type].whole(k % 3 === 0 ? 1 : 0);
    const { kind, wrap, whole } = SCALARS[type];
    return kind === "float" ? wrap((k + field) * 0.37) : whole(k + field);
  });
}

it("all operators side by side combine totals as merging does, the earlier ones on the left", () => {
  const { pipeline, values } = combiningOf("both", OPERATORS);
  const n = 6;
  const sides = { left: 1, right: 3 } as const;
  const totals = (i: number, side: "left" | "right"): ScalarValue[][] =>
    OPERATORS.map((operator) => totalOf(operator, i * 7 + sides[side]));
  const column = (side: "left" | "right", at: number, field: number): ScalarValue[] =>
    Array.from({ length: n }, (_, i) => totals(i, side)[at]?.[field] as ScalarValue);
  const inputs = Object.fromEntries(
    values.flatMap((own, at) =>
      own.flatMap(({ left, right }, field) => [
        [left, column("left", at, field)],
        [right, column("right", at, field)],
      ]),
    ),
  );
  const outputs = reference(check(pipeline), { n, inputs });
  for (const [at, operator] of OPERATORS.entries())
    for (let i = 0; i < n; i++) {
      const want = combineOf(operator)(totals(i, "left")[at] ?? [], totals(i, "right")[at] ?? []);
      const got = values[at]?.map(({ both }) => outputs[both]?.[i]);
      expect([at, i, got]).toEqual([at, i, want]);
    }
});
