/** Operators whose identity is shown to change nothing on the left: scans begin with it instead of a flag. */

import type { Operator } from "@groupwise/ir/document/operator.js";
import { applyOperator, identityOf } from "@groupwise/ir/document/operator-apply.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, test } from "vitest";
import { fc, test as property } from "../../ir/test/fast-check.ts";
import { operatorOf, scalarOperator, type Term } from "../../ir/test/operator-builder.ts";
import { isNeutral } from "../src/parts/operator.ts";

const affine = (type: Scalar, one: number = 1): Operator => {
  const whole = (value: number): ScalarValue => SCALARS[type].whole(value);
  return operatorOf("affine", { a: type, b: type }, { a: whole(one), b: whole(0) }, (l, r) => ({
    a: l.a.op("mul", r.a),
    b: l.b.op("mul", r.a).op("add", r.b),
  }));
};
/** Sums of segments that begin where the flag holds. */
const segmented = (type: Scalar): Operator =>
  operatorOf(
    "segmented",
    { flag: "bool", sum: type },
    { flag: false, sum: SCALARS[type].whole(0) },
    (l, r) => ({ flag: l.flag.op("or", r.flag), sum: r.flag.select(r.sum, l.sum.op("add", r.sum)) }),
  );
const matrix = operatorOf(
  "matrix",
  { a: "u32", b: "u32", c: "u32", d: "u32" },
  { a: 1, b: 0, c: 0, d: 1 },
  (l, r) => {
    const entry = (x: Term, y: Term, z: Term, w: Term): Term => x.op("mul", y).op("add", z.op("mul", w));
    return {
      ...{ a: entry(l.a, r.a, l.b, r.c), b: entry(l.a, r.b, l.b, r.d) },
      ...{ c: entry(l.c, r.a, l.d, r.c), d: entry(l.c, r.b, l.d, r.d) },
    };
  },
);
const extremes = operatorOf(
  "extremes",
  { least: "i32", most: "i32" },
  { least: 0x7fffffff, most: -0x80000000 },
  (l, r) => ({ least: l.least.op("min", r.least), most: l.most.op("max", r.most) }),
);

const NEUTRAL = [affine("u32"), affine("i64"), segmented("i32"), matrix, extremes];
/** Twice the left side, often: expressions that are not cut grow beyond any memory. */
const doubled = scalarOperator("doubled", "u32", 0, (l, r) => {
  let sum = r;
  for (let i = 0; i < 200; i++) sum = sum.op("add", sum);
  return sum.op("mul", 0).op("add", l).op("add", r);
});

describe("an identity", () => {
  test.each(NEUTRAL.map((operator) => [operator.name, operator.fields[1]?.type, operator] as const))(
    "is neutral: %s of %s",
    (_, __, operator) => expect(isNeutral(operator)).toBe(true),
  );

  test.each([
    ["an affine map of floats, whose NaN spreads", affine("f32")],
    ["segmented sums of floats, where 0 + -0 is 0", segmented("f32")],
    ["a wrong one", affine("u32", 2)],
    ["one that is neutral on the right alone", scalarOperator("minus", "i32", 0, (l, r) => l.op("sub", r))],
    [
      "a maximum with its place, which a comparison decides",
      operatorOf("place", { most: "i32", at: "u32" }, { most: -0x80000000, at: 0 }, (l, r) => {
        const isLeft = l.most.op("ge", r.most);
        return { most: isLeft.select(l.most, r.most), at: isLeft.select(l.at, r.at) };
      }),
    ],
    [
      "fields that change places",
      operatorOf("swapped", { a: "u32", b: "u32" }, { a: 0, b: 0 }, (l, r) => ({
        a: l.a.op("add", r.b),
        b: l.b.op("add", r.a),
      })),
    ],
  ])("is not shown to be neutral: %s", (_, operator) => expect(isNeutral(operator)).toBe(false));

  test("is found for an operator of many nodes that use one another twice", () =>
    expect(isNeutral(doubled)).toBe(true));

  property("that is neutral changes no record to its right", () =>
    fc.property(
      fc.constantFrom(...NEUTRAL, doubled),
      fc.array(fc.integer(), { minLength: 4, maxLength: 4 }),
      (operator, words) => {
        const record = operator.fields.map(({ type }, i) => SCALARS[type].whole(words[i] as number));
        expect(applyOperator(operator, identityOf(operator), record)).toEqual(record);
      },
    ),
  );
});
