/** Chunks for few wide cores: what their kernels give, by an interpreter of kernels, and how many work-items run. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Scalar, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { chunksFor } from "@groupwise/kernel/capabilities/chunks.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import {
  binary,
  cast,
  constant,
  type Draft,
  documentOf,
  errorFrom,
  gather,
  input,
  unary,
} from "../../ir/test/support.ts";
import { runGroup, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const FLOATS: Capabilities = { ...SIMT, scalars: { ...SIMT.scalars, f32: "native", f64: "native" } };
const plans = new Map<string, Plan>();
function planOf(nodes: readonly Draft[], most: number, least: number): Plan {
  const key = JSON.stringify([nodes, most, least]);
  const plan = plans.get(key) ?? lower(check(documentOf(nodes, [6])), { ...FLOATS, chunks: { most, least } });
  plans.set(key, plan);
  expect(plan.strategy).toBe("chunks");
  return plan;
}

/** What the kernels leave in outputs; no pass runs work-items that another range would need. @param surplus work-groups more than requested */
function ran(
  { module, checked }: Plan,
  x: readonly ScalarValue[],
  surplus = 0,
): Record<string, ScalarValue[]> {
  const n = x.length;
  const storage = storageOf(module, n, x, 77);
  for (const kernel of module.kernels) {
    const groups = evaluate(kernel.groups, n);
    // The last ones first: no work-item may need another one of its pass.
    for (let group = groups === 0 ? -1 : groups + surplus - 1; group >= 0; group--)
      runGroup(kernel, { size: 1, group, params: { n }, functions: module.functions, storage });
  }
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name] ?? []]));
}

/** NaN payloads differ; all other bits are compared. */
const same = (plan: Plan, x: readonly ScalarValue[], surplus = 0): void => {
  const want = reference(plan.checked, { n: x.length, inputs: { x } });
  const got = ran(plan, x, surplus);
  for (const { name } of plan.checked.sinks)
    expect(got[name]?.slice(0, want[name]?.length), `${name} of ${x.length} items`).toEqual(want[name]);
};

const form = (kind: "scan-inclusive" | "scan-exclusive" | "reduce", type: Scalar, of = 0): Draft =>
  ({ ...{ kind, op: "add", type, identity: 0, scope: "device", order: "fixed", of } }) as Draft;
const output = (name: string, of: number): Draft => ({ kind: "output", name, of });

/** Every form, and a reduce that items use. */
const everyForm = (type: Scalar): Draft[] => [
  ...[input(type), form("scan-inclusive", type), form("scan-exclusive", type), form("reduce", type)],
  binary("sub", 1, 3),
  // Again over the results: a reduce whose own pass finishes a scan.
  { ...form("reduce", type, 4) },
  ...[output("inclusive", 1), output("exclusive", 2), output("total", 3), output("below", 4)],
  output("again", 5),
];

/** Sums whose order is seen in their last bits, zeros of both signs, and now and then an infinity or NaN. */
const float = (i: number, seed: number): number => {
  const h = Math.imul(i ^ seed, 0x9e3779b1) >>> 0;
  if (h % 97 === 0) return -0;
  return Math.fround(((h % 2001) - 1000) * 2 ** ((h >>> 11) % 24) * 0.1);
};
const floats = (n: number, seed: number): number[] => Array.from({ length: n }, (_, i) => float(i, seed));
const integers = (n: number, seed: number): number[] =>
  Array.from({ length: n }, (_, i) => Math.imul(i ^ seed, 0x9e3779b1) >>> 0);

const shapes = fc.record({
  n: fc.integer({ min: 0, max: 150 }),
  most: fc.constantFrom(2, 4, 16),
  least: fc.constantFrom(8, 16, 64),
  seed: fc.integer(),
});

describe("kernels of chunks return the results of the reference", () => {
  test("for floats, whose order is fixed", () =>
    fc.property(shapes, ({ n, most, least, seed }) =>
      same(planOf(everyForm("f32"), most, least), floats(n, seed)),
    ));

  test("for integers, also if more work-groups run than requested", () =>
    fc.property(shapes, ({ n, most, least, seed }) =>
      same(planOf(everyForm("u32"), most, least), integers(n, seed), 3),
    ));

  it("for each number of items around whole chunks", () => {
    const plan = planOf(everyForm("f32"), 4, 8);
    for (const n of [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 95, 96, 127, 128, 129])
      same(plan, floats(n, 5));
  });

  it("for -0, NaN and infinities", () => {
    const plan = planOf(everyForm("f32"), 4, 8);
    same(plan, Array(40).fill(-0));
    for (const at of [0, 8, 15, 16, 39]) {
      same(plan, floats(40, 1).with(at, Number.NaN));
      same(plan, floats(40, 1).with(at, Number.POSITIVE_INFINITY));
    }
  });

  it("for an operator that does not commute", () => {
    const affine = {
      name: "affine",
      fields: [
        { name: "a", type: "f32", identity: 1 },
        { name: "b", type: "f32", identity: 0 },
      ],
    };
    // a2 (a1 v + b1) + b2
    const nodes = [
      { id: 0, kind: "left", field: 0 },
      { id: 1, kind: "left", field: 1 },
      { id: 2, kind: "right", field: 0 },
      { id: 3, kind: "right", field: 1 },
      { id: 4, kind: "binary", op: "mul", left: 2, right: 0 },
      { id: 5, kind: "binary", op: "mul", left: 2, right: 1 },
      { id: 6, kind: "binary", op: "add", left: 5, right: 3 },
    ];
    const fold = (kind: string, field: number): Draft =>
      ({ kind: "user-collective", operator: 0, form: kind, field, scope: "device", of: [1, 0] }) as never;
    const document = documentOf([
      ...[input("f32"), unary("abs", 0), fold("scan-exclusive", 1), fold("scan-inclusive", 0)],
      ...[fold("reduce", 1), output("b", 2), output("a", 3), output("last", 4)],
    ]);
    const operators = [{ ...affine, nodes, results: [4, 6] }];
    const checked = check({ ...document, operators } as never);
    const plan = lower(checked, { ...FLOATS, chunks: { most: 8, least: 8 } });
    expect(plan.strategy).toBe("chunks");
    for (const n of [1, 8, 20, 64, 100])
      same(
        plan,
        floats(n, 3).map((v) => Math.fround(v / 1e6)),
      );
  });

  test("for compaction, bins, values of other items and work-groups", () =>
    fc.property(shapes, ({ n, most, least, seed }) => {
      const nodes: Draft[] = [
        ...[input("u32"), constant(5), binary("rem", 0, 1), constant(2), binary("lt", 2, 3)],
        ...[cast("u32", 4), form("scan-exclusive", "u32", 5), form("reduce", "u32", 5)],
        { kind: "scatter", name: "kept", value: 0, slot: 6, where: 4, length: 7 },
        ...[output("count", 7), constant(6)],
        { kind: "scatter", name: "least", value: 0, slot: 2, capacity: 10, combine: "min" },
        ...[gather(6, 2), output("other", 12)],
        { ...form("reduce", "u32", 6), scope: "work-group" } as Draft,
        { ...form("scan-inclusive", "u32", 12), scope: "work-group" } as Draft,
        ...[output("of_group", 14), output("running", 15)],
      ];
      const plan = planOf(nodes, most, least);
      const x = integers(n, seed);
      // A gather needs an item.
      if (n > 0) same(plan, x, 1);
    }));
});

describe("passes of chunks", () => {
  const groupsOf = (nodes: readonly Draft[], n: number): number[] =>
    planOf(nodes, 16, 64).module.kernels.map(({ groups }) => evaluate(groups, n));

  it("are one for a range of one chunk", () => {
    const scan = [input("f32"), form("scan-inclusive", "f32"), output("y", 1)];
    const reduce = [input("f32"), form("reduce", "f32"), output("y", 1)];
    const map: Draft[] = [input("f32"), unary("neg", 0), output("y", 1)];
    expect(groupsOf(scan, 64)).toEqual([0, 1]);
    expect(groupsOf(scan, 65)).toEqual([1, 2]);
    expect(groupsOf(scan, 10_000)).toEqual([15, 16]);
    expect(groupsOf(reduce, 64)).toEqual([1, 0]);
    expect(groupsOf(reduce, 0)).toEqual([1, 0]);
    expect(groupsOf(reduce, 65)).toEqual([2, 1]);
    expect(groupsOf(map, 0)).toEqual([0]);
    expect(groupsOf(map, 10_000)).toEqual([16]);
  });

  it("have no barrier, no work-group memory, and no atomic in the loop of bins", () => {
    const nodes: Draft[] = [
      ...[input("u32"), constant(8), binary("rem", 0, 1)],
      { kind: "scatter", name: "counts", value: 0, slot: 2, capacity: 1, combine: "add" },
    ];
    for (const kernel of [
      ...planOf(nodes, 16, 64).module.kernels,
      ...planOf(everyForm("f32"), 16, 64).module.kernels,
    ]) {
      expect(kernel.shared).toEqual([]);
      expect(walk(kernel.body).filter(({ kind }) => kind === "barrier")).toEqual([]);
    }
    const loops = planOf(nodes, 16, 64).module.kernels.flatMap(({ body }) =>
      walk(body).filter((stmt) => stmt.kind === "for"),
    );
    const atomics = loops.map(({ body }) =>
      walk(body).filter((stmt) => stmt.kind === "atomic" && stmt.op === "add"),
    );
    expect(atomics.map(({ length }) => length)).toEqual([0, 1]);
  });

  it("are not used for ranks, nor without the capability", () => {
    const rank = documentOf([
      input("u32"),
      { kind: "rank", of: 0, bins: 16, scope: "device" } as never,
      { kind: "scatter", name: "sorted", value: 0, slot: 1 },
    ]);
    const plan = lower(check(rank), { ...FLOATS, chunks: chunksFor(2) });
    expect(plan.strategy).toBe("reduce-then-scan");
    expect(plan.passedOver).toContainEqual({
      strategy: "chunks",
      reason: "work-groups count the keys of a rank",
    });
    const reasons = lower(check(documentOf([input("u32"), output("y", 0)])), FLOATS).passedOver;
    expect(reasons).toContainEqual({
      strategy: "chunks",
      reason: "the device is not known to have few wide cores",
    });
  });

  it("are a small multiple of the cores", () => {
    expect([1, 2, 3, 64].map((cores) => chunksFor(cores).most)).toEqual([8, 16, 32, 512]);
    for (const cores of [0, -1, 1.5, 4097, Number.NaN])
      expect(errorFrom(() => chunksFor(cores)).code).toBe("bad-argument");
  });
});
