/** Scatters that combine in work-group memory: which do, and what their kernels give, by an interpreter of kernels. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import type { ScatterCombine } from "@groupwise/ir/document/node.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { binary, constant, type Draft, documentOf, output } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const x: Draft = { kind: "input", name: "x", type: "u32" };
const collective = (
  kind: "scan-inclusive" | "reduce",
  of: number,
  scope: "device" | "work-group",
): Draft => ({ ...{ kind, op: "add", type: "u32", identity: 0, scope, order: "fixed", of } });
/** `x` at `x % slots`, of a capacity. */
const scatter = (slots: number, capacity: number, combine?: ScatterCombine): Draft[] => [
  ...[x, constant(slots), binary("rem", 0, 1), constant(capacity)],
  { kind: "scatter", name: "out", value: 0, slot: 2, capacity: 3, ...(combine && { combine }) },
];
const planOf = (nodes: readonly Draft[], capabilities = SIMT): Plan =>
  lower(check(documentOf(nodes, [8])), capabilities);

/** What the kernels leave, group by group, and how often a device atomic changed the array `out`. */
function ran(
  { module }: Plan,
  values: readonly number[],
): { out: ScalarValue[]; status: number; atomics: number } {
  const n = values.length;
  const storage = storageOf(module, n, values);
  let atomics = 0;
  const out = new Proxy(storage.out ?? [], {
    set: (target, key, value) => {
      atomics++;
      return Reflect.set(target, key, value);
    },
  });
  runKernels(module, n, { storage: { ...storage, out } });
  return { out: [...out], status: Number(storage.status?.[0] ?? 0), atomics };
}

/** The work-group arrays that atomics change, by kernel. */
const binsIn = ({ module }: Plan): string[][] =>
  module.kernels.map(({ body }) => [
    ...new Set(
      walk(body).flatMap((stmt) =>
        stmt.kind === "atomic" && stmt.space === "work-group" ? [stmt.array] : [],
      ),
    ),
  ]);
const bins = (plan: Plan): string[] => binsIn(plan).flat();

describe("kernels with bins return the results of the reference", () => {
  const combines = fc.constantFrom<ScatterCombine>("add", "min", "max", "and", "or", "xor");
  // Arrays of fast-check are short ones.
  const items = fc
    .tuple(fc.integer({ min: 0, max: 600 }), fc.integer())
    .map(([n, seed]) => Array.from({ length: n }, (_, i) => Math.imul(i ^ seed, 0x9e3779b1) >>> (i % 5)));
  // With as many work-items as copies of a bin, each has a copy to itself; with more they share them.
  const sizes = fc.constantFrom(8, 32);
  test("for every operator, in vec4s and after them, in several work-groups", () =>
    fc.property(items, fc.integer({ min: 1, max: 40 }), combines, sizes, (values, slots, combine, size) => {
      const nodes = scatter(slots, slots, combine);
      const plan = planOf(nodes, { ...SIMT, tile: { workGroupSize: size, itemsPerWorkItem: 4 } });
      expect(bins(plan)).toEqual(["out_bins"]);
      const want = reference(check(documentOf(nodes, [8])), { n: values.length, inputs: { x: values } });
      expect(ran(plan, values)).toMatchObject({ out: want.out, status: 0 });
    }));

  it("one item at a time, if items need many operations", () => {
    const values = Array.from({ length: 1003 }, (_, i) => (i * 2654435761) >>> 3);
    const nodes: Draft[] = [x];
    for (let i = 0; i < 40; i++) nodes.push({ kind: "binary", op: i % 2 ? "add" : "mul", left: i, right: 0 });
    nodes.push(constant(11), { kind: "binary", op: "rem", left: 40, right: 41 });
    nodes.push({ kind: "scatter", name: "out", value: 40, slot: 42, capacity: 41, combine: "add" });
    const plan = planOf(nodes);
    expect(plan.module.kernels).toHaveLength(1);
    const want = reference(check(documentOf(nodes, [8])), { n: values.length, inputs: { x: values } });
    expect(ran(plan, values).out).toEqual(want.out);
  });

  it("for one slot for all items, which may be past the end", () => {
    const at = (slot: number, more: object = {}): Draft[] => [
      ...[x, constant(slot)],
      { kind: "spread", of: 1 },
      ...[constant(8), collective("reduce", 0, "device")],
      { kind: "scatter", name: "out", value: 0, slot: 2, capacity: 3, combine: "add", ...more },
    ];
    expect(ran(planOf(at(7)), [1, 2, 3])).toMatchObject({ out: [0, 0, 0, 0, 0, 0, 0, 6], status: 0 });
    for (const more of [{}, { length: 4 }])
      expect(ran(planOf(at(100, more)), [1, 2, 3])).toMatchObject({ out: Array(8).fill(0), status: 1 });
  });

  it("and report slots past the end, in vec4s and after them", () => {
    const plan = planOf(scatter(9, 8, "add"));
    const inside = Array.from({ length: 131 }, (_, i) => i % 8);
    expect(ran(plan, inside).status).toBe(0);
    for (const at of [0, 127, 130]) {
      const { status, out } = ran(plan, inside.with(at, 8));
      expect(status, `item ${at}`).toBe(1);
      expect(out).toHaveLength(8);
    }
  });
});

describe("bins", () => {
  it("limit atomics on device memory to one for each bin of a work-group", () => {
    const n = 2 ** 20;
    const { module } = planOf(scatter(16, 16, "add"));
    const [kernel] = module.kernels;
    // 2^18 work-items in work-groups of 16 are the most, and 16 items for each are the least.
    expect(evaluate(kernel?.groups ?? 0, n)).toBe(n / 16 / 16);
    expect(evaluate(kernel?.groups ?? 0, 2 ** 30)).toBe(2 ** 14);
    const values = Array.from({ length: 1024 }, (_, i) => i);
    expect(ran(planOf(scatter(16, 16, "add")), values).atomics).toBe((1024 / 256) * 16);
  });

  it.each([
    [8, 15, 8],
    [8, 16, 16],
    [128, 256, 256],
    [256, 256, 256],
  ])(
    "take work-groups twice as large as others, of %i, where the device allows %i",
    (workGroupSize, maxWorkGroupSize, size) => {
      const tile = { workGroupSize, itemsPerWorkItem: 4 };
      const plan = planOf(scatter(16, 16, "add"), { ...SIMT, maxWorkGroupSize, tile });
      expect(plan.module.kernels[0]?.workGroupSize).toBe(size);
      const values = Array.from({ length: 9001 }, (_, i) => i);
      const want = reference(check(documentOf(scatter(16, 16, "add"), [8])), {
        n: 9001,
        inputs: { x: values },
      });
      expect(ran(plan, values).out).toEqual(want.out);
    },
  );

  it("are used for combining scatters with constant capacities that fit", () => {
    expect(bins(planOf(scatter(9, 2048, "or")))).toEqual(["out_bins"]);
    expect(bins(planOf(scatter(9, 2049, "or")))).toEqual([]);
    expect(bins(planOf(scatter(9, 0, "or")))).toEqual([]);
    expect(bins(planOf(scatter(9, 9)))).toEqual([]);
    const small = { ...SIMT, workGroupMemory: 1024 };
    expect(bins(planOf(scatter(9, 128, "or"), small))).toEqual(["out_bins"]);
    expect(bins(planOf(scatter(9, 129, "or"), small))).toEqual([]);
    const ofParam: Draft[] = scatter(9, 9, "or").map((node, i) =>
      i === 3 ? { kind: "param", name: "k", type: "u32" } : node,
    );
    expect(bins(planOf(ofParam))).toEqual([]);
  });

  it("are used for several scatters, in the order of the document, while memory is left", () => {
    const more = (name: string, capacity: number): Draft => ({
      ...{ kind: "scatter", name, value: 0, slot: 2, capacity, combine: "max" },
    });
    const nodes = [
      ...scatter(9, 1500, "add"),
      constant(600),
      more("wide", 5),
      constant(548),
      more("rest", 7),
    ];
    expect(bins(planOf(nodes))).toEqual(["out_bins", "rest_bins"]);
  });

  it("are not used for operands that the same pass computes", () => {
    const of = (...nodes: Draft[]): Draft[] => {
      const last = nodes.length;
      return [
        x,
        ...nodes,
        ...[constant(9), binary("rem", last, last + 1)],
        { kind: "scatter", name: "out", value: 0, slot: last + 2, capacity: last + 1, combine: "add" },
      ];
    };
    expect(bins(planOf(of(collective("reduce", 0, "device"))))).toEqual(["out_bins"]);
    for (const scope of ["device", "work-group"] as const)
      expect(bins(planOf(of(collective("scan-inclusive", 0, scope))))).toEqual([]);
    // The reduce waits for a pass that finishes the scan.
    const again = collective("scan-inclusive", 0, "device");
    expect(bins(planOf(of(again, collective("reduce", 1, "device"))))).toEqual(["out_bins"]);
  });

  it("are filled before outputs that overwrite their inputs", () => {
    const nodes: Draft[] = [...scatter(9, 9, "add"), output(2)];
    const plan = lower(check(documentOf(nodes, [8])), SIMT, { y: "x" });
    expect(plan.module.kernels.map(({ name }) => name)).toEqual(["bins", "bins_tail", "map", "map_tail"]);
  });
});
