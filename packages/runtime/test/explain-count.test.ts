/** What an explanation says of memory, against accesses that an interpreter of the kernels counts. */

import { evaluate, type Formula, formula } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { load, u32 } from "@groupwise/kernel/language/make-expr.js";
import { elementBytes, unitsOf } from "@groupwise/kernel/language/memory.js";
import type { Buffer, Kernel } from "@groupwise/kernel/language/module.js";
import { lower, type Plan } from "@groupwise/lower/lower.js";
import { expect, test } from "vitest";
import { fc, test as property } from "../../ir/test/fast-check.ts";
import { binary, cast, constant, type Draft, documentOf, gather } from "../../ir/test/support.ts";
import { runGroup } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { explain } from "../src/plan/explain.ts";
import { countsOf } from "../src/plan/explain-count.ts";

const SIMT_LIKE: Capabilities = {
  ...SIMT,
  scalars: { ...SIMT.scalars, f32: "native", f16: "emulated", f64: "emulated" },
  tile: { workGroupSize: 64, itemsPerWorkItem: 4 },
  surplusGroups: false,
};
const JS_LIKE: Capabilities = { ...SIMT_LIKE, execution: "sequential" };

const collective = (kind: string, of: number, scope: string) => ({
  ...{ kind, op: "add", type: "u32", identity: 0, scope, order: "fixed", of },
});
const pipeline = (name: string, nodes: readonly object[]): Pipeline => ({
  ...documentOf(nodes as Draft[], [64]),
  name,
});
const input = { kind: "input", name: "x", type: "u32" };
const output = (name: string, of: number) => ({ kind: "output", name, of });

const PIPELINES: readonly Pipeline[] = [
  pipeline("scan", [input, collective("scan-inclusive", 0, "device"), output("y", 1)]),
  pipeline("reduce", [input, collective("reduce", 0, "device"), output("y", 1)]),
  pipeline("groups", [input, collective("reduce", 0, "work-group"), output("y", 1)]),
  // The items of which a bit is set, one after the other, and how many they are.
  pipeline("compaction", [
    ...[input, constant(1), binary("and", 0, 1), collective("scan-exclusive", 2, "device")],
    ...[collective("reduce", 2, "device"), cast("bool", 2)],
    { kind: "scatter", name: "kept", value: 0, slot: 3, where: 5, length: 4 },
  ]),
  // The same count by the condition itself: the scatter leaves no gap, and the pass of the scan leaves the total.
  pipeline("filled", [
    ...[input, constant(1), binary("and", 0, 1), cast("bool", 2), cast("u32", 3)],
    ...[collective("scan-exclusive", 4, "device"), collective("reduce", 4, "device")],
    { kind: "scatter", name: "kept", value: 0, slot: 5, where: 3, length: 6 },
  ]),
  pipeline("gather", [
    ...[input, collective("reduce", 0, "device")],
    { kind: "query", query: "global-linear-id", dimension: 0 },
    ...[binary("absdiff", 1, 2), gather(0, 3), output("y", 4)],
  ]),
];

interface Touched {
  readonly read: Set<number>;
  readonly written: Set<number>;
}

/** Elements that each pass touches, by array. */
function touched({ module }: Plan, n: number): ReadonlyMap<string, Touched>[] {
  let now = new Map<string, Touched>();
  const storage = Object.fromEntries(
    module.buffers.map((buffer) => {
      const { name, role } = buffer;
      const length = evaluate(buffer.elements, n) * unitsOf(buffer);
      const values = Array.from({ length }, (_, i) => (role === "input" ? (i * 2654435761) >>> 7 : 0));
      const note = (which: keyof Touched, key: string | symbol): void => {
        if (!/^\d+$/.test(String(key))) return;
        if (!now.has(name)) now.set(name, { read: new Set(), written: new Set() });
        now.get(name)?.[which].add(Math.floor(Number(String(key)) / unitsOf(buffer)));
      };
      const watched = new Proxy(values, {
        get: (target, key) => {
          note("read", key);
          return Reflect.get(target, key);
        },
        set: (target, key, value) => {
          note("written", key);
          return Reflect.set(target, key, value);
        },
      });
      return [name, watched];
    }),
  );
  const params = Object.fromEntries(module.params.map(({ name, role }) => [name, role === "length" ? n : 0]));
  return module.kernels.map((kernel) => {
    now = new Map();
    for (let group = 0; group < evaluate(kernel.groups, n); group++)
      runGroup(kernel, { size: kernel.workGroupSize, group, storage, params, functions: module.functions });
    return now;
  });
}

const TARGETS: Readonly<Record<string, Capabilities>> = {
  "one thread": JS_LIKE,
  "work-groups": SIMT_LIKE,
  "work-groups that look back": {
    ...SIMT_LIKE,
    lookBack: { workGroupSize: 32, rows: 2, groups: 2, polls: 8 },
  },
};
const cases = Object.keys(TARGETS).flatMap((target) =>
  PIPELINES.flatMap((one) => [1, 255, 256, 257, 3000].map((n) => ({ target, one, name: one.name, n }))),
);

test.each(cases)(
  "$name of $n items by $target: no pass moves more bytes than explain reports",
  ({ target, one, n }) => {
    const plan = lower(check(one), TARGETS[target] as Capabilities);
    const e = explain(plan, { n });
    const seen = touched(plan, n);
    e.passes.forEach((pass, i) => {
      const arrays = seen[i] as ReadonlyMap<string, Touched>;
      let bytes = 0;
      for (const buffer of plan.module.buffers) {
        const { read, written } = arrays.get(buffer.name) ?? { read: new Set(), written: new Set() };
        bytes += (read.size + written.size) * elementBytes(buffer);
        const use = pass.arrays.find(({ name }) => name === buffer.name)?.access ?? "";
        if (read.size > 0) expect(use).toContain("read");
        if (written.size > 0) expect(use).toContain("write");
      }
      const told = pass.bytesMoved.value as number;
      expect(bytes).toBeLessThanOrEqual(told);
      // Which elements a gather reads, and whether an item is kept, depends on the data.
      if (one.name === "gather" || pass.arrays.some(({ name }) => name === "kept")) return;
      // A pass of one work-group may touch a tile of each array at each level, whatever its length.
      expect(told - bytes).toBeLessThanOrEqual(pass.groups.value === 1 ? 2048 * 4 * pass.arrays.length : 64);
    });
  },
);

test.each([
  ["compaction", "work-groups", 12],
  ["compaction", "work-groups that look back", 12],
  ["filled", "work-groups", 12],
  ["filled", "work-groups that look back", 8],
] as const)("%s by %s moves its arrays once in each pass, and the tail few items", (name, target, least) => {
  const one = PIPELINES.find((pipeline) => pipeline.name === name) as Pipeline;
  const plan = lower(check(one), TARGETS[target] as Capabilities);
  for (const n of [100_000, 10_000_000]) {
    const told = explain(plan, { n }).bytesMoved.value as number;
    expect(told).toBeGreaterThanOrEqual(least * n);
    expect(told).toBeLessThan((least + 0.2) * n + 100_000);
  }
});

const SIZE = 64;
/** The maximum number of elements of a longer array that groups of one load for each item read. */
function readBy(groups: Formula): Formula {
  const [buffer, kernel]: [Buffer, Kernel] = [
    { name: "x", role: "input", type: "u32", elements: formula("mul", "n", SIZE), cleared: false },
    {
      ...{ name: "k", doc: [], workGroupSize: SIZE, groups, shared: [] },
      body: [{ kind: "let", name: "v", value: load("storage", "x", "u32", u32(0)) }],
    },
  ];
  return countsOf(kernel, [buffer], []).moved[0]?.read ?? 0;
}

const leaf = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant("n" as const));
const { groups } = fc.letrec<{ groups: Formula }>((tie) => ({
  groups: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .tuple(fc.constantFrom("min", "max", "add", "ceil-div"), tie("groups"), tie("groups"), leaf)
      .map(([op, a, b, least]) => formula(op, a, op === "ceil-div" ? formula("max", 1, least) : b)),
    // No size is negative.
    fc.tuple(tie("groups"), tie("groups")).map(([a, b]) => formula("sub", formula("max", a, b), b)),
  ),
}));

property("groups of any number read no more elements than explain reports", () =>
  fc.property(groups, fc.integer({ min: 0, max: 40 }), (some, n) => {
    const touched = Math.min(evaluate(some, n), n) * SIZE;
    expect(evaluate(readBy(some), n)).toBeGreaterThanOrEqual(touched);
  }),
);

property("groups whose number has a bound read the elements of that many", () =>
  fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (a, b) => {
    const most = formula("max", formula("min", "n", a), formula("min", b, "n"));
    expect(evaluate(readBy(most), 100)).toBe(Math.max(a, b) * SIZE);
    expect(evaluate(readBy(formula("min", most, b)), 100)).toBe(b * SIZE);
  }),
);
