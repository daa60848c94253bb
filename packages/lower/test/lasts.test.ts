/** The operator of reads of earlier items: its laws on any values, and that an operator like it is not taken for it. */

import type { Operator, OperatorNode } from "@groupwise/ir/document/operator.js";
import { applyOperator, identityOf } from "@groupwise/ir/document/operator-apply.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { anyOf } from "../../ir/test/support.ts";
import { isLasts, lastsOf } from "../src/parts/lasts.ts";

const TYPES = ["u32", "f32", "i64", "bool"] as const satisfies readonly Scalar[];

describe.each(TYPES)("the values of the last items of %s", (type) => {
  const operator = lastsOf(type, 3);
  const record = fc.tuple(
    fc.oneof(fc.nat(4), fc.constantFrom(0xfffffffe, 0xffffffff)),
    anyOf(type),
    anyOf(type),
    anyOf(type),
  ) as fc.Arbitrary<ScalarValue[]>;

  test("are associative, with an identity, for any records", () =>
    fc.property(record, record, record, (a, b, c) => {
      const apply = (x: readonly ScalarValue[], y: readonly ScalarValue[]) => applyOperator(operator, x, y);
      expect(apply(apply(a, b), c)).toEqual(apply(a, apply(b, c)));
      expect(apply(identityOf(operator), a)).toEqual(a);
      expect(apply(a, identityOf(operator))).toEqual(a);
    }));

  test("are those of the list", () =>
    fc.property(fc.array(anyOf(type), { minLength: 3, maxLength: 9 }), (list) => {
      const [, ...none] = identityOf(operator);
      const one = (value: ScalarValue) => [1, value, ...none.slice(1)];
      const all = list.map(one).reduce((a, b) => applyOperator(operator, a, b) as never);
      expect(all).toEqual([list.length, ...list.slice(-3).reverse()]);
    }));
});

it("are recognised by every node", () => {
  const operator = lastsOf("u32", 2);
  expect(isLasts(operator)).toBe(true);
  const turned = operator.nodes.map((node) => Object.fromEntries(Object.entries(node).toReversed()));
  expect(isLasts({ ...operator, nodes: turned as unknown as OperatorNode[] })).toBe(true);
  expect(isLasts({ ...operator, name: "lasts_3" })).toBe(false);
  for (const node of operator.nodes.filter(({ kind }) => kind === "binary")) {
    const nodes = operator.nodes.map((one) => (one === node ? ({ ...node, op: "ne" } as OperatorNode) : one));
    expect(isLasts({ ...operator, nodes } as Operator)).toBe(false);
  }
});
