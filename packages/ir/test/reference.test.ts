import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { check } from "../src/document/check.ts";
import type { Scope } from "../src/document/node.ts";
import type { Query } from "../src/document/query.ts";
import { type ReferenceOutputs, type ReferenceRun, reference } from "../src/reference/reference.ts";
import { encodeLiteral } from "../src/tables/literal.ts";
import { OP_NAMES, OPS, type Op, opExists } from "../src/tables/op.ts";
import { SCALAR_NAMES, SCALARS, type Scalar, type ScalarValue } from "../src/tables/scalar.ts";
import { fc, test } from "./fast-check.ts";
import { prefixes } from "./fenwick.ts";
import {
  anyOf,
  binary,
  cast,
  collective,
  constant,
  type Draft,
  documentOf,
  errorFrom,
  input,
  output,
  unary,
} from "./support.ts";

const run = (nodes: readonly Draft[], given: Partial<ReferenceRun>, size = 4): ReferenceOutputs =>
  reference(check(documentOf(nodes, [size])), { n: 0, inputs: {}, ...given });

/** The reduce and both scans of one input. */
function collect(op: Op, type: Scalar, scope: Scope, x: readonly ScalarValue[], size = 4): ReferenceOutputs {
  const identity = encodeLiteral(type, OPS[op].identity(type));
  const monoid = { op, type, identity, scope, order: "fixed", of: 0 } as const;
  const nodes: Draft[] = [
    input(type),
    { kind: "reduce", ...monoid },
    { kind: "scan-inclusive", ...monoid },
    { kind: "scan-exclusive", ...monoid },
    ...[output(1, "reduce"), output(2, "inclusive"), output(3, "exclusive")],
  ];
  return run(nodes, { n: x.length, inputs: { x } }, size);
}

/** The Fenwick order, by its definition. */
const fenwick = <V>(op: (a: V, b: V) => V, x: readonly V[]): V[] => prefixes(x, x[0] as V, op).slice(1);

const groupsOf = <V>(x: readonly V[], size: number): V[][] =>
  Array.from({ length: Math.ceil(x.length / size) }, (_, g) => x.slice(g * size, (g + 1) * size));
const pairs = SCALAR_NAMES.flatMap((type) =>
  OP_NAMES.filter((op) => opExists(op, type)).map((op) => ({ op, type })),
);

describe("the order", () => {
  // An operator that shows its operands and brackets: no other order gives the same text.
  beforeEach(({ task }) => {
    if (!task.name.startsWith("of f32"))
      vi.spyOn(OPS.add, "apply").mockImplementation((_, a, b) => `(${String(a)}${String(b)})` as never);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([1, 2, 3, 5, 7, 8, 13, 16, 31, 33, 64, 100])("is the Fenwick order for n = %i", (n) => {
    const x = Array.from({ length: n }, (_, i) => `x${i}`);
    const got = collect("add", "f32", "device", x as never);
    const want = fenwick((a, b) => `(${a}${b})`, x);
    expect(got).toEqual({ reduce: [want.at(-1)], inclusive: want, exclusive: [0, ...want.slice(0, -1)] });
  });

  it("is written out for eight and for seven", () => {
    const { inclusive } = collect("add", "f32", "device", [..."abcdefgh"] as never);
    expect(inclusive).toEqual([
      "a",
      "(ab)",
      "((ab)c)",
      "((ab)(cd))",
      "(((ab)(cd))e)",
      "(((ab)(cd))(ef))",
      "((((ab)(cd))(ef))g)",
      "(((ab)(cd))((ef)(gh)))",
    ]);
  });

  it("starts again in every work-group", () => {
    const { inclusive, exclusive, reduce } = collect("add", "f32", "work-group", [..."abcde"] as never, 3);
    expect(inclusive).toEqual(["a", "(ab)", "((ab)c)", "d", "(de)"]);
    expect(exclusive).toEqual([0, "a", "(ab)", 0, "d"]);
    expect(reduce).toEqual(["((ab)c)", "(de)"]);
  });

  it("of f32 sums differs from left to right, and follows the definition", () => {
    const x = Array.from({ length: 1000 }, (_, i) => Math.fround(Math.sin(i) * 10 ** (i % 7)));
    const add = (a: number, b: number): number => Math.fround(a + b);
    const { inclusive } = collect("add", "f32", "device", x);
    expect(inclusive).toEqual(fenwick(add, x));
    expect(inclusive?.at(-1)).not.toBe(x.reduce(add));
  });
});

describe("the specification's example", () => {
  it("of an inclusive sum", () => {
    // Two pages of the specification print 14 for the fourth element and those after it; the sums are these.
    const { inclusive, exclusive, reduce } = collect("add", "i32", "work-group", [3, 1, 7, 0, 4, 1, 6, 3], 8);
    expect(inclusive).toEqual([3, 4, 11, 11, 15, 16, 22, 25]);
    expect(exclusive).toEqual([0, 3, 4, 11, 11, 15, 16, 22]);
    expect(reduce).toEqual([25]);
  });
});

describe.each(pairs)("$op on $type", ({ op, type }) => {
  const normal = (v: ScalarValue): ScalarValue => {
    if (!op.startsWith("logical") || type === "bool") return v;
    return typeof v === "bigint" ? BigInt(Boolean(v)) : Number(Boolean(v));
  };
  const identity = OPS[op].identity(type);
  const values = fc.array(anyOf(type), { maxLength: 40 });

  test(
    "satisfies the three laws over the device, and follows the definition",
    () =>
      fc.property(values, (x) => {
        const { reduce, inclusive, exclusive } = collect(op, type, "device", x);
        const want = fenwick((a, b) => OPS[op].apply(type, a, b), x.map(normal));
        expect(inclusive).toEqual(want);
        expect(exclusive).toEqual([identity, ...want].slice(0, x.length));
        expect(reduce).toEqual([want.at(-1) ?? identity]);
        if (x.length) expect(inclusive?.[0]).toBe(normal(x[0] as ScalarValue));
      }),
    60,
  );

  test(
    "over a work-group equals the collective over a device with its items",
    () =>
      fc.property(values, fc.integer({ min: 1, max: 9 }), (x, size) => {
        const got = collect(op, type, "work-group", x, size);
        const each = groupsOf(x, size).map((group) => collect(op, type, "device", group));
        for (const name of ["reduce", "inclusive", "exclusive"]) {
          expect(got[name]).toEqual(each.flatMap((outputs) => outputs[name] ?? []));
        }
      }),
    60,
  );

  it("of an empty range is the identity, and of one item is that item", () => {
    expect(collect(op, type, "device", [])).toEqual({ reduce: [identity], inclusive: [], exclusive: [] });
    expect(collect(op, type, "work-group", [])).toEqual({ reduce: [], inclusive: [], exclusive: [] });
    const one = SCALARS[type].highest;
    expect(collect(op, type, "device", [one])).toEqual({
      reduce: [normal(one)],
      inclusive: [normal(one)],
      exclusive: [identity],
    });
  });
});

describe("floats", () => {
  const { NaN: nan, POSITIVE_INFINITY: inf } = Number;

  it("keep -0 if it is first, and the identity's sign if the identity is first", () => {
    const { inclusive, exclusive, reduce } = collect("add", "f32", "device", [-0, -0, -0]);
    expect(inclusive).toEqual([-0, -0, -0]);
    expect(exclusive).toEqual([0, -0, -0]);
    expect(reduce).toEqual([-0]);
  });

  it("propagate NaN and infinities", () => {
    expect(collect("add", "f32", "device", [1, inf, -inf, 1]).inclusive).toEqual([1, inf, nan, nan]);
    expect(collect("mul", "f32", "device", [inf, 0]).reduce).toEqual([nan]);
    expect(collect("min", "f32", "device", [inf, nan, -inf]).inclusive).toEqual([inf, nan, nan]);
    expect(collect("min", "f32", "device", [inf, inf])).toMatchObject({
      reduce: [inf],
      exclusive: [inf, inf],
    });
    expect(collect("max", "f64", "device", [-inf, -0, 0]).inclusive).toEqual([-inf, -0, 0]);
    expect(collect("min", "f16", "device", [0, -0, 1]).inclusive).toEqual([0, -0, -0]);
  });
});

describe("votes", () => {
  const votes = (x: readonly ScalarValue[], type: Scalar): ReferenceOutputs =>
    run(
      [
        input(type),
        ...(["device", "work-group"] as const).flatMap((scope): Draft[] => [
          { kind: "all", scope, of: 0 },
          { kind: "any", scope, of: 0 },
        ]),
        ...[output(1, "all"), output(2, "any"), output(3, "allOfGroup"), output(4, "anyOfGroup")],
      ],
      { n: x.length, inputs: { x } },
      2,
    );

  it("test whether items are not zero", () => {
    expect(votes([true, true, true, false, false], "bool")).toEqual({
      all: [false],
      any: [true],
      allOfGroup: [true, false, false],
      anyOfGroup: [true, true, false],
    });
    expect(votes([-1, 2], "i32")).toMatchObject({ all: [true], any: [true] });
    expect(votes([0n, 0n], "u64")).toMatchObject({ all: [false], any: [false] });
  });

  it("of an empty range: all is true, any is false", () => {
    expect(votes([], "bool")).toEqual({ all: [true], any: [false], allOfGroup: [], anyOfGroup: [] });
  });
});

describe("a broadcast", () => {
  const broadcast = (scope: Scope, index: number, x: readonly number[]): ReferenceOutputs =>
    run(
      [
        input("u32"),
        { kind: "param", name: "i", type: "u32" },
        { kind: "broadcast", scope, of: 0, index: [1] },
        ...[binary("add", 2, 0), output(2, "value"), output(3, "each")],
      ],
      { n: x.length, inputs: { x }, params: { i: index } },
      3,
    );

  it("returns the item's value to all, and past the end that of the last item", () => {
    expect(broadcast("device", 1, [5, 6, 7, 8])).toEqual({ value: [6], each: [11, 12, 13, 14] });
    expect(broadcast("device", 4_000_000_000, [5, 6, 7, 8]).value).toEqual([8]);
    expect(broadcast("work-group", 1, [5, 6, 7, 8, 9]).value).toEqual([6, 9]);
    expect(broadcast("work-group", 2, [5, 6, 7, 8, 9]).value).toEqual([7, 9]);
  });

  it("of an empty range has no value, nor have values that depend on it", () => {
    expect(errorFrom(() => broadcast("device", 0, []))).toMatchObject({ code: "empty-broadcast" });
    expect(broadcast("work-group", 0, [])).toEqual({ value: [], each: [] });
    const nodes: Draft[] = [
      ...[input("u32"), constant(0)],
      { kind: "broadcast", scope: "device", of: 0, index: [1] },
      unary("not", 2),
    ];
    const made = () => run([...nodes, output(3)], { inputs: { x: [] } });
    expect(errorFrom(made)).toMatchObject({ code: "empty-broadcast" });
    const sized = () =>
      run([...nodes, { kind: "scatter", name: "s", value: 0, slot: 0, length: 3 }], { inputs: { x: [] } });
    expect(errorFrom(sized)).toMatchObject({ code: "empty-broadcast" });
  });
});

describe("queries", () => {
  const ask = (query: Query, n: number, size: number): readonly ScalarValue[] | undefined =>
    run([{ kind: "query", query, dimension: 0 }, output(0, "q")], { n }, size).q;

  it.each<[Query, number[]]>([
    ["global-id", [0, 1, 2, 3, 4]],
    ["local-id", [0, 1, 0, 1, 0]],
    ["group-id", [0, 1, 2]],
    ["local-size", [2, 2, 1]],
    ["global-size", [5]],
    ["enqueued-local-size", [2]],
    ["num-groups", [3]],
  ])("%s of five items in groups of two", (query, want) => {
    expect(ask(query, 5, 2)).toEqual(want);
  });

  it("of no items", () => {
    expect(ask("global-size", 0, 2)).toEqual([0]);
    expect(ask("num-groups", 0, 2)).toEqual([0]);
    expect(ask("global-id", 0, 2)).toEqual([]);
  });
});

describe("a scatter", () => {
  const scatter = (slot: number[], where: boolean[], length: number): ReferenceOutputs =>
    run(
      [
        ...[input("f32"), input("u32", "slot"), input("bool", "where")],
        { kind: "param", name: "length", type: "u32" },
        { kind: "scatter", name: "out", value: 0, slot: 1, where: 2, length: 3 },
      ],
      { n: 3, inputs: { x: [1.5, 2.5, 3.5], slot, where }, params: { length } },
    );

  it("writes to the slot of each item, and 0 elsewhere", () => {
    expect(scatter([2, 0, 1], [true, true, true], 3)).toEqual({ out: [2.5, 3.5, 1.5] });
    expect(scatter([2, 0, 9], [true, false, false], 3)).toEqual({ out: [0, 0, 1.5] });
    expect(scatter([0, 0, 0], [false, false, true], 1)).toEqual({ out: [3.5] });
    expect(scatter([0, 0, 0], [false, false, false], 0)).toEqual({ out: [] });
    expect(scatter([2, 1, 0], [true, true, true], 99).out).toHaveLength(3);
  });

  it("reports a slot past the end", () => {
    expect(errorFrom(() => scatter([3, 0, 1], [true, true, true], 3))).toMatchObject({
      code: "scatter-outside",
    });
    expect(errorFrom(() => scatter([1, 0, 0], [true, false, false], 1))).toMatchObject({
      code: "scatter-outside",
    });
  });

  test(
    "by an exclusive scan of a condition compacts",
    () =>
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.boolean()), { maxLength: 40 }),
        (items) => {
          const nodes: Draft[] = [
            ...[input("i32"), input("bool", "keep"), cast("u32", 1)],
            ...[collective("scan-exclusive", "add", "u32", 2), collective("reduce", "add", "u32", 2)],
            { kind: "scatter", name: "kept", value: 0, slot: 3, where: 1, length: 4 },
          ];
          const inputs = { x: items.map(([x]) => x), keep: items.map(([, keep]) => keep) };
          const want = items.filter(([, keep]) => keep).map(([x]) => x);
          expect(run(nodes, { n: items.length, inputs })).toEqual({ kept: want });
        },
      ),
    100,
  );
});

describe("element-wise", () => {
  it("values are computed item by item, before and after collectives", () => {
    const nodes: Draft[] = [
      input("f32"),
      { kind: "param", name: "k", type: "f32" },
      ...[binary("mul", 0, 1), collective("reduce", "max", "f32", 2, "work-group")],
      ...[binary("sub", 3, 2), constant(1, "f32"), binary("lt", 4, 5)],
      { kind: "select", condition: 6, then: 4, otherwise: 5 },
      cast("i32", 7),
      { kind: "bitcast", to: "u32", of: 7 },
      unary("neg", 8),
      { kind: "spread", of: 3 },
      ...[output(7, "chosen"), output(10, "negative"), output(9, "bits"), output(3, "tops")],
      output(11, "top"),
    ];
    expect(run(nodes, { n: 3, inputs: { x: [1, 2, 0.5] }, params: { k: 2 } }, 2)).toEqual({
      chosen: [1, 0, 0],
      negative: [-1, 0, 0],
      bits: [0x3f800000, 0, 0],
      tops: [4, 1],
      top: [4, 4, 1],
    });
  });

  it("uniform values exist for an empty range", () => {
    const nodes: Draft[] = [
      ...[input("u32"), collective("reduce", "min", "u32")],
      { kind: "param", name: "k", type: "u32" },
      ...[binary("shr", 1, 2), output(3)],
    ];
    expect(run(nodes, { inputs: { x: [] }, params: { k: 4 } })).toEqual({ y: [0x0fffffff] });
  });
});

describe("capacities that hosts compute", () => {
  const HOST = {
    add: (a: number, b: number) => a + b,
    sub: (a: number, b: number) => a - b,
    mul: (a: number, b: number) => a * b,
    div: (a: number, b: number) => Math.floor(a / b),
    min: Math.min,
    max: Math.max,
  } as const;
  const OPERATORS = Object.keys(HOST) as (keyof typeof HOST)[];
  it.each(OPERATORS)("by %s are exact, and refused below 0", (op) => {
    const nodes: Draft[] = [
      { kind: "param", name: "a", type: "u32" },
      { kind: "param", name: "b", type: "u32" },
      ...[binary(op, 0, 1), constant(0)],
      { kind: "scatter", name: "s", value: 3, slot: 3, capacity: 2 },
    ];
    for (const [a, b] of [
      [7, 2],
      [2, 7],
      [9, 3],
      [0, 5],
    ] as const) {
      const [given, want] = [{ params: { a, b } }, HOST[op](a, b)];
      if (want >= 0) expect([a, b, run(nodes, given).s?.length]).toEqual([a, b, want]);
      else expect(errorFrom(() => run(nodes, given)).code).toBe("bad-capacity");
    }
  });
});
