/** Loops over vectors: what their kernels give, by an interpreter of kernels, and which loops have them. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { BinaryOp, UnaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { ArrayType } from "@groupwise/ir/tables/narrow.js";
import type { Op } from "@groupwise/ir/tables/op.js";
import { SCALARS, type Scalar, type ScalarValue } from "@groupwise/ir/tables/scalar.js";
import { launchesOf, verifyBounds } from "@groupwise/kernel/bounds/verify-bounds.js";
import type { Capabilities, Vectors } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import {
  anyOf,
  binary,
  cast,
  collective,
  constant,
  type Draft,
  documentOf,
  input,
} from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const ORDERED: readonly BinaryOp[] = ["add", "sub", "mul", "min", "max", "eq", "ne", "lt", "le", "gt", "ge"];
const BITS: readonly (UnaryOp | BinaryOp)[] = ["and", "or", "xor", "not", "shl", "shr"];
const WHOLE = [...ORDERED, ...BITS];
const VECTORS: Vectors = {
  bytes: 16,
  loops: ["map", "reduce", "tree", "scan", "where"],
  operators: {
    i32: WHOLE,
    u32: WHOLE,
    i64: WHOLE.filter((op) => op !== "min"),
    u64: WHOLE,
    f32: [...ORDERED, "div", "neg", "abs"],
    f64: [...ORDERED, "div", "neg", "abs"],
    bool: ["and", "or", "xor", "not"],
  },
  casts: { bool: ["u32", "i32"], i32: ["u32", "f32"], u32: ["i32"] },
  widens: ["u8", "i16"],
  narrows: [],
};
const WITH: Capabilities = {
  ...SIMT,
  execution: "sequential",
  narrow: "native",
  scalars: { ...SIMT.scalars, i64: "native", u64: "native", f32: "native", f64: "native" },
  vectors: VECTORS,
};
const OPTIONAL: Capabilities = { ...WITH, vectors: { ...VECTORS, isOptional: true } };

const form = collective;
const output = (name: string, of: number): Draft => ({ kind: "output", name, of });

const PLANS = new Map<string, Plan>();
/** Lowered once: the interpreter writes the JavaScript of a kernel once. */
function planOf(nodes: readonly Draft[], capabilities = WITH): Plan {
  const key = JSON.stringify([nodes, capabilities === WITH]);
  const plan = PLANS.get(key) ?? lower(check(documentOf(nodes, [6])), capabilities);
  PLANS.set(key, plan);
  return plan;
}
const vectorsIn = ({ module }: Plan): Expr[] =>
  module.kernels.flatMap(({ body }) => allExprs(body).filter(({ width }) => width !== undefined));

function ran(
  { module, checked }: Plan,
  x: readonly ScalarValue[],
  lacksVectors: boolean = false,
): Record<string, ScalarValue[]> {
  const storage = storageOf(module, x.length, x);
  runKernels(module, x.length, { storage, lacksVectors });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name] ?? []]));
}

/** The kernels of vectors return what the reference does. */
function agrees(plan: Plan, x: readonly ScalarValue[], lacksVectors: boolean = false): void {
  const want = reference(plan.checked, { n: x.length, inputs: { x } });
  const got = ran(plan, x, lacksVectors);
  for (const { name } of plan.checked.sinks) {
    const all = [...(want[name] as Iterable<ScalarValue>)];
    // Of a scatter with a length, elements past it have any value.
    expect(got[name]?.slice(0, all.length), `${name} of ${x.length} items`).toEqual(all);
  }
}

const TYPES = ["i32", "u32", "i64", "u64", "f32", "f64"] as const;
/** Lengths around ends of vectors, of blocks, and of the next larger ones. */
const LENGTHS = [0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 131];
const items = (type: Scalar): fc.Arbitrary<ScalarValue[]> =>
  fc.constantFrom(...LENGTHS).chain((n) => fc.array(anyOf(type), { minLength: n, maxLength: n }));
const opsOf = (type: Scalar): Op[] =>
  ["add", "mul", "min", "max", ...(SCALARS[type].kind === "float" ? [] : ["and", "or", "xor"])] as Op[];
const lacks = (op: Op, type: Scalar): boolean => op === "min" && type === "i64";
const typed = fc
  .constantFrom(...TYPES)
  .chain((type) =>
    fc.record({ type: fc.constant(type), op: fc.constantFrom(...opsOf(type)), x: items(type) }),
  );

/** Collectives of a value that each item computes. */
const value = (type: Scalar): Draft[] => [
  ...[input(type), binary("mul", 0, 0), binary("lt", 0, 1)],
  { kind: "select", condition: 2, then: 0, otherwise: 1 },
];

describe("vectors", () => {
  test(
    "reduces return the results of the reference",
    () =>
      fc.property(typed, fc.boolean(), ({ type, op, x }, lacksVectors) => {
        const plan = planOf([...value(type), form("reduce", op, type, 3), output("y", 4)], OPTIONAL);
        expect(vectorsIn(plan).length > 0).toBe(!lacks(op, type));
        agrees(plan, x, lacksVectors);
      }),
    150,
  );

  test(
    "reduces beside a map do so",
    () =>
      fc.property(typed, ({ type, op, x }) => {
        const nodes = [...value(type), form("reduce", op, type, 0), form("reduce", "max", type, 3)];
        const plan = planOf([...nodes, output("y", 4), output("z", 5), output("each", 3)]);
        expect(vectorsIn(plan).length > 0).toBe(!lacks(op, type));
        agrees(plan, x);
      }),
    100,
  );

  test(
    "scans of integers do so",
    () =>
      fc.property(typed, ({ type, op, x }) => {
        const scans = [form("scan-inclusive", op, type, 3), form("scan-exclusive", op, type, 3)];
        const nodes = [...value(type), ...scans, { kind: "binary", op: "sub", left: 4, right: 0 } as Draft];
        const plan = planOf([...nodes, output("after", 4), output("before", 5), output("less", 6)]);
        expect(vectorsIn(plan).length > 0).toBe(SCALARS[type].kind !== "float" && !lacks(op, type));
        agrees(plan, x);
      }),
    100,
  );

  test("bytes are counted in wider elements", () =>
    fc.property(
      fc.array(fc.nat(255), { maxLength: 70 }),
      fc.constantFrom("reduce", "scan-exclusive"),
      (x, kind) => {
        const plan = planOf([
          ...[input("u8"), constant(100), binary("lt", 0, 1), cast("u32", 2)],
          ...[form(kind as "reduce", "add", "u32", 3), output("y", 4)],
        ]);
        expect(vectorsIn(plan)).not.toEqual([]);
        agrees(plan, x);
      },
    ));

  /** The items above a constant: their values, their number, and the number of the last. */
  const kept = (type: ArrayType, of: Scalar, least: number | string): Draft[] => [
    input(type),
    { kind: "const", type: of, value: least } as Draft,
    ...[binary("lt", 1, 0), cast("u32", 2), form("scan-exclusive", "add", "u32", 3)],
    form("reduce", "add", "u32", 3),
    { kind: "scatter", name: "y", slot: 4, value: 0, where: 2, length: 5 } as Draft,
    { kind: "query", query: "global-id", dimension: 0 } as Draft,
    constant(0),
    { kind: "select", condition: 2, then: 7, otherwise: 8 },
    ...[form("reduce", "max", "u32", 9), output("count", 5), output("last", 10)],
  ];
  const choosesItems = ({ module }: Plan): boolean =>
    module.kernels.some(({ body }) => allExprs(body).some(({ kind }) => kind === "bits"));

  test("items for which a condition holds are found", () =>
    fc.property(
      fc.constantFrom<readonly [ArrayType, Scalar, number | string]>(
        ["u8", "u32", 200],
        ["u8", "u32", 20],
        ["i16", "i32", 100],
        ["u32", "u32", 7],
        ["f32", "f32", 0],
      ),
      fc.constantFrom(...LENGTHS),
      fc.infiniteStream(fc.nat(255)),
      ([type, of, least], n, values) => {
        const x = [...values.take(n)].map((v) =>
          of === "i64" ? BigInt(v - 128) : type === "u8" ? v : v - 128,
        );
        const plan = planOf(kept(type, of, least));
        expect(choosesItems(plan)).toBe(true);
        agrees(plan, x);
      },
    ));

  const withNodes = (changed: Partial<Record<number, Draft>>): Draft[] =>
    kept("u8", "u32", 9).map((node, i) => changed[i] ?? node);
  it.each<[string, readonly Draft[]]>([
    [
      "no condition for the values",
      withNodes({ 6: { kind: "scatter", name: "y", slot: 4, value: 0, length: 5 } as Draft }),
    ],
    ["a sum of more than the condition", withNodes({ 3: { kind: "cast", to: "u32", of: 0 } })],
    ["an output of each item", withNodes({ 12: output("last", 9) })],
    ["another value where it does not hold", withNodes({ 8: { kind: "const", type: "u32", value: 1 } })],
    ["elements of 64 bits", kept("i64", "i64", "0")],
    [
      "a histogram, of whose numbers most are below the capacity",
      [
        ...[input("u32"), constant(256), binary("lt", 0, 1), constant(1)],
        { kind: "scatter", name: "y", slot: 0, value: 3, where: 2, capacity: 1, combine: "add" } as Draft,
      ],
    ],
    [
      "a condition on a scan",
      [
        ...[input("u8"), constant(9), form("scan-inclusive", "add", "u32"), binary("lt", 2, 1)],
        ...[cast("u32", 3), form("reduce", "add", "u32", 4)],
        { kind: "scatter", name: "y", slot: 0, value: 0, where: 3 } as Draft,
        output("count", 5),
      ],
    ],
  ])("each item is visited: %s", (_, nodes) => {
    expect(choosesItems(planOf(nodes))).toBe(false);
  });

  it("no access is outside of an array", () => {
    for (const type of ["u8", "f32"] as const) {
      const { module, checked } = planOf(kept(type, type === "u8" ? "u32" : type, 9));
      verifyBounds(module, launchesOf(checked, WITH));
    }
    for (const capabilities of [WITH, OPTIONAL])
      for (const kind of ["reduce", "scan-inclusive"] as const)
        for (const type of ["u32", "f32", "f64"] as const) {
          const { module, checked } = planOf(
            [...value(type), form(kind, "add", type, 3), output("y", 4), output("z", 3)],
            capabilities,
          );
          verifyBounds(module, launchesOf(checked, capabilities));
        }
  });

  const map = (type: ArrayType, node: Draft, of = 1): Draft[] => [input(type), node, output("y", of)];
  it.each<[string, readonly Draft[], boolean]>([
    ["a map", map("f32", { kind: "binary", op: "add", left: 0, right: 0 }), true],
    ["a copy", [input("i64"), output("y", 0)], true],
    ["a remainder", map("i32", { kind: "binary", op: "rem", left: 0, right: 0 }), false],
    ["shifts by other numbers", map("u32", { kind: "binary", op: "shl", left: 0, right: 0 }), false],
    ["a cast to a wider type", map("i32", { kind: "cast", to: "i64", of: 0 }), false],
    ["an output of truth values", map("i32", { kind: "binary", op: "eq", left: 0, right: 0 }), false],
    [
      "the number of the item",
      map("u32", { kind: "query", query: "global-id", dimension: 0 } as Draft),
      false,
    ],
    ["bytes that no load widens", [input("i8"), output("y", 0)], false],
    ["a scan in the order of floats", map("f32", form("scan-inclusive", "add", "f32")), false],
    ["an operator of a collective that vectors lack", map("i64", form("reduce", "min", "i64")), false],
    ["a work-group", map("u32", { ...form("reduce", "add", "u32"), scope: "work-group" } as Draft), false],
  ])("%s", (_, nodes, has) => {
    expect(vectorsIn(planOf(nodes)).length > 0).toBe(has);
  });
});
