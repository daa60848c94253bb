/** Scans in blocks of eight items: what their kernels give, by an interpreter of kernels, and which loops have them. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { ForStmt } from "@groupwise/kernel/language/stmt.js";
import { walk } from "@groupwise/kernel/language/walk.js";
import { isOffset } from "@groupwise/kernel/print/offset.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { binary, collective, type Draft, documentOf, input } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const TYPES = ["i32", "u32"] as const;
const BLOCKS: Capabilities = {
  ...SIMT,
  execution: "sequential",
  scalars: { ...SIMT.scalars, f32: "native" },
  blockScans: { add: TYPES, mul: TYPES, xor: TYPES, max: TYPES },
};

const form = collective;
const output = (name: string, of: number): Draft => ({ kind: "output", name, of });

const planOf = (nodes: readonly Draft[]): Plan => lower(check(documentOf(nodes, [6])), BLOCKS);
const loopsOf = ({ module }: Plan): ForStmt[] =>
  module.kernels.flatMap(({ body }) => walk(body).filter((stmt) => stmt.kind === "for"));
const blocksIn = (nodes: readonly Draft[]): ForStmt[] =>
  loopsOf(planOf(nodes)).filter(({ step }) => step === 8);

function ran({ module, checked }: Plan, x: readonly ScalarValue[]): Record<string, ScalarValue[]> {
  const storage = storageOf(module, x.length, x, 77);
  runKernels(module, x.length, { storage });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name] ?? []]));
}

/** Scans of a value that each item computes, and a reduce and a map beside them. */
const everyForm = (op: Op, type: Scalar): Draft[] => [
  ...[input(type), binary("xor", 0, 0), binary("sub", 0, 1), form("scan-exclusive", op, type, 2)],
  ...[form("scan-inclusive", op, type, 2), form("reduce", op, type, 2), binary("sub", 4, 0)],
  ...[output("before", 3), output("after", 4), output("total", 5), output("less", 6)],
];

describe("scans in blocks", () => {
  test("kernels of blocks return the results of the reference", () =>
    fc.property(
      fc.constantFrom<Op>("add", "mul", "xor", "max"),
      fc.constantFrom(...TYPES),
      fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 40 }),
      (op, type, items) => {
        const x = items.map((value) => SCALARS[type].wrap(value));
        const plan = planOf(everyForm(op, type));
        expect(loopsOf(plan).map(({ step }) => step)).toContain(8);
        const want = reference(plan.checked, { n: x.length, inputs: { x } });
        const got = ran(plan, x);
        for (const { name } of plan.checked.sinks)
          expect(got[name], `${name} of ${x.length} items`).toEqual([
            ...(want[name] as Iterable<ScalarValue>),
          ]);
      },
    ));

  it("the variable of their loop is only an offset", () => {
    expect(blocksIn(everyForm("add", "u32")).map(isOffset)).toEqual([true]);
  });

  const scan = (op: Op, type: Scalar): Draft[] => [
    input(type),
    form("scan-inclusive", op, type),
    output("y", 1),
  ];
  it.each<[string, readonly Draft[], number]>([
    ["a scan", scan("add", "u32"), 1],
    ["an operator without the capability", scan("min", "u32"), 0],
    ["a type without the capability", scan("add", "u64"), 0],
    ["a reduce", [input("u32"), form("reduce", "add", "u32"), output("y", 1)], 0],
    ["two operators", [...scan("add", "u32"), form("scan-inclusive", "xor", "u32"), output("z", 3)], 0],
    [
      "a scan of a work-group",
      [
        input("u32"),
        { ...form("scan-inclusive", "add", "u32"), scope: "work-group" } as Draft,
        output("y", 1),
      ],
      0,
    ],
  ])("%s has as many loops of blocks as it should", (_, nodes, count) => {
    expect(blocksIn(nodes)).toHaveLength(count);
  });
});

describe("offsets", () => {
  const index = { kind: "var", name: "i", type: "u32" } as const;
  const loop = (change: Partial<ForStmt>): ForStmt => ({
    kind: "for",
    name: "i",
    from: { kind: "const", type: "u32", value: 0 },
    below: { kind: "param", name: "n", type: "u32" },
    step: 8,
    body: [
      { kind: "store", space: "storage", array: "y", index, value: { kind: "const", type: "u32", value: 1 } },
    ],
    ...change,
  });
  const stored = (at: ForStmt["below"], value: ForStmt["below"] = index): ForStmt["body"] => [
    { kind: "store", space: "storage", array: "y", index: at, value },
  ];
  const plus = (value: number): ForStmt["below"] => ({
    kind: "binary",
    op: "add",
    left: index,
    right: { kind: "const", type: "u32", value },
    type: "u32",
  });
  const one: ForStmt["below"] = { kind: "const", type: "u32", value: 1 };
  it.each<[string, Partial<ForStmt>, boolean]>([
    ["an index", {}, true],
    ["the last of a step", { body: stored(plus(7), one) }, true],
    ["a constant past the step", { body: stored(plus(8), one) }, false],
    ["a stored value", { body: stored(index) }, false],
    ["a loop of single items", { step: 1 }, false],
    ["a step that is no power of two", { step: 6 }, false],
    ["a loop that begins elsewhere", { from: one }, false],
    ["an index within a value", { body: stored(plus(1), plus(1)) }, false],
  ])("%s", (_, change, is) => {
    expect(isOffset(loop(change))).toBe(is);
  });
});
