import { type Op, SCALAR_NAMES, type Scalar, type ScalarValue } from "@groupwise/core";
import { BINARY, castValue, OPS, SCALARS, UNARY } from "@groupwise/core/target";
import {
  bool,
  constant,
  f16,
  f32,
  f64,
  i32,
  i64,
  param,
  pipeline,
  type ScalarType,
  select,
  u32,
  u64,
} from "@groupwise/dsl";
import { describe, expect, it } from "vitest";
import { errorFrom } from "../../ir/test/support.ts";
import { nodesOf, run } from "./support.ts";

type Loose = Record<string, (...args: unknown[]) => Loose>;
// The same test for every type goes past the types; types.test.ts looks at those.
const loosely = pipeline as unknown as (
  name: string,
  inputs: object,
  build: (inputs: Record<string, Loose>) => object,
  options?: object,
) => ReturnType<typeof pipeline>;
const TYPES = { i32, u32, i64, u64, f16, f32, f64, bool };
const descriptor = (type: Scalar): ScalarType<Scalar> => TYPES[type] as unknown as ScalarType<Scalar>;
const big = (type: Scalar): boolean => type === "i64" || type === "u64";
const samples = (type: Scalar): ScalarValue[] =>
  [0, 1, 2, 3, 100, 7, 5].map((x) => (type === "bool" ? x % 2 === 1 : big(type) ? BigInt(x) : x));
const exists = (row: { on: readonly string[] } | undefined, type: Scalar): boolean =>
  row?.on.includes(SCALARS[type].kind) ?? false;

describe.each(SCALAR_NAMES)("values of %s", (type) => {
  const x = samples(type);
  const y = samples(type).reverse();

  it.each(Object.keys(BINARY).filter((op) => exists(BINARY[op as keyof typeof BINARY], type)))("%s", (op) => {
    const { rightType, apply } = BINARY[op as keyof typeof BINARY];
    const right = rightType ? y.map(Number) : y;
    const built = loosely("p", { x: descriptor(type), y: descriptor(rightType ?? type) }, ({ x, y }) => ({
      z: x?.[op]?.(y) as Loose,
    }));
    expect(run(built, { x, y: right }).z).toEqual(x.map((a, i) => apply(type, a, right[i] as ScalarValue)));
    const literal = right[2] as ScalarValue;
    const withLiteral = loosely("p", { x: descriptor(type) }, ({ x }) => ({
      z: x?.[op]?.(literal) as Loose,
    }));
    expect(run(withLiteral, { x }).z).toEqual(x.map((a) => apply(type, a, literal)));
  });

  it.each(Object.keys(UNARY).filter((op) => exists(UNARY[op as keyof typeof UNARY], type)))("%s", (op) => {
    const built = loosely("p", { x: descriptor(type) }, ({ x }) => ({ z: x?.[op]?.() as Loose }));
    expect(run(built, { x }).z).toEqual(x.map((a) => UNARY[op as keyof typeof UNARY].apply(type, a)));
  });

  it.each(SCALAR_NAMES)("to %s", (to) => {
    const cast = `to${to[0]?.toUpperCase()}${to.slice(1)}`;
    const built = loosely("p", { x: descriptor(type) }, ({ x }) => ({ z: x?.[cast]?.() as Loose }));
    expect(run(built, { x }).z).toEqual(x.map((a) => castValue(type, to, a)));
    expect(nodesOf(built, "cast")).toHaveLength(to === type ? 0 : 1);
  });

  it.each((Object.keys(OPS) as Op[]).filter((op) => exists(OPS[op], type)))(
    "reduce and scans by %s",
    (op) => {
      const built = loosely(
        "p",
        { x: descriptor(type) },
        ({ x }) =>
          ({
            all: x?.reduce?.(op),
            incl: x?.scanInclusive?.(op, { scope: "work-group" }),
            excl: x?.scanExclusive?.(op, { scope: "device" }),
          }) as object,
        { workGroupSize: 4 },
      );
      expect(nodesOf(built, "reduce")[0]).toMatchObject({ op, type, scope: "device", order: "fixed" });
      expect(nodesOf(built, "scan-inclusive")[0]).toMatchObject({ op, type, scope: "work-group" });
      const { all, incl, excl } = run(built, { x });
      const truth = (v: ScalarValue): ScalarValue =>
        op.startsWith("logical") ? OPS[op].apply(type, v, OPS[op].identity(type)) : v;
      expect(incl?.[0]).toEqual(truth(x[0] as ScalarValue));
      expect(incl?.[4]).toEqual(truth(x[4] as ScalarValue));
      expect(excl?.[0]).toEqual(OPS[op].identity(type));
      expect(OPS[op].apply(type, excl?.at(-1) as ScalarValue, x.at(-1) as ScalarValue)).toEqual(all?.[0]);
    },
  );

  it("broadcast, perItem, select, scatter and parameters", () => {
    const built = loosely(
      "p",
      { x: descriptor(type), k: param(descriptor(type) as ScalarType<"u32">), slot: u32 },
      ({ x, k, slot }) =>
        ({
          third: x?.broadcast?.(2),
          group: x?.broadcast?.(1, { scope: "work-group" }),
          each: k?.perItem?.(),
          chosen: slot?.lt?.(3)?.select?.(x, k),
          back: x?.scatter?.({ to: slot, where: slot?.ne?.(1), length: 6 }),
        }) as object,
      { workGroupSize: 4 },
    );
    const k = x[3] as ScalarValue;
    const slot = [6, 5, 4, 3, 2, 1, 0].map((s) => s % 6);
    const zero = castValue("bool", type, false);
    expect(run(built, { x, slot: [1, 5, 4, 3, 2, 1, 0] }, { k })).toEqual({
      third: [x[2]],
      group: [x[1], x[5]],
      each: x.map(() => k),
      chosen: [x[0], k, k, k, x[4], x[5], x[6]],
      back: [x[6], zero, x[4], x[3], x[2], x[1]],
    });
    expect(slot).toHaveLength(7);
  });

  it("make constants", () => {
    const value = x[1] as ScalarValue;
    const made = loosely("p", { x: descriptor(type) }, () => ({
      a: descriptor(type)(value as never) as unknown as Loose,
      b: constant(descriptor(type), value as never) as unknown as Loose,
    }));
    expect(run(made, { x })).toEqual({ a: [value], b: [value] });
    expect(nodesOf(made, "const")).toHaveLength(1);
  });
});

describe("constants", () => {
  const value = (type: Scalar, literal: unknown) => {
    const made = loosely("p", { x: u32 }, () => ({
      a: (descriptor(type) as (v: unknown) => unknown)(literal) as Loose,
    }));
    return nodesOf(made, "const")[0]?.value;
  };

  it.each<[Scalar, unknown, unknown]>([
    ["f32", 0.1, 0.10000000149011612],
    ["f16", 0.1, 0.0999755859375],
    ["f64", 0.1, 0.1],
    ["f32", 1e39, "inf"],
    ["f16", 65520, "inf"],
    ["f32", -0, "-0"],
    ["f64", Number.NaN, "nan"],
    ["f64", Number.NEGATIVE_INFINITY, "-inf"],
    ["i32", -0x80000000, -0x80000000],
    ["i32", -0, 0],
    ["u32", 0xffffffff, 0xffffffff],
    ["i64", -(2n ** 63n), "-9223372036854775808"],
    ["u64", 2n ** 64n - 1n, "18446744073709551615"],
    ["bool", true, true],
  ])("%s %s is written %j", (type, literal, written) => {
    expect(value(type, literal)).toBe(written);
  });

  const WRONG: Partial<Record<Scalar, unknown[]>> = {
    i32: [0x80000000, 1.5, Number.NaN],
    u32: [-1, 2 ** 32, Number.POSITIVE_INFINITY, 1n, true],
    i64: [1, 2n ** 63n],
    u64: [-1n],
    f32: [1n, "1", null],
    bool: [1, Symbol("x")],
  };
  const wrong = Object.entries(WRONG).flatMap(([type, all]) =>
    all.map((one) => [type as Scalar, one] as const),
  );
  it.each(wrong)("%s refuses %s", (type, literal) => {
    const error = errorFrom(() => value(type, literal));
    expect(error.code).toBe("bad-literal");
    expect(error.where).toMatch(/^values\.test\.ts:/);
  });
});

describe("select as a function", () => {
  it("accepts a constant on either side", () => {
    const p = pipeline("p", { x: u32 }, ({ x }) => ({
      a: select(x.lt(2), x, 9),
      b: select(x.lt(2), 9, x),
      c: x.lt(2).select(9, x),
    }));
    expect(run(p, { x: [1, 2, 3] })).toEqual({ a: [1, 9, 9], b: [9, 2, 3], c: [9, 2, 3] });
  });
});

describe("the position of an item", () => {
  const placed = (workGroupSize: number | [number, number, number]) =>
    pipeline(
      "p",
      {},
      (_, at) => ({
        ...{ index: at.index(), local: at.localIndex(), group: at.groupIndex(), size: at.size() },
        ...{ groupSize: at.groupSize(), enqueued: at.enqueuedGroupSize(), groups: at.numGroups() },
        rest: at.index().sub(at.globalLinearId()).add(at.localIndex()).sub(at.localLinearId()),
      }),
      { workGroupSize },
    );

  it("is available from the context", () => {
    expect(run(placed(2), {}, {}, 3)).toEqual({
      ...{ index: [0, 1, 2], local: [0, 1, 0], group: [0, 1], size: [3] },
      ...{ groupSize: [2, 1], enqueued: [2], groups: [2], rest: [0, 0, 0] },
    });
  });

  it("is one number also in several dimensions", () => {
    // Four work-groups of 2, 1, 2 and 1 items of a layer, and in the second layer all of the same groups.
    expect(run(placed([2, 1, 2]), {}, {}, 0, { globalSize: [3, 2, 2] })).toMatchObject({
      index: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      local: [0, 1, 0, 0, 1, 0, 2, 3, 1, 2, 3, 1],
      ...{ group: [0, 1, 2, 3], size: [12], groupSize: [4, 2, 4, 2], enqueued: [4] },
      rest: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    });
  });

  it("is available by OpenCL C's functions, in any dimension", () => {
    const p = pipeline(
      "p",
      {},
      (_, at) => ({
        ...{ dimensions: at.workDim(), size: at.globalSize(1), id: at.globalId(), second: at.globalId(1) },
        far: at.globalId(7).add(at.globalSize(7)).add(at.globalOffset(7)),
        ...{ local: at.localId(), localSize: at.localSize(1), enqueued: at.enqueuedLocalSize(1) },
        ...{ groups: at.numGroups(1), group: at.groupId(1), offset: at.globalOffset(1) },
      }),
      { workGroupSize: [2, 2] },
    );
    expect(run(p, {}, {}, 0, { globalSize: [2, 3], globalOffset: [5, 6] })).toEqual({
      ...{ dimensions: [2], size: [3], id: [5, 6, 5, 6, 5, 6], second: [6, 6, 7, 7, 8, 8] },
      ...{ far: [1, 1, 1, 1, 1, 1], local: [0, 1, 0, 1, 0, 1], localSize: [2, 1] },
      ...{ enqueued: [2], groups: [2], group: [0, 1], offset: [6] },
    });
  });

  it("has a dimension that is a number", () => {
    const wrong = () => pipeline("p", {}, (_, { globalId }) => ({ x: globalId(-1) }));
    expect(errorFrom(wrong)).toMatchObject({ code: "type-mismatch" });
  });
});
