/** Scatters none of whose slots is past the end: which have no status word, and that the others keep theirs. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { binary, constant, type Draft, documentOf, input } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";

const x: Draft = { kind: "input", name: "x", type: "u32" };
const compared = (op: "lt" | "le" | "gt", left: number, right: number): Draft => ({
  ...{ kind: "binary", op, left, right },
});
const computed = (op: "rem" | "and" | "min" | "max" | "add", constantAt: number): Draft => ({
  ...{ kind: "binary", op, left: 0, right: constantAt },
});
/** Nodes 0 to 3: the input and constants; then what a test adds, and a scatter. */
const documentWith = (nodes: readonly Draft[], scatter: object): Draft[] => [
  ...[x, constant(8), constant(9), constant(7)],
  ...nodes,
  { kind: "scatter", name: "out", value: 0, slot: 0, capacity: 1, combine: "add", ...scatter } as Draft,
];
const lowered = (nodes: readonly Draft[]) => lower(check(documentOf(nodes, [8])), SIMT).module;
const reports = (nodes: readonly Draft[]): boolean =>
  lowered(nodes).buffers.some(({ role }) => role === "status");

describe("a scatter has no status word", () => {
  it.each<readonly [string, readonly Draft[], object]>([
    ["if its condition keeps slots below the capacity", [compared("lt", 0, 1)], { where: 4 }],
    ["or below less than that", [compared("lt", 0, 3)], { where: 4 }],
    [
      "or a part of its condition does",
      [compared("gt", 0, 3), compared("lt", 0, 1), binary("and", 4, 5)],
      { where: 6 },
    ],
    ["if slots are remainders", [computed("rem", 1)], { slot: 4 }],
    ["masked", [computed("and", 3)], { slot: 4 }],
    ["or minima", [computed("min", 3)], { slot: 4 }],
    ["if its slot is a constant", [], { slot: 3 }],
    ["if its slot is a byte", [input("u8", "b"), constant(256)], { slot: 4, capacity: 5 }],
    ["without combining", [compared("lt", 0, 1)], { where: 4, combine: undefined }],
  ])("%s", (_, nodes, scatter) => {
    expect(reports(documentWith(nodes, scatter))).toBe(false);
  });
});

describe("a scatter has one", () => {
  it.each<readonly [string, readonly Draft[], object]>([
    ["without a condition", [], {}],
    ["if its condition admits the capacity", [compared("lt", 0, 2)], { where: 4 }],
    ["by another comparison", [compared("le", 0, 1)], { where: 4 }],
    ["if it compares another value", [computed("add", 1), compared("lt", 0, 1)], { slot: 4, where: 5 }],
    [
      "if only one of two conditions holds",
      [compared("gt", 0, 3), compared("lt", 0, 1), binary("or", 4, 5)],
      { where: 6 },
    ],
    ["if bytes reach the capacity", [input("u8", "b"), constant(255)], { slot: 4, capacity: 5 }],
    ["if remainders reach the capacity", [computed("rem", 2)], { slot: 4 }],
    ["if masks do", [computed("and", 1)], { slot: 4 }],
    ["if minima do", [computed("min", 1)], { slot: 4 }],
    ["if slots are maxima", [computed("max", 3)], { slot: 4 }],
    ["if it has a length", [compared("lt", 0, 1)], { where: 4, length: 3 }],
    [
      "if its capacity is a parameter",
      [{ kind: "param", name: "k", type: "u32" }, compared("lt", 0, 1)],
      { where: 5, capacity: 4 },
    ],
  ])("%s", (_, nodes, scatter) => {
    expect(reports(documentWith(nodes, scatter))).toBe(true);
  });
});

/** What the kernels leave of the output. */
function ran(nodes: readonly Draft[], values: readonly number[]): ScalarValue[] {
  const module = lowered(nodes);
  const storage = storageOf(module, values.length, values);
  runKernels(module, values.length, { storage });
  return storage.out as ScalarValue[];
}

test("kernels without a status word write what the reference writes, also of items that are left out", () =>
  fc.property(
    fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 150 }),
    fc.constantFrom<readonly [readonly Draft[], object]>(
      [[compared("lt", 0, 1)], { where: 4 }],
      [[compared("lt", 0, 3)], { where: 4 }],
      [[compared("gt", 0, 3), compared("lt", 0, 1), binary("and", 4, 5)], { where: 6 }],
      [[computed("rem", 3)], { slot: 4, combine: "max" }],
      [[{ kind: "query", query: "global-linear-id", dimension: 0 }, binary("rem", 4, 1)], { slot: 5 }],
      // In device memory: the capacity is larger than the bins.
      [[constant(5000), compared("lt", 0, 1)], { where: 5, capacity: 4 }],
    ),
    (values, [nodes, scatter]) => {
      const document = documentWith(nodes, scatter);
      const want = reference(check(documentOf(document, [8])), { n: values.length, inputs: { x: values } });
      expect(ran(document, values)).toEqual([...(want.out as Iterable<ScalarValue>)]);
    },
  ));
