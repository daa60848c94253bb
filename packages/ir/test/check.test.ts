import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../src/base/errors.ts";
import { check, problemsOf } from "../src/document/check.ts";
import { LIMITS } from "../src/document/limits.ts";
import type { Pipeline, PipelineNode } from "../src/document/node.ts";
import { atMost, type Uniformity, uniformityOf } from "../src/document/uniformity.ts";
import { type Draft, documentOf, errorFrom } from "./support.ts";

const u32 = (name = "a"): Draft => ({ kind: "input", name, type: "u32" });
const f32 = (name = "x"): Draft => ({ kind: "input", name, type: "f32" });
const constant = (value: number | string | boolean, type: "u32" | "f32" | "bool" = "u32"): Draft => ({
  kind: "const",
  type,
  value,
});
const output = (of: number, name = "out"): Draft => ({ kind: "output", name, of });
const sum = (of: number, more: object = {}): Draft =>
  ({
    kind: "reduce",
    op: "add",
    type: "u32",
    identity: 0,
    scope: "device",
    order: "fixed",
    of,
    ...more,
  }) as Draft;

const table = (name = "t"): Draft => ({ kind: "table", name, type: "f32" });
const scatter = (more: object): Draft =>
  ({ kind: "scatter", name: "s", value: 0, slot: 0, ...more }) as Draft;

const rank = (bins: number): Draft => ({ kind: "rank", of: 0, bins, scope: "device" });

const not = (of: number): Draft => ({ kind: "unary", op: "not", of });
const gather = (of: number, index = 0): Draft => ({ kind: "gather", of, index });
/** So many gathers after some nodes, each of the one before, combined with the first node. */
const gathers = (count: number, first: readonly Draft[]): Draft[] => [
  ...first,
  ...Array.from({ length: count }, (_, i): Draft[] => {
    const of = first.length - 1 + 2 * i;
    return [gather(of), { kind: "binary", op: "xor", left: 0, right: of + 1 }];
  }).flat(),
  output(first.length - 1 + 2 * count),
];

type Case = readonly [code: ErrorCode, what: string, where: string, document: Pipeline];
const broken = (
  code: ErrorCode,
  what: string,
  where: string,
  nodes: readonly Draft[],
  more: object = {},
): Case => [code, what, where, { ...documentOf(nodes), ...more } as Pipeline];
const good = [u32(), output(0)];
/** So many reduces, each of the one before. */
const deep = (count: number): Draft[] => [
  u32(),
  ...Array.from({ length: count }, (_, i) => sum(i)),
  output(count),
];
const swapped = (document: Pipeline, id: number, more: object): Pipeline => ({
  ...document,
  nodes: document.nodes.map((node, i) => (i === id ? ({ ...node, ...more } as PipelineNode) : node)),
});

const CASES: readonly Case[] = [
  broken("bad-version", "a later format", "version", good, { version: 2 }),
  broken("bad-name", "an injected pipeline name", "name", good, { name: "x; } evil(" }),
  broken("bad-name", "an empty pipeline name", "name", good, { name: "" }),
  broken("bad-name", "two hyphens", "name", good, { name: "a--b" }),
  broken("bad-name", "a long pipeline name", "name", good, { name: "x".repeat(65) }),
  broken("bad-name", "an injected input name", "nodes[0]", [u32("x; } evil("), output(0)]),
  broken("bad-name", "a digit first", "nodes[0]", [u32("1a"), output(0)]),
  broken("bad-name", "an underscore first", "nodes[0]", [u32("_a"), output(0)]),
  broken("bad-name", "a double underscore", "nodes[0]", [u32("a__b"), output(0)]),
  broken("bad-name", "a letter that looks like one", "nodes[0]", [u32("\u0430"), output(0)]),
  broken("bad-name", "a newline at the end", "nodes[0]", [u32("a\n"), output(0)]),
  broken("bad-name", "a long name", "nodes[0]", [u32("x".repeat(65)), output(0)]),
  broken("bad-name", "a key of every object", "nodes[1]", [u32(), output(0, "constructor")]),
  broken("bad-name", "another key of every object", "nodes[1]", [u32(), output(0, "isPrototypeOf")]),
  broken("duplicate-name", "two inputs", 'node 1 (input "a")', [u32(), u32(), output(0)]),
  broken("duplicate-name", "an input and an output", 'node 1 (output "a")', [u32(), output(0, "a")]),
  broken("bad-work-group", "none", "workGroupSize", good, { workGroupSize: [] }),
  broken("bad-work-group", "zero", "workGroupSize", good, { workGroupSize: [0] }),
  broken("bad-work-group", "a part", "workGroupSize", good, { workGroupSize: [1.5] }),
  broken("bad-work-group", "NaN", "workGroupSize", good, { workGroupSize: [Number.NaN] }),
  broken("bad-work-group", "four dimensions", "workGroupSize", good, { workGroupSize: [1, 1, 1, 1] }),
  broken("bad-work-group", "too many", "workGroupSize", good, { workGroupSize: [65537] }),
  broken("bad-work-group", "too many in two dimensions", "workGroupSize", good, {
    workGroupSize: [256, 257],
  }),
  ...["nothing", "constructor"].map((query) =>
    broken("unknown-op", `a query that does not exist: ${query}`, "node 0 (query)", [
      { kind: "query", query: query as never, dimension: 0 },
      output(0),
    ]),
  ),
  ...[-1, 0.5, 2 ** 32, Number.NaN].map((dimension) =>
    broken("type-mismatch", `dimension ${dimension}`, "node 0 (query)", [
      { kind: "query", query: "global-id", dimension },
      output(0),
    ]),
  ),
  broken("type-mismatch", "a dimension of what has none", "node 0 (query)", [
    { kind: "query", query: "work-dim", dimension: 1 },
    output(0),
  ]),
  broken("bad-name", "a name that functions have", "nodes[0]", [u32("prototype"), output(0)]),
  broken("bad-work-group", "one good side", "workGroupSize", good, { workGroupSize: [4, 0.5] }),
  broken("too-large", "4097 nodes", "nodes", [...Array.from({ length: 4096 }, () => constant(1)), output(0)]),
  broken("too-large", "65 reduces in a row", "node 65 (reduce)", deep(65)),
  broken("no-output", "no output", "nodes", [u32()]),
  broken("no-output", "no nodes", "nodes", []),
  ["bad-node-id", "ids that are not positions", "nodes[0]", swapped(documentOf(good), 0, { id: 1 })],
  broken("forward-reference", "itself", "node 1 (unary)", [
    u32(),
    { kind: "unary", op: "not", of: 1 },
    output(0),
  ]),
  broken("forward-reference", "a later node", "node 1 (unary)", [
    u32(),
    { kind: "unary", op: "not", of: 2 },
    output(0),
  ]),
  broken("forward-reference", "before the first", "node 1 (unary)", [
    u32(),
    { kind: "unary", op: "not", of: -1 },
    output(0),
  ]),
  broken("forward-reference", "a part", "node 1 (unary)", [
    u32(),
    { kind: "unary", op: "not", of: 0.5 },
    output(0),
  ]),
  broken("forward-reference", "a cycle", "node 1 (binary)", [
    u32(),
    { kind: "binary", op: "add", left: 0, right: 2 },
    { kind: "binary", op: "add", left: 0, right: 1 },
    output(2),
  ]),
  broken("not-a-value", "an output used", 'node 2 (output "b")', [u32(), output(0), output(1, "b")]),
  broken("not-a-value", "elements that combine, read by items", "node 2 (gather)", [
    u32(),
    scatter({ combine: "add" }),
    gather(1),
    output(2),
  ]),
  broken("not-a-value", "narrow elements of slots, read by items", "node 2 (gather)", [
    u32(),
    scatter({ as: "u8" }),
    gather(1),
    output(2),
  ]),
  broken("not-a-value", "an output, read by items", "node 2 (gather)", [
    u32(),
    output(0),
    gather(1),
    output(2, "b"),
  ]),
  broken("not-a-value", "slots as an index", "node 2 (gather)", [
    u32(),
    scatter({}),
    gather(0, 1),
    output(2),
  ]),
  broken("not-a-value", "slots as a value", "node 2 (unary)", [u32(), scatter({}), not(1), output(2)]),
  broken("too-large", "gathers of values of gathers", "node 131 (gather)", gathers(66, [u32()])),
  broken("too-large", "gathers of slots", "node 130 (gather)", gathers(65, [u32(), scatter({})])),
  broken("unknown-type", "an input of no type", 'node 0 (input "a")', [
    { ...u32(), type: "u24" } as unknown as Draft,
    output(0),
  ]),
  broken("unknown-type", "a key of every object", "node 1 (cast)", [
    u32(),
    { kind: "cast", to: "toString", of: 0 } as unknown as Draft,
    output(1),
  ]),
  broken("unknown-op", "an operator of another language", "node 1 (unary)", [
    u32(),
    { kind: "unary", op: "sin", of: 0 } as unknown as Draft,
    output(1),
  ]),
  broken("unknown-op", "a key of every object", "node 1 (reduce)", [
    u32(),
    sum(0, { op: "constructor" }),
    output(1),
  ]),
  broken("op-type", "and on floats", "node 1 (reduce)", [
    f32(),
    sum(0, { op: "and", type: "f32", identity: -1 }),
    output(1),
  ]),
  broken("op-type", "neg on u32", "node 1 (unary)", [u32(), { kind: "unary", op: "neg", of: 0 }, output(1)]),
  broken("op-type", "less on bool", "node 1 (binary)", [
    constant(true, "bool"),
    { kind: "binary", op: "lt", left: 0, right: 0 },
    output(1),
  ]),
  broken("op-type", "all of floats", "node 1 (all)", [
    f32(),
    { kind: "all", scope: "device", of: 0 },
    output(1),
  ]),
  broken("type-mismatch", "a reduce that says another type", "node 1 (reduce)", [f32(), sum(0), output(1)]),
  broken("type-mismatch", "u32 + f32", "node 2 (binary)", [
    u32(),
    f32(),
    { kind: "binary", op: "add", left: 0, right: 1 },
    output(2),
  ]),
  broken("type-mismatch", "a shift by a float", "node 2 (binary)", [
    u32(),
    f32(),
    { kind: "binary", op: "shl", left: 0, right: 1 },
    output(2),
  ]),
  broken("type-mismatch", "a condition that is a number", "node 1 (select)", [
    u32(),
    { kind: "select", condition: 0, then: 0, otherwise: 0 },
    output(1),
  ]),
  broken("type-mismatch", "choices of two types", "node 3 (select)", [
    u32(),
    f32(),
    constant(true, "bool"),
    { kind: "select", condition: 2, then: 0, otherwise: 1 },
    output(3),
  ]),
  broken("type-mismatch", "bits of another width", "node 1 (bitcast)", [
    u32(),
    { kind: "bitcast", to: "f64", of: 0 },
    output(1),
  ]),
  broken("type-mismatch", "a float for an index", "node 2 (broadcast)", [
    u32(),
    constant(1, "f32"),
    { kind: "broadcast", scope: "device", of: 0, index: [1] },
    output(2),
  ]),
  broken(
    "type-mismatch",
    "one coordinate in two dimensions",
    "node 2 (broadcast)",
    [u32(), constant(0), { kind: "broadcast", scope: "device", of: 0, index: [1] }, output(2)],
    { workGroupSize: [4, 4] },
  ),
  broken(
    "broadcast-outside",
    "a second coordinate past the group's second side",
    "node 3 (broadcast)",
    [
      u32(),
      constant(7),
      constant(2),
      { kind: "broadcast", scope: "work-group", of: 0, index: [1, 2] },
      output(3),
    ],
    { workGroupSize: [8, 2] },
  ),
  broken("type-mismatch", "two coordinates in one dimension", "node 2 (broadcast)", [
    u32(),
    constant(1),
    { kind: "broadcast", scope: "device", of: 0, index: [1, 1] },
    output(2),
  ]),
  broken("type-mismatch", "slots that are floats", 'node 1 (scatter "s")', [
    f32(),
    { kind: "scatter", name: "s", value: 0, slot: 0 },
  ]),
  broken("type-mismatch", "a scatter where a number", 'node 1 (scatter "s")', [
    u32(),
    { kind: "scatter", name: "s", value: 0, slot: 0, where: 0 },
  ]),
  broken("type-mismatch", "a float for a length", 'node 2 (scatter "s")', [
    u32(),
    constant(1, "f32"),
    { kind: "scatter", name: "s", value: 0, slot: 0, length: 1 },
  ]),
  broken("wrong-identity", "1 for add", "node 1 (reduce)", [u32(), sum(0, { identity: 1 }), output(1)]),
  broken("wrong-identity", "true for add", "node 1 (reduce)", [u32(), sum(0, { identity: true }), output(1)]),
  broken("wrong-identity", "-0 for add on floats", "node 1 (reduce)", [
    f32(),
    sum(0, { type: "f32", identity: "-0" }),
    output(1),
  ]),
  broken("wrong-identity", "the largest float for min", "node 1 (reduce)", [
    f32(),
    sum(0, { op: "min", type: "f32", identity: 3.4028234663852886e38 }),
    output(1),
  ]),
  broken("bad-literal", "0.1 as f32", "node 0 (const)", [constant(0.1, "f32"), output(0)]),
  broken("bad-literal", "-1 as u32", "node 0 (const)", [constant(-1), output(0)]),
  broken("bad-literal", "NaN as it is", "node 0 (const)", [constant(Number.NaN, "f32"), output(0)]),
  broken("not-uniform", "an index of each item's own", "node 1 (broadcast)", [
    u32(),
    { kind: "broadcast", scope: "work-group", of: 0, index: [0] },
    output(1),
  ]),
  broken("not-uniform", "a group's index for all", "node 2 (broadcast)", [
    u32(),
    { kind: "query", query: "group-id", dimension: 0 },
    { kind: "broadcast", scope: "device", of: 0, index: [1] },
    output(2),
  ]),
  broken("not-uniform", "a length of each group's own", 'node 2 (scatter "s")', [
    u32(),
    sum(0, { scope: "work-group" }),
    { kind: "scatter", name: "s", value: 0, slot: 0, length: 1 },
  ]),
  broken("broadcast-outside", "item 4 of 4", "node 2 (broadcast)", [
    u32(),
    constant(4),
    { kind: "broadcast", scope: "work-group", of: 0, index: [1] },
    output(2),
  ]),
  broken("broadcast-outside", "an item that constants add up to", "node 4 (broadcast)", [
    u32(),
    constant(3),
    { kind: "query", query: "enqueued-local-size", dimension: 1 },
    { kind: "binary", op: "add", left: 1, right: 2 },
    { kind: "broadcast", scope: "work-group", of: 0, index: [3] },
    output(4),
  ]),
  broken("not-a-value", "a table as a value", 'node 1 (output "out")', [table(), output(0)]),
  broken("not-a-value", "a table as an index", "node 2 (gather)", [
    table(),
    u32(),
    { kind: "gather", of: 1, index: 0 },
    output(2),
  ]),
  broken("duplicate-name", "an input and a table", 'node 1 (table "a")', [u32(), table("a"), output(0)]),
  broken("type-mismatch", "the length of no table", "node 1 (table-length)", [
    u32(),
    { kind: "table-length", of: 0 },
    output(1),
  ]),
  broken("type-mismatch", "an index that is a float", "node 2 (gather)", [
    table(),
    f32(),
    { kind: "gather", of: 0, index: 1 },
    output(2),
  ]),
  broken("type-mismatch", "a capacity that is a float", 'node 2 (scatter "s")', [
    u32(),
    constant(1, "f32"),
    scatter({ capacity: 1 }),
  ]),
  broken("not-on-host", "a capacity that items compute", 'node 1 (scatter "s")', [
    u32(),
    scatter({ capacity: 0 }),
  ]),
  broken("not-on-host", "a capacity that a reduce computes", 'node 2 (scatter "s")', [
    u32(),
    sum(0),
    scatter({ capacity: 1 }),
  ]),
  broken("not-on-host", "a capacity by another operator", 'node 3 (scatter "s")', [
    u32(),
    constant(1),
    { kind: "binary", op: "shl", left: 1, right: 1 },
    scatter({ capacity: 2 }),
  ]),
  broken("bad-capacity", "a capacity of 16 GiB whatever is run", 'node 2 (scatter "s")', [
    { kind: "const", type: "u32", value: 1 },
    { kind: "const", type: "u32", value: 0xffffffff },
    scatter({ value: 0, slot: 0, capacity: 1 }),
  ]),
  broken("not-on-host", "a capacity that doubles too often", 'node 22 (scatter "s")', [
    u32(),
    constant(0),
    ...Array.from(
      { length: 20 },
      (_, i): Draft => ({ kind: "binary", op: "add", left: i + 1, right: i + 1 }),
    ),
    scatter({ capacity: 21 }),
  ]),
  broken("op-type", "floats that combine", 'node 2 (scatter "s")', [
    u32(),
    f32(),
    scatter({ value: 1, combine: "add" }),
  ]),
  broken("unknown-op", "values that combine by no such operator", 'node 1 (scatter "s")', [
    u32(),
    scatter({ combine: "mul" }),
  ]),
  broken("op-type", "narrow elements that combine", 'node 1 (scatter "s")', [
    u32(),
    scatter({ combine: "add", as: "u8" }),
  ]),
  broken("unknown-type", "elements of no narrow type", 'node 1 (output "out")', [
    u32(),
    { ...output(0), as: "u7" } as unknown as Draft,
  ]),
  broken("type-mismatch", "a value that narrow elements do not hold", 'node 1 (output "out")', [
    u32(),
    { ...output(0), as: "bf16" } as unknown as Draft,
  ]),
  broken("type-mismatch", "a value that narrow elements of a scatter do not hold", 'node 2 (scatter "s")', [
    u32(),
    f32(),
    scatter({ value: 1, as: "u8" }),
  ]),
  broken("type-mismatch", "a parameter that divides the items and is no whole number", 'node 0 (param "k")', [
    { kind: "param", name: "k", type: "f32", divides: true },
    output(0),
  ]),
  broken("type-mismatch", "keys of a rank that are floats", "node 1 (rank)", [f32(), rank(8), output(1)]),
  ...[0, LIMITS.bins + 1, 1.5, Number.NaN].map((bins) =>
    broken("type-mismatch", `a rank of ${bins} keys`, "node 1 (rank)", [u32(), rank(bins), output(1)]),
  ),
  broken("type-mismatch", "a function with an operand too few", "node 1 (function)", [
    f32(),
    { kind: "function", op: "copysign", of: [0] },
    output(1),
  ]),
  broken("type-mismatch", "a function whose second operand has another type", "node 2 (function)", [
    f32(),
    u32(),
    { kind: "function", op: "copysign", of: [0, 1] },
    output(2),
  ]),
  broken("type-mismatch", "a function of nothing", "node 1 (function)", [
    u32(),
    { kind: "function", op: "ctz", of: [] },
    output(1),
  ]),
  broken("forward-reference", "a capacity by a node that is not there", 'node 1 (scatter "s")', [
    u32(),
    scatter({ capacity: 99 }),
  ]),
  broken("op-type", "a function of floats on whole numbers", "node 1 (function)", [
    u32(),
    { kind: "function", op: "copysign", of: [0, 0] },
    output(1),
  ]),
  broken("op-type", "a fast function that is exact", "node 1 (function)", [
    f32(),
    { kind: "function", op: "copysign", of: [0, 0], fast: true } as unknown as Draft,
    output(1),
  ]),
  broken("not-on-host", "a capacity by a query of a work-item", 'node 2 (scatter "s")', [
    u32(),
    { kind: "query", query: "local-size", dimension: 0 },
    scatter({ capacity: 1 }),
  ]),
  broken("bad-capacity", "a capacity of an element more than is allowed", 'node 2 (scatter "s")', [
    u32(),
    constant(LIMITS.fixedCapacity + 1),
    scatter({ capacity: 1 }),
  ]),
  broken("too-large", "gathers that wait for one another too often", `node ${LIMITS.depth + 1} (gather)`, [
    u32(),
    sum(0, { kind: "scan-inclusive" }),
    ...Array.from(
      { length: 2 * LIMITS.depth + 1 },
      (_, i): Draft => ({ kind: "gather", of: i + 1, index: 0 }),
    ),
    output(2),
  ]),
];

describe("check takes", () => {
  it("capacities that hosts compute, and gathers of anything", () => {
    const document = documentOf([
      u32(),
      table(),
      { kind: "table-length", of: 1 },
      { kind: "query", query: "global-size", dimension: 0 },
      { kind: "binary", op: "div", left: 2, right: 3 },
      scatter({ capacity: 4, combine: "min" }),
      { kind: "gather", of: 1, index: 0 },
      { kind: "gather", of: 6, index: 2 },
      output(7),
    ]);
    const { uniformities, types, tables } = check(document);
    expect(tables.map(({ name }) => name)).toEqual(["t"]);
    expect([types[6], types[7]]).toEqual(["f32", "f32"]);
    expect([uniformities[6], uniformities[7]]).toEqual(["item", "uniform"]);
  });
});

describe("check refuses", () => {
  it.each(CASES)("%s: %s", (code, _, where, document) => {
    const error = errorFrom(() => check(document));
    expect({ code: error.code, where: error.where }).toEqual({ code, where });
    expect(error.message).not.toContain("undefined");
  });

  // Stryker changes the sources.
  it.skipIf(process.env.STRYKER_MUTATOR_WORKER)("with every code of the catalogue, each tested above", () => {
    const sources = ["check.ts", "rules.ts"].map(
      (name) => new URL(`../src/document/${name}`, import.meta.url),
    );
    const source = sources.map((url) => readFileSync(url, "utf8")).join("");
    const codes = [...source.matchAll(/report\(\s*"([a-z-]+)"/g)].map(([, code]) => code);
    expect([...new Set(CASES.map(([code]) => code))].sort()).toEqual([...new Set(codes)].sort());
  });

  it("at the author's source location", () => {
    const document = documentOf([u32(), { ...sum(0, { identity: 1 }), at: "a.ts:4:22" }, output(1)]);
    expect(errorFrom(() => check(document)).where).toBe("a.ts:4:22");
  });

  it("and reports every problem, in the order of the nodes", () => {
    const document = documentOf([
      u32("1"),
      f32(),
      { kind: "binary", op: "add", left: 0, right: 1 },
      constant(-1),
    ]);
    expect(problemsOf(document).map(({ code }) => code)).toEqual([
      "bad-name",
      "type-mismatch",
      "bad-literal",
      "no-output",
    ]);
    expect(problemsOf(documentOf(good))).toEqual([]);
  });

  it("and reports at most 100 problems, even if a node has two", () => {
    const two: Draft[] = Array.from({ length: 50 }, () => ({ kind: "input", name: "", type: "x" }) as never);
    expect(problemsOf({ ...documentOf(two), name: "" })).toHaveLength(LIMITS.problems);
  });

  it("and names the operators that a type has", () => {
    const vote = documentOf([f32(), { kind: "all", scope: "device", of: 0 }, output(1)]);
    expect(errorFrom(() => check(vote)).message).toMatch(/add.*max/s);
    expect(errorFrom(() => check(vote)).message).not.toMatch(/xor|logical/);
  });
});

const narrow = { ...output(0), as: "u8" } as unknown as Draft;
const dividing: Draft = { kind: "param", name: "k", type: "u32", divides: true };

describe("check allows", () => {
  it.each<[string, Pipeline]>([
    ["the least", documentOf(good)],
    ["constants alone", documentOf([constant(1), output(0)])],
    ["64 reduces in a row", documentOf(deep(64))],
    ["65 gathers, of which the first waits for nothing", documentOf(gathers(65, [u32(), not(0)]))],
    [
      "a gather of a table before them",
      documentOf(gathers(65, [u32(), { kind: "table", name: "t", type: "u32" }, gather(1)])),
    ],
    ["64 gathers after one of slots", documentOf(gathers(64, [u32(), scatter({})]))],
    ["a length that is the same for all", documentOf([u32(), sum(0), scatter({ length: 1 })])],
    ["one item a work-group", { ...documentOf(good), workGroupSize: [1] }],
    ["4096 nodes", documentOf([...Array.from({ length: 4095 }, () => constant(1)), output(0)])],
    ["a long name", { ...documentOf([u32("x".repeat(64)), output(0)]), name: "a-b_c-1" }],
    ["the longest name of a pipeline", { ...documentOf(good), name: "x".repeat(LIMITS.name) }],
    ["the largest work-group", { ...documentOf(good), workGroupSize: [LIMITS.workGroup] }],
    ["the largest work-group in two dimensions", { ...documentOf(good), workGroupSize: [256, 256] }],
    ["three dimensions", { ...documentOf(good), workGroupSize: [8, 8, 16] }],
    ["a rank of one key", documentOf([u32(), rank(1), output(1)])],
    ["a rank of the most keys", documentOf([u32(), rank(LIMITS.bins), output(1)])],
    ["the largest capacity", documentOf([u32(), constant(LIMITS.fixedCapacity), scatter({ capacity: 1 })])],
    [
      "a capacity of constants and parameters",
      documentOf([
        u32(),
        constant(3),
        { kind: "param", name: "k", type: "u32" },
        { kind: "binary", op: "mul", left: 1, right: 2 },
        scatter({ capacity: 3 }),
      ]),
    ],
    [
      "whole numbers with a sign that combine",
      documentOf([
        { kind: "input", name: "a", type: "i32" },
        constant(0),
        scatter({ slot: 1, combine: "add" }),
      ]),
    ],
    ["narrow elements of an output and of a scatter", documentOf([u32(), narrow, scatter({ as: "u16" })])],
    ["a parameter that divides the items", documentOf([dividing, output(0)])],
    [
      "a dimension that is not there",
      documentOf([{ kind: "query", query: "global-id", dimension: 2 ** 32 - 1 }, output(0)]),
    ],
    [
      "a coordinate for each dimension",
      {
        ...documentOf([
          u32(),
          constant(3),
          { kind: "broadcast", scope: "work-group", of: 0, index: [1, 1] },
          output(2),
        ]),
        workGroupSize: [4, 4],
      },
    ],
    [
      "a group's index for a group",
      documentOf([
        u32(),
        { kind: "query", query: "group-id", dimension: 0 },
        { kind: "broadcast", scope: "work-group", of: 0, index: [1] },
        output(2),
      ]),
    ],
    [
      "an index past a constant group, in the device's scope",
      documentOf([u32(), constant(4), { kind: "broadcast", scope: "device", of: 0, index: [1] }, output(2)]),
    ],
  ])("%s", (_, document) => {
    expect(problemsOf(document)).toEqual([]);
  });

  it("votes and ranks, whose types are their own", () => {
    const vote = { scope: "device", of: 1 } as const;
    const nodes: Draft[] = [
      u32(),
      constant(true, "bool"),
      { kind: "all", ...vote },
      { kind: "any", ...vote },
    ];
    const { types } = check(documentOf([...nodes, rank(4), output(2)]));
    expect(types.slice(2, 5)).toEqual(["bool", "bool", "u32"]);
  });

  it("and returns types, uniformities, inputs, parameters and outputs", () => {
    const document = documentOf([
      f32(),
      { kind: "param", name: "k", type: "f32" },
      { kind: "binary", op: "lt", left: 0, right: 1 },
      { kind: "cast", to: "u32", of: 2 },
      sum(3, { scope: "work-group" }),
      sum(3),
      { kind: "scan-inclusive", op: "add", type: "u32", identity: 0, scope: "device", order: "fixed", of: 5 },
      { kind: "any", scope: "work-group", of: 2 },
      { kind: "binary", op: "add", left: 4, right: 5 },
      { kind: "spread", of: 5 },
      output(8),
      { kind: "scatter", name: "s", value: 0, slot: 6 },
    ]);
    const checked = check(document);
    expect(checked.types).toEqual([
      "f32",
      "f32",
      "bool",
      "u32",
      "u32",
      "u32",
      "u32",
      "bool",
      "u32",
      "u32",
      "u32",
      "f32",
    ]);
    const [i, g, u] = ["item", "group", "uniform"] as const;
    expect(checked.uniformities).toEqual([i, u, i, i, g, u, i, g, g, i, g, i]);
    expect(checked.inputs.map(({ name }) => name)).toEqual(["x"]);
    expect(checked.params.map(({ name }) => name)).toEqual(["k"]);
    expect(checked.sinks.map(({ name }) => name)).toEqual(["out", "s"]);
  });
});

describe("uniformities", () => {
  it("are ordered", () => {
    const uniformities: readonly Uniformity[] = ["uniform", "group", "item"];
    expect(uniformities.map((a) => uniformities.map((b) => atMost(a, b)))).toEqual([
      [true, true, true],
      [false, true, true],
      [false, false, true],
    ]);
  });

  it.each([
    ["work-dim", "uniform"],
    ["global-size", "uniform"],
    ["global-id", "item"],
    ["local-size", "group"],
    ["enqueued-local-size", "uniform"],
    ["local-id", "item"],
    ["num-groups", "uniform"],
    ["group-id", "group"],
    ["global-offset", "uniform"],
    ["global-linear-id", "item"],
    ["local-linear-id", "item"],
  ] as const)("of %s: %s", (query, rate) => {
    expect(uniformityOf({ id: 0, kind: "query", query, dimension: 0 }, [])).toBe(rate);
  });
});
