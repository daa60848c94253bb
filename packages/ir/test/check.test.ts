import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../src/base/errors.ts";
import { check, problemsOf } from "../src/document/check.ts";
import { LIMITS } from "../src/document/limits.ts";
import type { Pipeline, PipelineNode } from "../src/document/node.ts";
import { atMost, type Uniformity, uniformityOf } from "../src/document/uniformity.ts";
import { collective, type Draft, documentOf, errorFrom } from "./support.ts";

const u32 = (name = "a"): Draft => ({ kind: "input", name, type: "u32" });
const f32 = (name = "x"): Draft => ({ kind: "input", name, type: "f32" });
const constant = (value: number | string | boolean, type: "u32" | "f32" | "bool" = "u32"): Draft => ({
  kind: "const",
  type,
  value,
});
const output = (of: number, name = "out"): Draft => ({ kind: "output", name, of });
const sum = (of: number, more: object = {}): Draft =>
  ({ ...collective("reduce", "add", "u32", of), ...more }) as Draft;

const table = (name = "t"): Draft => ({ kind: "table", name, type: "f32" });
const scatter = (more: object): Draft =>
  ({ kind: "scatter", name: "s", value: 0, slot: 0, ...more }) as Draft;
const unary = (op: string, of: number): Draft => ({ kind: "unary", op, of }) as Draft;
const binary = (op: string, left: number, right: number): Draft =>
  ({ kind: "binary", op, left, right }) as Draft;
const select = (condition: number, then: number, otherwise: number): Draft => ({
  ...{ kind: "select", condition, then, otherwise },
});
const broadcast = (index: readonly number[], scope: "device" | "work-group" = "device"): Draft => ({
  ...{ kind: "broadcast", scope, of: 0, index },
});
const query = (name: string, dimension = 0): Draft => ({ kind: "query", query: name, dimension }) as Draft;
const call = (op: string, of: readonly number[], more: object = {}): Draft =>
  ({ kind: "function", op, of, ...more }) as Draft;
const param = (type: "u32" | "f32", more: object = {}): Draft => ({
  kind: "param",
  name: "k",
  type,
  ...more,
});

const rank = (bins: number): Draft => ({ kind: "rank", of: 0, bins, scope: "device" });

const not = (of: number): Draft => unary("not", of);
const gather = (of: number, index = 0): Draft => ({ kind: "gather", of, index });
/** So many gathers after some nodes, each of the one before, combined with the first node. */
const gathers = (count: number, first: readonly Draft[]): Draft[] => [
  ...first,
  ...Array.from({ length: count }, (_, i): Draft[] => {
    const of = first.length - 1 + 2 * i;
    return [gather(of), binary("xor", 0, of + 1)];
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
/** The place is the node of that number; the last one is an output if it gives anything. */
function at(code: ErrorCode, what: string, id: number, given: readonly Draft[], size = [4]): Case {
  const isSink = ["output", "scatter"].includes(given.at(-1)?.kind ?? "");
  const nodes = isSink ? given : [...given, output(given.length - 1)];
  const node = nodes[id] as Draft;
  const where = `node ${id} (${node.kind}${"name" in node ? ` "${node.name}"` : ""})`;
  return broken(code, what, where, nodes, { workGroupSize: size });
}
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
  ...["nothing", "constructor"].map((name) =>
    at("unknown-op", `a query that does not exist: ${name}`, 0, [query(name)]),
  ),
  ...[-1, 0.5, 2 ** 32, Number.NaN].map((dimension) =>
    at("type-mismatch", `dimension ${dimension}`, 0, [query("global-id", dimension)]),
  ),
  at("type-mismatch", "a dimension of what has none", 0, [query("work-dim", 1)]),
  broken("bad-name", "a name that functions have", "nodes[0]", [u32("prototype"), output(0)]),
  broken("bad-work-group", "one good side", "workGroupSize", good, { workGroupSize: [4, 0.5] }),
  broken("too-large", "4097 nodes", "nodes", [...Array.from({ length: 4096 }, () => constant(1)), output(0)]),
  broken("too-large", "65 reduces in a row", "node 65 (reduce)", deep(65)),
  broken("no-output", "no output", "nodes", [u32()]),
  broken("no-output", "no nodes", "nodes", []),
  ["bad-node-id", "ids that are not positions", "nodes[0]", swapped(documentOf(good), 0, { id: 1 })],
  at("forward-reference", "itself", 1, [u32(), not(1)]),
  at("forward-reference", "a later node", 1, [u32(), not(2)]),
  at("forward-reference", "before the first", 1, [u32(), not(-1)]),
  at("forward-reference", "a part", 1, [u32(), not(0.5)]),
  at("forward-reference", "a cycle", 1, [u32(), binary("add", 0, 2), binary("add", 0, 1)]),
  at("not-a-value", "an output used", 2, [u32(), output(0), output(1, "b")]),
  at("not-a-value", "elements that combine, read by items", 2, [
    u32(),
    scatter({ combine: "add" }),
    gather(1),
  ]),
  at("not-a-value", "narrow elements of slots, read by items", 2, [u32(), scatter({ as: "u8" }), gather(1)]),
  at("not-a-value", "an output, read by items", 2, [u32(), output(0), gather(1), output(2, "b")]),
  at("not-a-value", "slots as an index", 2, [u32(), scatter({}), gather(0, 1)]),
  at("not-a-value", "slots as a value", 2, [u32(), scatter({}), not(1)]),
  at("too-large", "gathers of values of gathers", 131, gathers(66, [u32()])),
  at("too-large", "gathers of slots", 130, gathers(65, [u32(), scatter({})])),
  at("unknown-type", "an input of no type", 0, [{ ...u32(), type: "u24" } as unknown as Draft]),
  at("unknown-type", "a key of every object", 1, [u32(), { kind: "cast", to: "toString" as never, of: 0 }]),
  at("unknown-op", "an operator of another language", 1, [u32(), unary("sin", 0)]),
  at("unknown-op", "a key of every object", 1, [u32(), sum(0, { op: "constructor" })]),
  at("op-type", "and on floats", 1, [f32(), sum(0, { op: "and", type: "f32", identity: -1 })]),
  at("op-type", "neg on u32", 1, [u32(), unary("neg", 0)]),
  at("op-type", "less on bool", 1, [constant(true, "bool"), binary("lt", 0, 0)]),
  at("op-type", "all of floats", 1, [f32(), { kind: "all", scope: "device", of: 0 }]),
  at("type-mismatch", "a reduce that says another type", 1, [f32(), sum(0)]),
  at("type-mismatch", "u32 + f32", 2, [u32(), f32(), binary("add", 0, 1)]),
  at("type-mismatch", "a shift by a float", 2, [u32(), f32(), binary("shl", 0, 1)]),
  at("type-mismatch", "a condition that is a number", 1, [u32(), select(0, 0, 0)]),
  at("type-mismatch", "choices of two types", 3, [u32(), f32(), constant(true, "bool"), select(2, 0, 1)]),
  at("type-mismatch", "bits of another width", 1, [u32(), { kind: "bitcast", to: "f64", of: 0 }]),
  at("type-mismatch", "a float for an index", 2, [u32(), constant(1, "f32"), broadcast([1])]),
  at("type-mismatch", "one coordinate in two dimensions", 2, [u32(), constant(0), broadcast([1])], [4, 4]),
  at(
    "broadcast-outside",
    "a second coordinate past the group's second side",
    3,
    [u32(), constant(7), constant(2), broadcast([1, 2], "work-group")],
    [8, 2],
  ),
  at("type-mismatch", "two coordinates in one dimension", 2, [u32(), constant(1), broadcast([1, 1])]),
  at("type-mismatch", "slots that are floats", 1, [f32(), scatter({})]),
  at("type-mismatch", "a scatter where a number", 1, [u32(), scatter({ where: 0 })]),
  at("type-mismatch", "a float for a length", 2, [u32(), constant(1, "f32"), scatter({ length: 1 })]),
  at("wrong-identity", "1 for add", 1, [u32(), sum(0, { identity: 1 })]),
  at("wrong-identity", "true for add", 1, [u32(), sum(0, { identity: true })]),
  at("wrong-identity", "-0 for add on floats", 1, [f32(), sum(0, { type: "f32", identity: "-0" })]),
  at("wrong-identity", "the largest float for min", 1, [
    f32(),
    sum(0, { op: "min", type: "f32", identity: 3.4028234663852886e38 }),
  ]),
  at("bad-literal", "0.1 as f32", 0, [constant(0.1, "f32")]),
  at("bad-literal", "-1 as u32", 0, [constant(-1)]),
  at("bad-literal", "NaN as it is", 0, [constant(Number.NaN, "f32")]),
  at("not-uniform", "an index of each item's own", 1, [u32(), broadcast([0], "work-group")]),
  at("not-uniform", "a group's index for all", 2, [u32(), query("group-id"), broadcast([1])]),
  at("not-uniform", "a length of each group's own", 2, [
    u32(),
    sum(0, { scope: "work-group" }),
    scatter({ length: 1 }),
  ]),
  at("broadcast-outside", "item 4 of 4", 2, [u32(), constant(4), broadcast([1], "work-group")]),
  at("broadcast-outside", "an item that constants add up to", 4, [
    ...[u32(), constant(3), query("enqueued-local-size", 1)],
    ...[binary("add", 1, 2), broadcast([3], "work-group")],
  ]),
  at("not-a-value", "a table as a value", 1, [table(), output(0)]),
  at("not-a-value", "a table as an index", 2, [table(), u32(), gather(1)]),
  at("duplicate-name", "an input and a table", 1, [u32(), table("a"), output(0)]),
  at("type-mismatch", "the length of no table", 1, [u32(), { kind: "table-length", of: 0 }]),
  at("type-mismatch", "an index that is a float", 2, [table(), f32(), gather(0, 1)]),
  at("type-mismatch", "a capacity that is a float", 2, [u32(), constant(1, "f32"), scatter({ capacity: 1 })]),
  at("not-on-host", "a capacity that items compute", 1, [u32(), scatter({ capacity: 0 })]),
  at("not-on-host", "a capacity that a reduce computes", 2, [u32(), sum(0), scatter({ capacity: 1 })]),
  at("not-on-host", "a capacity by another operator", 3, [
    ...[u32(), constant(1), binary("shl", 1, 1), scatter({ capacity: 2 })],
  ]),
  at("bad-capacity", "a capacity of 16 GiB whatever is run", 2, [
    ...[constant(1), constant(0xffffffff), scatter({ capacity: 1 })],
  ]),
  at("not-on-host", "a capacity that doubles too often", 22, [
    ...[u32(), constant(0), ...Array.from({ length: 20 }, (_, i) => binary("add", i + 1, i + 1))],
    scatter({ capacity: 21 }),
  ]),
  at("op-type", "floats that combine", 2, [u32(), f32(), scatter({ value: 1, combine: "add" })]),
  at("unknown-op", "values that combine by no such operator", 1, [u32(), scatter({ combine: "mul" })]),
  at("op-type", "narrow elements that combine", 1, [u32(), scatter({ combine: "add", as: "u8" })]),
  at("unknown-type", "elements of no narrow type", 1, [u32(), { ...output(0), as: "u7" } as never]),
  at("type-mismatch", "a value that narrow elements do not hold", 1, [
    ...[u32(), { ...output(0), as: "bf16" } as never],
  ]),
  at("type-mismatch", "a value that narrow elements of a scatter do not hold", 2, [
    ...[u32(), f32(), scatter({ value: 1, as: "u8" })],
  ]),
  at("type-mismatch", "a parameter that divides the items and is no whole number", 0, [
    param("f32", { divides: true }),
  ]),
  at("type-mismatch", "keys of a rank that are floats", 1, [f32(), rank(8)]),
  ...[0, LIMITS.bins + 1, 1.5, Number.NaN].map((bins) =>
    at("type-mismatch", `a rank of ${bins} keys`, 1, [u32(), rank(bins)]),
  ),
  at("type-mismatch", "a function with an operand too few", 1, [f32(), call("copysign", [0])]),
  at("type-mismatch", "a function whose second operand has another type", 2, [
    ...[f32(), u32(), call("copysign", [0, 1])],
  ]),
  at("type-mismatch", "a function of nothing", 1, [u32(), call("ctz", [])]),
  at("forward-reference", "a capacity by a node that is not there", 1, [u32(), scatter({ capacity: 99 })]),
  at("op-type", "a function of floats on whole numbers", 1, [u32(), call("copysign", [0, 0])]),
  at("op-type", "a fast function that is exact", 1, [f32(), call("copysign", [0, 0], { fast: true })]),
  at("not-on-host", "a capacity by a query of a work-item", 2, [
    ...[u32(), query("local-size"), scatter({ capacity: 1 })],
  ]),
  at("bad-capacity", "a capacity of an element more than is allowed", 2, [
    ...[u32(), constant(LIMITS.fixedCapacity + 1), scatter({ capacity: 1 })],
  ]),
  at("too-large", "gathers that wait for one another too often", LIMITS.depth + 1, [
    ...[u32(), sum(0, { kind: "scan-inclusive" })],
    ...Array.from({ length: 2 * LIMITS.depth + 1 }, (_, i) => gather(i + 1)),
    output(2),
  ]),
];

describe("check takes", () => {
  it("capacities that hosts compute, and gathers of anything", () => {
    const document = documentOf([
      ...[u32(), table(), { kind: "table-length", of: 1 } as const, query("global-size")],
      ...[binary("div", 2, 3), scatter({ capacity: 4, combine: "min" }), gather(1), gather(6, 2), output(7)],
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
    const document = documentOf([u32("1"), f32(), binary("add", 0, 1), constant(-1)]);
    const codes = problemsOf(document).map(({ code }) => code);
    expect(codes.join(" ")).toBe("bad-name type-mismatch bad-literal no-output");
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

describe("check allows", () => {
  it.each<[string, readonly Draft[], object?]>([
    ["the least", good],
    ["constants alone", [constant(1), output(0)]],
    ["64 reduces in a row", deep(64)],
    ["65 gathers, of which the first waits for nothing", gathers(65, [u32(), not(0)])],
    [
      "a gather of a table before them",
      gathers(65, [u32(), { kind: "table", name: "t", type: "u32" }, gather(1)]),
    ],
    ["64 gathers after one of slots", gathers(64, [u32(), scatter({})])],
    ["a length that is the same for all", [u32(), sum(0), scatter({ length: 1 })]],
    ["one item a work-group", good, { workGroupSize: [1] }],
    ["4096 nodes", [...Array.from({ length: 4095 }, () => constant(1)), output(0)]],
    ["a long name", [u32("x".repeat(64)), output(0)], { name: "a-b_c-1" }],
    ["the longest name of a pipeline", good, { name: "x".repeat(LIMITS.name) }],
    ["the largest work-group", good, { workGroupSize: [LIMITS.workGroup] }],
    ["the largest work-group in two dimensions", good, { workGroupSize: [256, 256] }],
    ["three dimensions", good, { workGroupSize: [8, 8, 16] }],
    ["a rank of one key", [u32(), rank(1), output(1)]],
    ["a rank of the most keys", [u32(), rank(LIMITS.bins), output(1)]],
    ["the largest capacity", [u32(), constant(LIMITS.fixedCapacity), scatter({ capacity: 1 })]],
    [
      "a capacity of constants and parameters",
      [u32(), constant(3), param("u32"), binary("mul", 1, 2), scatter({ capacity: 3 })],
    ],
    [
      "whole numbers with a sign that combine",
      [{ kind: "input", name: "a", type: "i32" }, constant(0), scatter({ slot: 1, combine: "add" })],
    ],
    ["narrow elements of an output and of a scatter", [u32(), narrow, scatter({ as: "u16" })]],
    ["a parameter that divides the items", [param("u32", { divides: true }), output(0)]],
    ["a dimension that is not there", [query("global-id", 2 ** 32 - 1), output(0)]],
    [
      "a coordinate for each dimension",
      [u32(), constant(3), broadcast([1, 1], "work-group"), output(2)],
      { workGroupSize: [4, 4] },
    ],
    ["a group's index for a group", [u32(), query("group-id"), broadcast([1], "work-group"), output(2)]],
    [
      "an index past a constant group, in the device's scope",
      [u32(), constant(4), broadcast([1]), output(2)],
    ],
  ])("%s", (_, nodes, more = {}) => {
    expect(problemsOf({ ...documentOf(nodes), ...more })).toEqual([]);
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
      ...[f32(), param("f32"), binary("lt", 0, 1), { kind: "cast", to: "u32", of: 2 } as const],
      ...[sum(3, { scope: "work-group" }), sum(3), sum(5, { kind: "scan-inclusive" })],
      { kind: "any", scope: "work-group", of: 2 },
      ...[binary("add", 4, 5), { kind: "spread", of: 5 } as const, output(8), scatter({ slot: 6 })],
    ]);
    const checked = check(document);
    expect(checked.types.join(" ")).toBe("f32 f32 bool u32 u32 u32 u32 bool u32 u32 u32 f32");
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
