/** Segmented operators beside a count of segments with look-back: the bits of the reference, and what the status holds of a tile. */

import { evaluate } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import type { Operator, OperatorNode } from "@groupwise/ir/document/operator.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, Subgroups } from "@groupwise/kernel/capabilities/capabilities.js";
import { statementsOf } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { cast, type Draft, documentOf, input, output, unary } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower } from "../src/lower.ts";
import { opsInSegments } from "../src/parts/segmented.ts";

const TILE = 4096;
const LOOKING_BACK: Capabilities = {
  ...SIMT,
  lookBack: { workGroupSize: 128, rows: 8, groups: 1, polls: 2 },
};
type Element = "u32" | "i32" | "f32";
type Combining = Extract<OperatorNode, { kind: "binary" }>["op"];

/** An operator on whether a segment starts, and a value. */
const segmented = (op: Combining, type: Element, identity: number): Operator => ({
  name: "segmented",
  fields: [
    { name: "starts", type: "bool", identity: false },
    { name: "value", type, identity },
  ],
  commutative: false,
  nodes: [
    { id: 0, kind: "left", field: 0 },
    { id: 1, kind: "right", field: 0 },
    { id: 2, kind: "left", field: 1 },
    { id: 3, kind: "right", field: 1 },
    { id: 4, kind: "binary", op, left: 2, right: 3 },
    { id: 5, kind: "binary", op: "or", left: 0, right: 1 },
    { id: 6, kind: "select", condition: 1, then: 3, otherwise: 4 },
  ],
  results: [5, 6],
});
const changed = (operator: Operator, nodes: Readonly<Record<number, object>>): Operator => ({
  ...operator,
  nodes: operator.nodes.map((node) => ({ ...node, ...nodes[node.id] }) as OperatorNode),
});

const SUM = { op: "add", type: "u32", identity: 0, scope: "device", order: "fixed" } as const;
const collective = { kind: "user-collective", operator: 0, scope: "device", of: [0, 1] } as const;
const nodesOf = (type: Element): readonly Draft[] => [
  ...[input("bool", "starts"), input(type), cast("u32", 0)],
  { kind: "scan-inclusive", ...SUM, of: 2 },
  { kind: "reduce", ...SUM, of: 2 },
  { ...collective, form: "scan-inclusive", field: 1 },
  { ...collective, form: "scan-exclusive", field: 1 },
  ...[output(3, "numbers"), output(4, "count"), output(5, "upTo"), output(6, "before")],
];
const documentFor = (operator: Operator, nodes = nodesOf(operator.fields[1]?.type as Element)): Pipeline => ({
  ...documentOf(nodes, [8]),
  operators: [operator],
});

/** Work-items that exchange values without barriers; then a work-group reads the next tile before it finishes one. */
const inSubgroups = (own: Partial<Subgroups> = {}): Capabilities => ({
  ...LOOKING_BACK,
  subgroups: { minSize: 32, maxSize: 32, ...own },
});
const DEVICES = {
  alone: LOOKING_BACK,
  shuffling: inSubgroups(),
  voting: inSubgroups({ ballots: true }),
  reducing: inSubgroups({ ballots: true, reduces: true }),
} as const;

/** The outputs of the kernels, group after group. */
function ran(
  document: Pipeline,
  inputs: Readonly<Record<string, readonly ScalarValue[]>>,
  n: number,
  device: keyof typeof DEVICES,
) {
  const { module } = lower(check(document), DEVICES[device]);
  const storage = storageOf(module, n, inputs);
  runKernels(module, n, { storage, subgroupSize: device === "alone" ? 1 : 32 });
  return storage;
}

const statusOf = (document: Pipeline): number => {
  const status = lower(check(document), LOOKING_BACK).module.buffers.find(({ role }) => role === "scratch");
  return evaluate(status?.elements ?? 0, TILE);
};

/** The same without the count. */
const uncounted = (type: Element): readonly Draft[] => [
  ...[input("bool", "starts"), input(type)],
  { ...collective, form: "scan-inclusive", field: 1 },
  { ...collective, form: "scan-exclusive", field: 1 },
  { ...collective, form: "scan-inclusive", field: 0 },
  ...[output(2, "upTo"), output(3, "before"), output(4, "begun")],
];

describe("segmented operators, with a count of their condition and without", () => {
  const [sums, maxima, products] = [
    segmented("add", "u32", 0),
    segmented("max", "i32", -(2 ** 31)),
    segmented("mul", "u32", 1),
  ] as const;
  // Not associative: the order is that of the reference.
  const differences = segmented("sub", "i32", 0);
  interface Case {
    readonly operator: Operator;
    readonly device: keyof typeof DEVICES;
    readonly isCounted: boolean;
    readonly n: number;
    /** Items of a segment, about. */
    readonly every: number;
  }
  const cases: readonly Case[] = [
    { operator: sums, device: "voting", isCounted: true, n: 2 * TILE + 77, every: 3000 },
    { operator: sums, device: "voting", isCounted: false, n: 3, every: 1 },
    { operator: products, device: "reducing", isCounted: false, n: TILE + 1, every: 7 },
    { operator: maxima, device: "reducing", isCounted: true, n: TILE, every: 100_000 },
    { operator: maxima, device: "alone", isCounted: true, n: TILE + 1, every: 7 },
    { operator: differences, device: "voting", isCounted: false, n: TILE + 77, every: 7 },
    { operator: differences, device: "shuffling", isCounted: true, n: TILE + 1, every: 3000 },
  ];
  const expectSame = ({ operator, device, isCounted, n, every }: Case, seed: number): void => {
    const hashed = (i: number): number => Math.imul(i ^ seed, 0x9e3779b1) >>> 8;
    const inputs = {
      starts: Array.from({ length: n }, (_, i) => hashed(i) % every === 0),
      x: Array.from({ length: n }, (_, i) => hashed(i + n) & 0xffff),
    };
    const nodes = isCounted ? nodesOf : uncounted;
    const document = documentFor(operator, nodes(operator.fields[1]?.type as Element));
    const want = reference(check(document), { n, inputs });
    const got = ran(document, inputs, n, device);
    for (const [name, values] of Object.entries(want)) expect(got[name], name).toEqual([...values]);
  };
  const allSame = (seed: number): void => {
    for (const one of cases) expectSame(one, seed);
  };
  test("have the results of the reference", () => fc.property(fc.nat(), allSame), 1);
  it.each<readonly [string, Operator, boolean]>([
    ["move no flag of exactly associative ones where lanes vote", segmented("add", "u32", 0), true],
    ["move the flags of others", segmented("sub", "i32", 0), false],
  ])("%s", (_, operator, votes) => {
    const { module } = lower(check(documentFor(operator)), DEVICES.voting);
    const fns = statementsOf(module).flatMap((stmt) => (stmt.kind === "intrinsic" ? [stmt.fn] : []));
    expect(fns.includes("ballot")).toBe(votes);
  });
  it("have two values for a tile, of two words each, besides the counter of tiles", () => {
    expect(statusOf(documentFor(segmented("add", "u32", 0)))).toBe(1 + 4);
  });
  const nodes = nodesOf("u32");
  const ofOthers: readonly Draft[] = [
    ...nodes.slice(0, 2),
    ...[unary("not", 0), cast("u32", 2)],
    { kind: "scan-inclusive", ...SUM, of: 3 },
    { ...collective, form: "scan-inclusive", field: 1 },
    ...[output(4, "numbers"), output(5, "upTo")],
  ];
  const flags: Draft = { ...collective, form: "scan-inclusive", field: 0 };
  const sum = segmented("add", "u32", 0);
  it.each<readonly [string, Operator, readonly Draft[]]>([
    ["another condition", sum, ofOthers],
    ["a flag that something reads", sum, [...nodes.slice(0, 6), flags, ...nodes.slice(7)]],
    ["an operator whose flag is that of the right side", changed(sum, { 5: { left: 1 } }), nodes],
  ])("keep the flag with %s", (_, operator, drafts) => {
    expect(statusOf(documentFor(operator, drafts))).toBeGreaterThan(1 + 4);
  });
});

// A block without lanes has the identity, in the words that pass through work-group memory.
it.each([3, 5, 6])(
  "segmented operators of work-groups of %i work-items have the results of the reference",
  (size) => {
    const own = { ...collective, scope: "work-group" } as const;
    const nodes: readonly Draft[] = [
      ...[input("bool", "starts"), input("u32")],
      { ...own, form: "scan-inclusive", field: 1 },
      { ...own, form: "scan-exclusive", field: 1 },
      { ...own, form: "reduce", field: 0 },
      { ...own, form: "reduce", field: 1 },
      ...["upTo", "before", "begun", "last"].map((name, i): Draft => ({ kind: "output", name, of: i + 2 })),
    ];
    const n = 7 * size - 1;
    const inputs = {
      starts: Array.from({ length: n }, (_, i) => i % 4 === 2),
      x: Array.from({ length: n }, (_, i) => (i * 7919) % 1009),
    };
    for (const operator of [segmented("min", "u32", 2 ** 32 - 1), segmented("mul", "u32", 1)]) {
      const document = { ...documentFor(operator, nodes), workGroupSize: [size] as const };
      const got = ran(document, inputs, n, "alone");
      for (const [name, values] of Object.entries(reference(check(document), { n, inputs })))
        expect(got[name], name).toEqual([...values]);
    }
  },
);

describe("operators that combine in any grouping", () => {
  it.each<readonly [string, Operator, boolean]>([
    ["a sum", segmented("add", "u32", 0), true],
    ["a greatest value", segmented("max", "i32", -(2 ** 31)), true],
    ["a sum of floats", segmented("add", "f32", 0), false],
    ["a difference", segmented("sub", "i32", 0), false],
    ["a sum with another identity", segmented("add", "u32", 1), false],
    ["a sum of one side", changed(segmented("add", "u32", 0), { 4: { left: 3 } }), false],
    ["values of the left side", changed(segmented("add", "u32", 0), { 6: { then: 2 } }), false],
    ["segments that start on the left", changed(segmented("add", "u32", 0), { 6: { condition: 0 } }), false],
    ["a flag that both sides need", changed(segmented("add", "u32", 0), { 5: { op: "and" } }), false],
  ])("%s", (_, operator, isExact) => {
    expect(opsInSegments(operator) !== undefined).toBe(isExact);
  });
});
