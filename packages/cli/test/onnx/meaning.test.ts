/** What operators mean where other implementations, or an earlier import, differ: against oracles of whole numbers. */
import type { ArrayType, ScalarValue } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import fc from "fast-check";
import { expect, test } from "vitest";
import { numberOfType } from "../../src/onnx/types.ts";
import { type NodeParts, tensor, wholes } from "./make.ts";
import { runModel } from "./run-model.ts";

const WIDTHS = { i8: 8, u8: 8, i16: 16, u16: 16, i32: 32, u32: 32, i64: 64, u64: 64 } as const;
type Whole = keyof typeof WIDTHS;
const WHOLE = Object.keys(WIDTHS) as Whole[];
const FLOATS = ["f16", "bf16", "f32", "f64"] as const;
const number = (type: ArrayType): number => numberOfType(type) as number;
const wrap = (type: Whole, exact: bigint): bigint =>
  type.startsWith("i") ? BigInt.asIntN(WIDTHS[type], exact) : BigInt.asUintN(WIDTHS[type], exact);
const hosted = (type: ArrayType, exact: bigint): ScalarValue =>
  type.endsWith("64") && type !== "f64" ? exact : Number(exact);
const leastOf = (type: Whole): bigint => (type.startsWith("i") ? -(1n << BigInt(WIDTHS[type] - 1)) : 0n);
const mostOf = (type: Whole): bigint => leastOf(type) + (1n << BigInt(WIDTHS[type])) - 1n;
const wholeOf = (type: Whole): fc.Arbitrary<bigint> =>
  fc.oneof(fc.bigInt(leastOf(type), mostOf(type)), fc.constantFrom(leastOf(type), mostOf(type), 0n, 1n));
/** The element nearest to a number, as a number. */
const nearest = (type: ArrayType, value: number): number => {
  const { array, toHost, fromHost } = arraySpec(type);
  const stored = new array(1);
  stored[0] = toHost(value) as never;
  return fromHost(stored[0] as number) as number;
};

interface Operand {
  readonly type: ArrayType;
  readonly values: readonly ScalarValue[];
  readonly dims?: readonly number[];
}
/** The result of one node of operands x0, x1, …, of `type`, of one shape unless given. */
async function result(
  node: Omit<NodeParts, "input" | "output">,
  operands: readonly Operand[],
  type: ArrayType,
  version = 28,
): Promise<readonly ScalarValue[]> {
  const names = operands.map((_, i) => `x${i}`);
  const { y } = await runModel(
    {
      nodes: [{ ...node, input: names, output: ["y"] }],
      input: operands.map((one, i) => tensor(`x${i}`, number(one.type), one.dims ?? [one.values.length])),
      output: [tensor("y", number(type))],
      version,
    },
    Object.fromEntries(operands.map(({ values }, i) => [`x${i}`, values])),
  );
  return y as readonly ScalarValue[];
}

test("powers of integers wrap, for exponents of every width", async () => {
  const power = (x: bigint, y: bigint, type: Whole): bigint => {
    if (y < 0n) return x === 1n ? 1n : x === -1n ? (y % 2n === 0n ? 1n : -1n) : 0n;
    let [left, square, all] = [y, wrap(type, x), 1n];
    for (; left > 0n; left >>= 1n) {
      if (left & 1n) all = wrap(type, all * square);
      square = wrap(type, square * square);
    }
    return wrap(type, all);
  };
  for (const type of ["i32", "i64", "i8"] as const)
    for (const by of WHOLE) {
      const sample = fc.sample(
        fc.tuple(
          fc.oneof(wholeOf(type), fc.bigInt(-3n < leastOf(type) ? 0n : -3n, 3n)),
          fc.oneof(wholeOf(by), fc.bigInt(0n, 9n)),
        ),
        { numRuns: 40, seed: 5 },
      );
      const [x, y] = [sample.map(([one]) => one), sample.map(([, other]) => other)];
      const operands = [
        { type, values: x.map((one) => hosted(type, one)) },
        { type: by, values: y.map((one) => hosted(by, one)) },
      ];
      const want = x.map((one, i) => hosted(type, power(one, y[i] as bigint, type)));
      expect(await result({ op: "Pow" }, operands, type), `${type} by ${by}`).toEqual(want);
    }
});

test("powers of floats by integers see every bit of the exponent", async () => {
  const exponents = [2049n, 16777217n, 2n ** 31n - 1n, 2n ** 53n + 1n, 2n ** 63n - 1n, -3n, 0n, 6n];
  const bases = [-1, 1, -2, -0.5, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const size = (x: number, y: bigint): number => Math.abs(x) ** Number(y);
  for (const type of FLOATS)
    for (const by of ["i8", "u16", "i32", "u32", "i64", "u64"] as const) {
      const fits = exponents.filter((y) => y >= leastOf(by) && y <= mostOf(by));
      const pairs = bases.flatMap((x) => fits.map((y) => [x, y] as const));
      const operands = [
        { type, values: pairs.map(([x]) => x) },
        { type: by, values: pairs.map(([, y]) => hosted(by, y)) },
      ];
      const want = pairs.map(([x, y]) => {
        const isNegative = (x < 0 || Object.is(x, -0)) && y % 2n !== 0n;
        return nearest(type, isNegative ? -size(x, y) : size(x, y));
      });
      expect(await result({ op: "Pow" }, operands, type), `${type} by ${by}`).toEqual(want);
    }
});

test("shifts by the width or more leave the sign to the right, and 0 otherwise", async () => {
  for (const type of WHOLE)
    for (const direction of ["LEFT", "RIGHT"]) {
      const amounts = [0n, 1n, 5n, 7n, 8n, 9n, 15n, 16n, 31n, 32n, 33n, 63n, 64n, 65n, 127n];
      const values = fc.sample(wholeOf(type), { numRuns: 6, seed: 3 });
      const pairs = values.flatMap((x) => amounts.map((by) => [x, by] as const));
      const operands = [0, 1].map((i) => ({
        type,
        values: pairs.map((pair) => hosted(type, pair[i] as bigint)),
      }));
      const want = pairs.map(([x, by]) => hosted(type, wrap(type, direction === "LEFT" ? x << by : x >> by)));
      const attribute = [{ name: "direction", s: new TextEncoder().encode(direction), type: 3 }];
      expect(await result({ op: "BitShift", attribute }, operands, type), `${type} ${direction}`).toEqual(
        want,
      );
    }
});

/** Of each reduction the result of whole numbers, as a double. */
const REDUCTIONS: Readonly<Record<string, (x: readonly number[]) => number>> = {
  ReduceSum: (x) => x.reduce((a, b) => a + b, 0),
  ReduceProd: (x) => x.reduce((a, b) => a * b, 1),
  ReduceMax: (x) => Math.max(...x),
  ReduceMin: (x) => Math.min(...x),
  ReduceL1: (x) => x.reduce((a, b) => a + Math.abs(b), 0),
  ReduceL2: (x) => Math.sqrt(x.reduce((a, b) => a + b * b, 0)),
  ReduceSumSquare: (x) => x.reduce((a, b) => a + b * b, 0),
  ReduceMean: (x) => x.reduce((a, b) => a + b, 0) / x.length,
  ReduceLogSum: (x) => Math.log(x.reduce((a, b) => a + b, 0)),
  ReduceLogSumExp: (x) => Math.log(x.reduce((a, b) => a + Math.exp(b), 0)),
};
const noop = { name: "noop_with_empty_axes", i: 1, type: 2 };

test.each(Object.entries(REDUCTIONS))(
  "%s combines what its axes say: all, none, one of length 1, and some",
  async (op, want) => {
    const values = [1, 2, 3, 4, 5, 6];
    const run = async (dims: readonly number[], axes: readonly number[] | undefined, attribute: object[]) => {
      const { y } = await runModel(
        {
          nodes: [{ op, input: axes ? ["x", "axes"] : ["x"], output: ["y"], attribute }],
          input: [tensor("x", number("f64"), dims)],
          output: [tensor("y", number("f64"))],
          initializer: axes ? [wholes("axes", axes)] : [],
        },
        { x: values },
      );
      return y as number[];
    };
    const near = (got: readonly number[], rows: readonly (readonly number[])[]): void => {
      expect(got.length).toBe(rows.length);
      for (const [i, row] of rows.entries()) expect(got[i]).toBeCloseTo(want(row), 10);
    };
    const each = values.map((value) => [value]);
    near(await run([6], undefined, []), [values]);
    near(await run([6], undefined, [noop]), each);
    near(await run([6], [], [noop]), each);
    near(await run([6], [], []), [values]);
    for (const attribute of [[], [noop]]) {
      near(await run([1, 6], [0], attribute), each);
      near(await run([1, 6], [1], attribute), [values]);
      near(await run([2, 3], [0], attribute), [
        [1, 4],
        [2, 5],
        [3, 6],
      ]);
      near(await run([2, 1, 3], [2], attribute), [
        [1, 2, 3],
        [4, 5, 6],
      ]);
      near(await run([3, 1, 2], [0, 2], attribute), [values]);
    }
  },
);

test.each(["f16", "bf16"] as const)("sums of %s are those of floats, rounded once", async (type) => {
  const large = type === "f16" ? 32000 : 2 ** 127;
  const balanced = [...Array(4).fill(large), ...Array(4).fill(-large)].map((x) => nearest(type, x));
  const many = Array.from({ length: 1000 }, () => nearest(type, 100));
  const dims = [1, 1000];
  const one = (op: string, values: readonly number[], shape?: readonly number[]) =>
    result({ op }, [{ type, values, ...(shape && { dims: shape }) }], type);
  if (type === "f16") expect(await one("ReduceSum", balanced)).toEqual([0]);
  expect(await one("ReduceSum", many)).toEqual([nearest(type, 1000 * nearest(type, 100))]);
  expect(await one("ReduceMean", many)).toEqual([nearest(type, 100)]);
  expect(await one("ReduceL2", many)).toEqual([nearest(type, nearest(type, 100) * Math.sqrt(1000))]);
  const shares = await one(
    "Softmax",
    many.map(() => 0),
    dims,
  );
  expect(shares).toEqual(many.map(() => nearest(type, Math.fround(1 / 1000))));
  const ones = many.map(() => 1);
  const { y } = await runModel(
    {
      nodes: [{ op: "CumSum", input: ["x", "axis"], output: ["y"] }],
      input: [tensor("x", number(type), [1000])],
      output: [tensor("y", number(type))],
      initializer: [wholes("axis", [0])],
    },
    { x: ones },
  );
  expect(y).toEqual(ones.map((_, i) => nearest(type, i + 1)));
  if (type === "f16")
    expect(await result({ op: "Mean" }, Array(3).fill({ type, values: [60000] }), type)).toEqual([60000]);
});

test("a reduction over no elements is the identity of its own type", async () => {
  const none = (op: string, type: ArrayType, dims: readonly number[]) =>
    result(
      {
        op,
        attribute: [
          { name: "axes", ints: [1], type: 7 },
          { name: "keepdims", i: 0, type: 2 },
        ],
      },
      [{ type, values: [], dims }],
      type,
      11,
    );
  const inf = Number.POSITIVE_INFINITY;
  for (const type of [...WHOLE, ...FLOATS]) {
    const isFloat = type.includes("f");
    const wanted: Record<string, ScalarValue> = {
      ReduceMax: isFloat ? -inf : hosted(type, leastOf(type as Whole)),
      ReduceMin: isFloat ? inf : hosted(type, mostOf(type as Whole)),
      ReduceSum: hosted(type, 0n),
      ReduceProd: hosted(type, 1n),
      ReduceSumSquare: hosted(type, 0n),
    };
    for (const [op, want] of Object.entries(wanted)) {
      const [got, ...rest] = await none(op, type, [3, 0]);
      expect([Number(got) + 0, typeof got, rest.length], `${op} of ${type}`).toEqual([
        Number(want),
        typeof want,
        2,
      ]);
    }
  }
});

test("a reduction of a range without items is the identity of its own type", async () => {
  for (const type of WHOLE)
    for (const [op, want] of [
      ["ReduceMax", leastOf(type)],
      ["ReduceMin", mostOf(type)],
    ] as const) {
      const input = [tensor("x", number(type), ["N"])];
      const { y } = await runModel(
        { nodes: [{ op, input: ["x"], output: ["y"] }], input, output: [tensor("y", number(type))] },
        { x: [] },
      );
      expect(y, `${op} of ${type}`).toEqual([hosted(type, want)]);
    }
});

test("casts to bf16 round once", async () => {
  const unit = 2 ** -8;
  const doubles = [
    1 + unit,
    1 + unit + 2 ** -40,
    1 + unit - 2 ** -40,
    -1 - unit - 2 ** -40,
    1 + 3 * unit - 2 ** -50,
    2 ** 128,
    1e-45,
    Number.NaN,
  ];
  const up = 1 + 2 * unit;
  const want = [1, up, 1, -up, 1 + 2 * unit, Number.POSITIVE_INFINITY, 0, Number.NaN];
  const attribute = [{ name: "to", i: number("bf16"), type: 2 }];
  expect(await result({ op: "Cast", attribute }, [{ type: "f64", values: doubles }], "bf16")).toEqual(want);
  const half = 2n ** 54n;
  const longs = [
    2n ** 62n + half,
    2n ** 62n + half + 1n,
    2n ** 62n + half - 1n,
    -(2n ** 62n) - half - 1n,
    -(2n ** 63n),
    5n,
    257n,
  ];
  const top = Number(2n ** 62n + 2n * half);
  const rounded = [2 ** 62, top, 2 ** 62, -top, -(2 ** 63), 5, 256];
  expect(await result({ op: "Cast", attribute }, [{ type: "i64", values: longs }], "bf16")).toEqual(rounded);
});

test("the values of Unique at its inverse indices are the items, and its counts are all of them", async () => {
  const value = fc.constantFrom(NaN, 0, -0, 1, -1, Infinity, 7);
  for (const sorted of [0, 1])
    for (const x of fc.sample(fc.array(value, { minLength: 1, maxLength: 12 }), { numRuns: 6, seed: 3 })) {
      const outputs = { y: "f32", first: "i64", inverse: "i64", counts: "i64" } as const;
      const found = await runModel(
        {
          nodes: [
            {
              op: "Unique",
              input: ["x"],
              output: Object.keys(outputs),
              attribute: [{ name: "sorted", type: 2, i: sorted }],
            },
          ],
          input: [tensor("x", number("f32"), [x.length])],
          output: Object.entries(outputs).map(([name, type]) => tensor(name, number(type))),
        },
        { x },
      );
      const [y, first, inverse, counts] = Object.keys(outputs).map((name) => (found[name] ?? []).map(Number));
      const distinct = new Set(x).size;
      const valueAt = (at: number): number => y?.[at] as number;
      // -0 counts as 0, as in comparisons.
      expect(inverse?.map((at) => valueAt(at) + 0)).toEqual(x.map((item) => item + 0));
      expect(first?.slice(0, distinct).map((at) => x[at])).toEqual(y?.slice(0, distinct));
      const numbers = Array.from({ length: distinct }, (_, at) => inverse?.filter((to) => to === at).length);
      expect(counts?.slice(0, distinct)).toEqual(numbers);
    }
});
