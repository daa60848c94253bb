import { describe, expect } from "vitest";
import { applyExactly, exactOf, roundedTo } from "../src/laws/judge.ts";
import * as ratio from "../src/laws/ratio.ts";
import { castValue } from "../src/tables/convert-value.ts";
import type { BinaryOp } from "../src/tables/expr-op.ts";
import { BINARY } from "../src/tables/expr-op.ts";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import { fc, test } from "./fast-check.ts";
import { scalarOperator } from "./operator-builder.ts";
import { anyOf } from "./support.ts";

const double = fc.oneof(fc.double(), fc.integer({ min: -9, max: 9 }), fc.constantFrom(0, -0));

describe("exact numbers", () => {
  test("a double is converted back unchanged", () =>
    fc.property(double, (x) => {
      expect(ratio.approximate(ratio.exact(x))).toBe(x);
    }));
  // One operation rounded once is what floats do; f32 leaves room to round twice in silence.
  const CALCULATE = { add: ratio.add, mul: ratio.multiply, div: ratio.divide } as const;
  for (const [op, calculate] of Object.entries(CALCULATE)) {
    test(`${op} of two halves, rounded, equals the float operation`, () =>
      fc.property(anyOf("f16"), anyOf("f16"), (a, b) => {
        const result = roundedTo("f16", calculate(ratio.exact(a as number), ratio.exact(b as number)));
        expect(result).toBe(BINARY[op as BinaryOp].apply("f16", a, b));
      }));
  }
  test("comparisons are those of floats", () =>
    fc.property(double, double, (a, b) => {
      const order = ratio.compare(ratio.exact(a), ratio.exact(b));
      expect([order < 0, order === 0, order > 0]).toEqual([a < b, a === b, a > b]);
    }));
  test("sums associate", () =>
    fc.property(double, double, double, (...list) => {
      const [a, b, c] = list.map(ratio.exact) as [ratio.Exact, ratio.Exact, ratio.Exact];
      const difference = [ratio.add(ratio.add(a, b), c), ratio.add(a, ratio.add(b, c))] as const;
      expect(difference.some(Number.isNaN) || ratio.compare(...difference) === 0).toBe(true);
    }));
});

describe("exact operators", () => {
  // f16 values are exact in f64, and so are one sum and one product of them.
  const ops = "add sub mul min max absdiff eq ne lt le gt ge".split(" ") as BinaryOp[];
  for (const op of ops) {
    test(`${op} of floats without rounding`, () =>
      fc.property(anyOf("f16"), anyOf("f16"), (a, b) => {
        const { compares, apply } = BINARY[op];
        const operator = scalarOperator(op, "f64", 0, (x, y) => {
          const result = x.op(op, y);
          return compares ? result.to("f64") : result;
        });
        const expected = apply("f64", a, b);
        const { values } = applyExactly(operator, [exactOf("f64", a)], [exactOf("f64", b)]);
        expect(roundedTo("f64", values[0]!)).toBe(compares ? Number(expected) : expected);
      }));
  }
  const pairs = SCALAR_NAMES.flatMap((from) => SCALAR_NAMES.map((to): [Scalar, Scalar] => [from, to]));
  for (const [from, to] of pairs) {
    test(
      `${from} to ${to} and back, without rounding`,
      () =>
        fc.property(anyOf(from), (a) => {
          const operator = scalarOperator("cast", from, SCALARS[from].lowest, (x) => x.to(to).to(from));
          const there: ScalarValue = castValue(from, to, a);
          const isExact =
            SCALARS[to].kind !== "float" || Object.is(castValue(to, "f64", there), castValue(from, "f64", a));
          fc.pre(isExact && (typeof a !== "bigint" || BigInt(Number(a)) === a));
          const { values } = applyExactly(operator, [exactOf(from, a)], [exactOf(from, a)]);
          expect(roundedTo(from, values[0]!)).toBe(castValue(to, from, there));
        }),
      60,
    );
  }
});
