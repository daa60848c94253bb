/** Scatters that leave no gap, and totals from the pass of a scan: which are, and what kernels leave of arrays that held something. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { filledScatters, partingScatters } from "@groupwise/ir/slots/filled.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import {
  binary,
  cast,
  collective,
  constant,
  type Draft,
  documentOf,
  gather,
  input,
  output,
} from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed" } as const;
const one: Draft = { kind: "const", type: "u32", value: 1 };

/** The first and the last item of each run of equal items. */
const RUNS: readonly Draft[] = [
  input("u32"),
  { kind: "query", query: "global-linear-id", dimension: 0 },
  ...[constant(0), binary("eq", 1, 2)],
  one,
  ...[binary("sub", 1, 4), gather(0, 5), binary("ne", 0, 6), binary("or", 3, 7), cast("u32", 8)],
  ...[collective("scan-inclusive", "add", "u32", 9), collective("reduce", "add", "u32", 9)],
  ...[binary("sub", 10, 4), binary("add", 1, 4)],
  { kind: "query", query: "global-size", dimension: 0 },
  ...[binary("eq", 13, 14), gather(0, 13), binary("ne", 16, 0), binary("or", 17, 15)],
  { kind: "scatter", name: "first", value: 0, slot: 12, where: 8, length: 11 },
  { kind: "scatter", name: "last", value: 1, slot: 12, where: 18, length: 11 },
];
const runs = (changes: Readonly<Record<number, Draft>> = {}): readonly Draft[] =>
  RUNS.map((node, id) => changes[id] ?? node);

const filledIn = (nodes: readonly Draft[]): string[] => {
  const checked = check(documentOf(nodes, [8]));
  return checked.sinks.filter(({ id }) => filledScatters(checked).has(id)).map(({ name }) => name);
};

describe("scatters that leave no gap", () => {
  it("are the first and the last items of runs", () => {
    expect(filledIn(runs())).toEqual(["first", "last"]);
  });
  it("are recognised by an exclusive count of their condition, also if it is written by hand", () => {
    const nodes: readonly Draft[] = [
      ...[input("bool", "keep"), cast("u32", 0)],
      collective("scan-exclusive", "add", "u32", 1),
      one,
      constant(0),
      { kind: "select", condition: 0, then: 3, otherwise: 4 },
      collective("reduce", "add", "u32", 5),
      { kind: "scatter", name: "kept", value: 1, slot: 2, where: 0, length: 6 },
    ];
    expect(filledIn(nodes)).toEqual(["kept"]);
  });
  it.each<readonly [string, Readonly<Record<number, Draft>>, readonly string[]]>([
    ["an end that is another item's", { 13: { kind: "binary", op: "sub", left: 1, right: 4 } }, ["first"]],
    ["an end two items on", { 16: { kind: "gather", of: 1, index: 13 } }, ["first"]],
    ["no end of the last run", { 15: { kind: "binary", op: "eq", left: 1, right: 14 } }, ["first"]],
    ["a first item told by its value", { 3: { kind: "binary", op: "eq", left: 0, right: 2 } }, ["first"]],
    ["another condition", { 18: { kind: "binary", op: "and", left: 17, right: 15 } }, ["first"]],
    ["slots one further", { 12: { kind: "binary", op: "add", left: 10, right: 4 } }, []],
    ["slots of items before", { 10: { kind: "scan-exclusive", ...sum, of: 9 } }, []],
    ["a maximum", { 10: { kind: "scan-inclusive", ...sum, op: "max", of: 9 } }, []],
    ["a count in work-groups", { 10: { kind: "scan-inclusive", ...sum, scope: "work-group", of: 9 } }, []],
    ["another length", { 11: { kind: "reduce", ...sum, of: 0 } }, []],
    ["a length of all items", { 11: { kind: "query", query: "global-size", dimension: 0 } }, []],
    ["numbers that are no conditions", { 9: { kind: "binary", op: "add", left: 0, right: 4 } }, []],
  ])("are not those with %s", (_, changes, filled) => {
    expect(filledIn(runs(changes))).toEqual(filled);
  });
});

/** Items of a condition, then the others. */
const PARTED: readonly Draft[] = [
  ...[input("bool", "keep"), cast("u32", 0)],
  ...[collective("scan-exclusive", "add", "u32", 1), collective("reduce", "add", "u32", 1)],
  { kind: "query", query: "global-linear-id", dimension: 0 },
  ...[binary("add", 3, 4), binary("sub", 5, 2)],
  binary("eq", 4, 2),
  { kind: "select", condition: 0, then: 2, otherwise: 6 },
  { kind: "scatter", name: "parted", value: 4, slot: 8 },
];

describe("scatters that part their items", () => {
  const partsIn = (changes: Readonly<Record<number, Draft>>): number => {
    const nodes = PARTED.map((node, id) => changes[id] ?? node);
    return partingScatters(check(documentOf(nodes, [8]))).size;
  };
  it("are those whose other items follow the counted ones", () => {
    expect(partsIn({})).toBe(1);
    expect(partsIn({ 5: binary("add", 4, 3) })).toBe(1);
  });
  it.each<readonly [string, Readonly<Record<number, Draft>>]>([
    ["other items first", { 8: { kind: "select", condition: 0, then: 6, otherwise: 2 } }],
    ["another condition", { 8: { kind: "select", condition: 7, then: 2, otherwise: 6 } }],
    ["an inclusive count", { 2: { kind: "scan-inclusive", ...sum, of: 1 } }],
    ["a maximum", { 3: { kind: "reduce", ...sum, op: "max", of: 1 } }],
    ["a total in the place of the index", { 5: binary("add", 3, 3) }],
    ["no total", { 5: binary("add", 4, 4) }],
    ["a total less the index", { 5: binary("sub", 3, 4) }],
    ["another number that is subtracted", { 6: binary("sub", 5, 4) }],
    ["a sum", { 6: binary("add", 5, 2) }],
    ["a count in work-groups", { 2: { kind: "scan-exclusive", ...sum, scope: "work-group", of: 1 } }],
  ])("are not those with %s", (_, changes) => {
    expect(partsIn(changes)).toBe(0);
  });
  it("are neither cleared nor report slots", () => {
    const { buffers } = lower(check(documentOf(PARTED, [8])), SIMT).module;
    expect(buffers.map(({ role }) => role)).not.toContain("status");
    expect(buffers.find(({ name }) => name === "parted")).not.toMatchObject({ cleared: true });
  });
});

const HELD = 77;
/** Runs the kernels on outputs that hold something; what must be cleared is. */
function ran(
  { module }: Plan,
  x: readonly number[],
  subgroupSize: number = 1,
): Readonly<Record<string, ScalarValue[]>> {
  const storage = storageOf(module, x.length, x, HELD);
  runKernels(module, x.length, { storage, subgroupSize });
  return storage;
}

describe("slots that the host cannot see fit", () => {
  const rolesOf = (changes: Readonly<Record<number, Draft>> = {}): string[] =>
    lower(check(documentOf(runs(changes), [8])), SIMT).module.buffers.map(({ role }) => role);
  it("are those that do not count items", () => {
    expect(rolesOf({ 12: { kind: "binary", op: "add", left: 10, right: 4 } })).toContain("status");
  });
  it("are those of an output with a capacity of its own", () => {
    const first = { ...(RUNS[19] as Draft), capacity: 4 };
    expect(rolesOf({ 19: first })).toContain("status");
    expect(rolesOf()).not.toContain("status");
  });
});

describe("elements of arrays that held values before", () => {
  const items = fc
    .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 9 }))
    .map(([n, length]) => Array.from({ length: n }, (_, i) => Math.floor(i / length) & 3));
  test(
    "are those of the reference up to the length, and unchanged after it",
    () =>
      fc.property(items, (x) => {
        const checked = check(documentOf(runs(), [8]));
        const want = reference(checked, { n: x.length, inputs: { x } });
        const got = ran(lower(checked, SIMT), x);
        const count = want.first?.length ?? 0;
        for (const name of ["first", "last"]) {
          expect(got[name]?.slice(0, count)).toEqual(want[name]);
          expect(got[name]?.slice(count).every((value) => value === HELD)).toBe(true);
        }
        expect(Object.keys(got)).not.toContain("status");
      }),
    40,
  );
  it.each([
    [4096, 1],
    [4096 + 77, 1],
    [2 * 4096 + 77, 32],
  ])("are those of the reference with look-back, of %d items in subgroups of %d", (n, subgroupSize) => {
    const x = Array.from({ length: n }, (_, i) => (Math.imul(i >>> 2, 0x9e3779b1) >>> 30) & 3);
    const checked = check(documentOf(runs(), [8]));
    const want = reference(checked, { n, inputs: { x } });
    const lookBack = { workGroupSize: 128, rows: 8, groups: 1, polls: 2 };
    const subgroups = subgroupSize > 1 ? { minSize: subgroupSize, maxSize: subgroupSize } : SIMT.subgroups;
    const got = ran(lower(checked, { ...SIMT, subgroups, lookBack }), x, subgroupSize);
    const count = want.first?.length ?? 0;
    for (const name of ["first", "last"]) expect(got[name]?.slice(0, count)).toEqual(want[name]);
    expect(got.last?.slice(count).every((value) => value === HELD)).toBe(true);
  });
  test("are the identity, written by one pass, if the identity of the operator is not 0", () =>
    fc.property(items, (x) => {
      const nodes: readonly Draft[] = [
        input("u32"),
        { kind: "scatter", name: "least", value: 0, slot: 0, combine: "min" },
      ];
      const checked = check(documentOf(nodes, [8]));
      const plan = lower(checked, SIMT);
      const inside = x.map((value) => Math.min(value, x.length - 1));
      expect(plan.module.buffers.find(({ name }) => name === "least")).toMatchObject({ cleared: false });
      expect(ran(plan, inside).least).toEqual(
        reference(checked, { n: x.length, inputs: { x: inside } }).least,
      );
    }));
});

describe("totals beside scans with look-back", () => {
  const LOOKING_BACK: Capabilities = {
    ...SIMT,
    lookBack: { workGroupSize: 128, rows: 8, groups: 3, polls: 16 },
  };
  const kernelsOf = (nodes: readonly Draft[]): string[] =>
    lower(check(documentOf(nodes, [8])), LOOKING_BACK).module.kernels.map(({ name }) => name);
  it("are computed by the pass of the scan", () => {
    expect(kernelsOf(runs())).toEqual(["scan", "tail"]);
  });
  it("are computed by an earlier pass if items need them", () => {
    const nodes = [...runs(), ...[binary("add", 11, 10), output(21)]];
    expect(kernelsOf(nodes as readonly Draft[])).toContain("tile_totals");
  });
  it("are computed by an earlier pass if they are the length of another scatter", () => {
    const nodes = [...runs(), { kind: "scatter", name: "z", value: 0, slot: 1, where: 8, length: 11 }];
    expect(kernelsOf(nodes as readonly Draft[])).toContain("tile_totals");
  });
});
