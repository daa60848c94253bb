/** The ready-made operators: their laws, and what plain loops give. */
import { check, type Scalar, type ScalarValue } from "@groupwise/core";
import { type Held, pipelineLaws, printLaws } from "@groupwise/core/laws";
import { BINARY, SCALARS } from "@groupwise/core/target";
import {
  affine,
  argmax,
  argmin,
  bool,
  compensatedSum,
  f16,
  f32,
  f64,
  i32,
  i64,
  matrix2x2,
  minMax,
  modularSum,
  moments,
  outputs,
  pipeline,
  sampleVariance,
  saturated,
  saturatingStep,
  saturatingSteps,
  saturatingSum,
  segmented,
  u32,
  u64,
  variance,
  welford,
} from "@groupwise/dsl";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { run } from "./support.ts";

interface Documented {
  readonly name: string;
  readonly ir: Parameters<typeof check>[0];
}
const NUMERIC = [i32, u32, i64, u64, f16, f32, f64] as const;
const INTEGERS = [i32, u32, i64, u64] as const;
const FLOATS = [f16, f32, f64] as const;
const isFloat = ({ type }: { readonly type: Scalar }): boolean => SCALARS[type].kind === "float";

const EXTREMES = { argmax, argmin };
const SAFE = ["argmax", "argmin"] as const;
/** The pipelines, each with what the laws say: associative, commutative, identity from the left and the right. */
type Verdicts = readonly [Held, Held, Held, Held];
const EXACT: Verdicts = [true, true, true, true];
const AT_ZERO = "up to the sign of zero";
const ROUNDS = "up to rounding";
const forArg = (type: (typeof NUMERIC)[number]): [Documented, Verdicts][] =>
  SAFE.map((name) => {
    const op = (EXTREMES[name] as typeof argmax<"f32">)(type as typeof f32);
    const made = pipeline(`${name}-${type.type}`, { x: type as typeof f32 }, ({ x }, { index }) =>
      outputs({
        best: op.reduce({ value: x, index: index() }),
        so: op.scanInclusive({ value: x, index: index() }),
      }),
    );
    return [made, EXACT];
  });
const pair = <A, B>(a: A, b: B) => [a, b] as const;
const numeric = NUMERIC.map((type) => type as typeof f32);
const PIPELINES: readonly [Documented, Verdicts][] = [
  ...NUMERIC.flatMap(forArg),
  ...numeric.map((type): [Documented, Verdicts] => [
    pipeline(`min-max-${type.type}`, { x: type }, ({ x }) =>
      outputs({ ends: minMax(type).scanInclusive({ min: x, max: x }) }),
    ),
    EXACT,
  ]),
  ...([f32, f64] as (typeof f32)[]).map((type): [Documented, Verdicts] => [
    pipeline(`welford-${type.type}`, { x: type }, ({ x }) => {
      const all = welford(type).reduce(moments(x));
      return outputs({ all, variance: variance(all), sample: sampleVariance(all) });
    }),
    [ROUNDS, ROUNDS, true, true],
  ]),
  ...numeric.map((type): [Documented, Verdicts] => [
    pipeline(`affine-${type.type}`, { a: type, b: type }, (map) =>
      outputs({ x: affine(type).scanInclusive(map) }),
    ),
    isFloat(type) ? [ROUNDS, false, AT_ZERO, AT_ZERO] : [true, false, true, true],
  ]),
  ...numeric.map((type): [Documented, Verdicts] => [
    pipeline(`matrix-${type.type}`, { a: type, b: type, c: type, d: type }, ({ a, b, c, d }) =>
      outputs({ product: matrix2x2(type).scanInclusive({ m: [pair(a, b), pair(c, d)] }) }),
    ),
    isFloat(type) ? [ROUNDS, false, AT_ZERO, AT_ZERO] : [true, false, true, true],
  ]),
  ...([u32, u64] as (typeof u32)[]).map((type): [Documented, Verdicts] => [
    pipeline(`saturating-${type.type}`, { x: type }, ({ x }) => ({
      sum: saturatingSum(type).scanInclusive(x),
    })),
    EXACT,
  ]),
  [
    pipeline("saturating-steps", { x: i32 }, ({ x }) => ({
      sum: saturated(saturatingSteps().scanInclusive(saturatingStep(x))),
    })),
    [true, false, true, true],
  ],
  ...(
    [
      [u32, 4294967291],
      [u64, 18446744073709551557n],
    ] as unknown as [typeof u32, number][]
  ).map(([type, modulus]): [Documented, Verdicts] => [
    pipeline(`modular-${type.type}`, { x: type }, ({ x }) => ({
      sum: modularSum(type, modulus).scanInclusive(x.rem(modulus)),
    })),
    EXACT,
  ]),
  ...FLOATS.map((type) => type as typeof f32).map((type): [Documented, Verdicts] => [
    pipeline(`compensated-${type.type}`, { x: type }, ({ x }) =>
      outputs({ all: compensatedSum(type).scanInclusive({ sum: x, error: 0 }) }),
    ),
    [ROUNDS, true, AT_ZERO, AT_ZERO],
  ]),
  [
    pipeline("segmented-argmax", { x: f32, head: bool }, ({ x, head }, { index }) =>
      outputs({
        best: segmented(argmax(f32)).scanInclusive({ starts: head, of: { value: x, index: index() } }),
      }),
    ),
    [true, false, true, true],
  ],
  [
    pipeline("segmented-add", { x: i32, head: bool }, ({ x, head }) =>
      outputs({ sum: segmented("add", i32).scanInclusive({ starts: head, of: x }) }),
    ),
    [true, false, true, true],
  ],
];

describe("laws", () => {
  it.each(PIPELINES.map(([made, held]) => [made.name, made, held] as const))("%s", (_, { ir }, held) => {
    const [found] = pipelineLaws(check(ir));
    expect(found?.domain).toBe("fed");
    expect(
      found?.laws.map((law) => law.held),
      printLaws(found!),
    ).toEqual(held);
    expect(
      found?.laws.every(({ ok }) => ok),
      printLaws(found!),
    ).toBe(true);
  });
});

/** Values of a type: of all sizes, special ones, and some that come twice. */
function anyOf(type: Scalar): fc.Arbitrary<ScalarValue> {
  const { kind, lowest, highest, wrap, bits } = SCALARS[type];
  if (kind === "bool") return fc.boolean();
  const small = fc
    .integer({ min: kind === "uint" ? 0 : -3, max: 3 })
    .map((x) => wrap(bits === 64 && kind !== "float" ? BigInt(x) : x));
  const ends = fc.constantFrom(lowest, highest, ...(kind === "float" ? [Number.NaN, -0, 0] : []));
  const any =
    kind === "float"
      ? fc.double({ noNaN: true }).map(wrap)
      : fc
          .bigInt({ min: BigInt(lowest), max: BigInt(highest) })
          .map((x) => wrap(bits === 64 ? x : Number(x)));
  return fc.oneof(
    { weight: 3, arbitrary: small },
    { weight: 1, arbitrary: ends },
    { weight: 4, arbitrary: any },
  );
}
const arrayOf = (type: Scalar, minLength: number = 0) =>
  fc.array(anyOf(type), { minLength, maxLength: 70 }) as fc.Arbitrary<ScalarValue[]>;
const made = (name: string): Documented => PIPELINES.find(([one]) => one.name === name)![0];

describe.each(NUMERIC.map(({ type }) => type))("of %s", (type) => {
  const isWorse = {
    argmax: (a: ScalarValue, b: ScalarValue) => a < b,
    argmin: (a: ScalarValue, b: ScalarValue) => a > b,
  };
  test.each(SAFE)("%s equals a plain loop", (name) => {
    fc.assert(
      fc.property(arrayOf(type, 1), (x) => {
        let best = 0;
        x.forEach((value, i) => {
          if (Number.isNaN(x[best])) return;
          if (Number.isNaN(value) || isWorse[name](x[best]!, value)) best = i;
        });
        const found = run(made(`${name}-${type}`), { x });
        expect([found.best_value, found.best_index]).toEqual([[x[best]], [best]]);
        expect(found.so_index?.at(-1)).toBe(best);
      }),
    );
  });
  test("argmax of an empty range", () => {
    const { best_value, best_index } = run(made(`argmax-${type}`), { x: [] });
    expect([best_value, best_index]).toEqual([[SCALARS[type].lowest], [0xffffffff]]);
  });
  test("minMax equals plain loops", () => {
    fc.assert(
      fc.property(arrayOf(type, 1), (x) => {
        const both = (["min", "max"] as const).map((op) => x.reduce((a, b) => BINARY[op].apply(type, a, b)));
        const { ends_min, ends_max } = run(made(`min-max-${type}`), { x });
        expect([ends_min?.at(-1), ends_max?.at(-1)]).toEqual(both);
      }),
    );
  });
});

describe.each(INTEGERS.map(({ type }) => type))("of %s, bit for bit", (type) => {
  const { wrap, bits } = SCALARS[type];
  const wrapped = (x: bigint): ScalarValue => wrap(bits === 64 ? x : Number(BigInt.asIntN(32, x)));
  test("affine maps solve a recurrence", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyOf(type), anyOf(type)), { maxLength: 70 }), (maps) => {
        let x = 0n;
        const expected = maps.map(([a, b]) => {
          x = BigInt(wrapped(BigInt(a) * x + BigInt(b)));
          return wrapped(x);
        });
        const found = run(made(`affine-${type}`), { a: maps.map(([a]) => a), b: maps.map(([, b]) => b) });
        expect(found.x_b).toEqual(expected);
      }),
    );
  });
  test("matrix products", () => {
    const four = fc.tuple(anyOf(type), anyOf(type), anyOf(type), anyOf(type));
    fc.assert(
      fc.property(fc.array(four, { maxLength: 40 }), (list) => {
        let [a, b, c, d] = [1n, 0n, 0n, 1n];
        const expected = list.map((matrix) => {
          const [e, f, g, h] = matrix.map(BigInt) as [bigint, bigint, bigint, bigint];
          [a, b, c, d] = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h].map((x) =>
            BigInt(wrapped(x)),
          ) as typeof matrix & [bigint, bigint, bigint, bigint];
          return [a, b, c, d].map(wrapped);
        });
        const columns = Object.fromEntries(
          ["a", "b", "c", "d"].map((name, i) => [name, list.map((m) => m[i]!)]),
        );
        const found = run(made(`matrix-${type}`), columns);
        const names = ["product_m_0_0", "product_m_0_1", "product_m_1_0", "product_m_1_1"];
        expect(list.map((_, i) => names.map((name) => found[name]?.[i]))).toEqual(expected);
      }),
    );
  });
});

test("Fibonacci numbers are powers of a matrix", () => {
  const fibonacci = pipeline("fibonacci", { one: u64 }, ({ one }) => {
    return { f: matrix2x2(u64).scanInclusive({ m: [pair(one, one), pair(one, 0n)] }).m[0][1] };
  });
  const { f } = run(fibonacci, { one: new Array(10).fill(1n) });
  expect(f?.join(" ")).toBe("1 1 2 3 5 8 13 21 34 55");
});

describe.each(["u32", "u64"] as const)("of %s", (type) => {
  const { highest, bits } = SCALARS[type];
  const hosted = (x: bigint): ScalarValue => (bits === 64 ? x : Number(x));
  const running = (x: readonly ScalarValue[], add: (sum: bigint, value: bigint) => bigint): ScalarValue[] => {
    let sum = 0n;
    return x.map((value) => {
      sum = add(sum, BigInt(value));
      return hosted(sum);
    });
  };
  test("saturating sums", () => {
    fc.assert(
      fc.property(arrayOf(type), (x) => {
        const limit = BigInt(highest);
        const expected = running(x, (sum, value) => (sum + value > limit ? limit : sum + value));
        expect(run(made(`saturating-${type}`), { x }).sum).toEqual(expected);
      }),
    );
  });
  test("modular sums", () => {
    const modulus = { u32: 4294967291n, u64: 18446744073709551557n }[type];
    fc.assert(
      fc.property(arrayOf(type), (x) => {
        const expected = running(x, (sum, value) => (sum + value) % modulus);
        expect(run(made(`modular-${type}`), { x }).sum).toEqual(expected);
      }),
    );
  });
});

test("saturating steps equal a loop of saturating additions of signed integers", () => {
  fc.assert(
    fc.property(arrayOf("i32"), (x) => {
      let sum = 0;
      const expected = x.map((value) => {
        sum = Math.min(Math.max(sum + Number(value), -0x80000000), 0x7fffffff);
        return sum;
      });
      expect(run(made("saturating-steps"), { x }).sum).toEqual(expected);
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 300 : 100 },
  );
});

describe.each(["f32", "f64"] as const)("welford of %s", (type) => {
  const rounding = type === "f32" ? 2 ** -24 : 2 ** -53;
  const { wrap } = SCALARS[type];
  test("equals two passes, within a bound", () => {
    const near = fc.integer({ min: -1e6, max: 1e6 }).map((x) => x / 1e6);
    const arrays = fc.tuple(
      fc.array(near, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0, 1, 100, 10_000),
    );
    fc.assert(
      fc.property(arrays, ([offsets, centre]) => {
        const x = offsets.map((offset) => wrap(centre + offset) as number);
        const mean = x.reduce((a, b) => a + b, 0) / x.length;
        const squares = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
        const found = run(made(`welford-${type}`), { x });
        const depth = 4 * (Math.log2(x.length) + 2) * rounding;
        const largest = Math.max(...x.map(Math.abs));
        expect(found.all_count).toEqual([x.length]);
        expect(Math.abs(Number(found.all_mean) - mean)).toBeLessThanOrEqual(depth * largest);
        // The mean's error moves every difference.
        const bound = depth * (squares + 2 * largest * Math.sqrt(squares)) + (depth * largest) ** 2;
        expect(Math.abs(Number(found.variance) - squares)).toBeLessThanOrEqual(bound);
        if (x.length > 1) {
          const ratio = x.length / (x.length - 1);
          expect(Math.abs(Number(found.sample) - squares * ratio)).toBeLessThanOrEqual(2 * bound * ratio);
        }
      }),
    );
  });
  test("of an empty range, of one value, of infinities and NaN", () => {
    const of = (...x: number[]) => {
      const { all_count, all_mean, variance: v, sample } = run(made(`welford-${type}`), { x });
      return [all_count, all_mean, v, sample].map((list) => list?.[0]);
    };
    expect(of()).toEqual([0, 0, Number.NaN, Number.NaN]);
    expect(of(7)).toEqual([1, 7, 0, Number.NaN]);
    expect(of(1, Number.NaN, 2).slice(1)).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(of(1, Number.POSITIVE_INFINITY).slice(2)).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("compensated sums", () => {
  const naive = pipeline("naive", { x: f32 }, ({ x }) => ({ sum: x.reduce("add") }));
  const values = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, max: 2 ** 60, min: -(2 ** 60) }), {
    minLength: 2,
    maxLength: 200,
  });
  test("two floats represent the sum nearly exactly", () => {
    fc.assert(
      fc.property(values, (x) => {
        // Multiples of 2^-149: integers, so that the sum is exact.
        const exact = x.reduce((sum, value) => sum + BigInt(value * 2 ** 149), 0n);
        const found = run(made("compensated-f32"), { x });
        const [sum, error] = [Number(found.all_sum?.at(-1)), Number(found.all_error?.at(-1))];
        const off = BigInt(sum * 2 ** 149) + BigInt(error * 2 ** 149) - exact;
        const magnitudes = x.reduce((all, value) => all + BigInt(Math.abs(value) * 2 ** 149), 0n);
        // log2(n) + 1 steps, each within 2^-46 of what went in.
        const bound = (magnitudes * BigInt(Math.ceil(Math.log2(x.length)) + 1)) >> 46n;
        expect((off < 0n ? -off : off) <= bound).toBe(true);
        expect(Math.fround(sum + error)).toBe(sum);
      }),
    );
  });
  test("where a plain sum loses everything", () => {
    const x = [1, 1e10, 1, -1e10, 3, 1e10, -1e10].map(Math.fround);
    expect(run(made("compensated-f32"), { x }).all_sum?.at(-1)).toBe(5);
    expect(Number(run(naive, { x }).sum)).not.toBe(5);
  });
  test("infinities and NaN are summed as by add", () => {
    const of = (...x: number[]) => {
      const { all_sum, all_error } = run(made("compensated-f32"), { x });
      return [all_sum?.at(-1), all_error?.at(-1)];
    };
    const INF = Number.POSITIVE_INFINITY;
    expect(of(1, INF, 2)).toEqual([INF, 0]);
    expect(of(-INF, 1)).toEqual([-INF, 0]);
    expect(of(INF, 1, -INF)[0]).toBeNaN();
    expect(of(1, Number.NaN, 2)[0]).toBeNaN();
  });
});

describe("segments", () => {
  const heads = fc.array(fc.tuple(anyOf("f32"), fc.boolean()), { minLength: 1, maxLength: 70 });
  test("argmax of each", () => {
    fc.assert(
      fc.property(heads, (items) => {
        let best = 0;
        const x = items.map(([value]) => value);
        const expected = items.map(([value, starts], i) => {
          if (i === 0 || starts) best = i;
          else if (!Number.isNaN(x[best]) && (Number.isNaN(value) || x[best]! < value)) best = i;
          return best;
        });
        const found = run(made("segmented-argmax"), { x, head: items.map(([, starts]) => starts) });
        expect(found.best_of_index).toEqual(expected);
        expect(found.best_of_value).toEqual(expected.map((i) => x[i]));
      }),
    );
  });
  test("sums of each", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyOf("i32"), fc.boolean()), { maxLength: 70 }), (items) => {
        let sum = 0;
        const expected = items.map(([value, starts]) => {
          sum = ((starts ? 0 : sum) + Number(value)) | 0;
          return sum;
        });
        const [x, head] = [items.map(([value]) => value), items.map(([, starts]) => starts)];
        expect(run(made("segmented-add"), { x, head }).sum_of).toEqual(expected);
      }),
    );
  });
});

describe("what is unavailable", () => {
  it.each([
    // @ts-expect-error it is not associative
    ["a signed saturating sum", () => saturatingSum(i32)],
    // @ts-expect-error truth values have no order
    ["an argmax of bool", () => argmax(bool)],
    // @ts-expect-error halves end at 65504
    ["a mean of halves", () => welford(f16)],
    // @ts-expect-error integers lose nothing
    ["a compensated sum of integers", () => compensatedSum(u32)],
    ["a modulus of 0", () => modularSum(u32, 0)],
    ["a modulus that is not whole", () => modularSum(u32, 2.5)],
    ["a modulus past the type", () => modularSum(u32, 2 ** 32)],
  ])("%s", (_, make) => {
    expect(errorFrom(make).code).toBe("bad-usage");
  });
});
