/** Scatters that leave no gap, and totals from the pass of a scan: which are, and what kernels leave of arrays that held something. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import { filledScatters } from "@groupwise/ir/slots/filled.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { type Draft, documentOf } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const sum = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed" } as const;
const one: Draft = { kind: "const", type: "u32", value: 1 };

/** The first and the last item of each run of equal items. */
const RUNS: readonly Draft[] = [
  { kind: "input", name: "x", type: "u32" },
  { kind: "query", query: "global-linear-id", dimension: 0 },
  { kind: "const", type: "u32", value: 0 },
  { kind: "binary", op: "eq", left: 1, right: 2 },
  one,
  { kind: "binary", op: "sub", left: 1, right: 4 },
  { kind: "gather", of: 0, index: 5 },
  { kind: "binary", op: "ne", left: 0, right: 6 },
  { kind: "binary", op: "or", left: 3, right: 7 },
  { kind: "cast", to: "u32", of: 8 },
  { kind: "scan-inclusive", ...sum, of: 9 },
  { kind: "reduce", ...sum, of: 9 },
  { kind: "binary", op: "sub", left: 10, right: 4 },
  { kind: "binary", op: "add", left: 1, right: 4 },
  { kind: "query", query: "global-size", dimension: 0 },
  { kind: "binary", op: "eq", left: 13, right: 14 },
  { kind: "gather", of: 0, index: 13 },
  { kind: "binary", op: "ne", left: 16, right: 0 },
  { kind: "binary", op: "or", left: 17, right: 15 },
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
      { kind: "input", name: "keep", type: "bool" },
      { kind: "cast", to: "u32", of: 0 },
      { kind: "scan-exclusive", ...sum, of: 1 },
      one,
      { kind: "const", type: "u32", value: 0 },
      { kind: "select", condition: 0, then: 3, otherwise: 4 },
      { kind: "reduce", ...sum, of: 5 },
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
        { kind: "input", name: "x", type: "u32" },
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
    const nodes = [
      ...runs(),
      { kind: "binary", op: "add", left: 11, right: 10 },
      { kind: "output", name: "y", of: 21 },
    ];
    expect(kernelsOf(nodes as readonly Draft[])).toContain("tile_totals");
  });
  it("are computed by an earlier pass if they are the length of another scatter", () => {
    const nodes = [...runs(), { kind: "scatter", name: "z", value: 0, slot: 1, where: 8, length: 11 }];
    expect(kernelsOf(nodes as readonly Draft[])).toContain("tile_totals");
  });
});
