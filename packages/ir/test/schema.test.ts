import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { ErrorCode } from "../src/base/errors.ts";
import { check } from "../src/document/check.ts";
import type { NodeKind, Pipeline } from "../src/document/node.ts";
import { pipelineJsonSchema } from "../src/schema/json-schema.ts";
import { MAX_TEXT, parsePipeline } from "../src/schema/parse.ts";
import { stringifyPipeline } from "../src/schema/stringify.ts";
import { fc, test } from "./fast-check.ts";
import {
  binary,
  cast,
  collective,
  constant,
  documentOf,
  errorFrom,
  gather,
  input,
  output,
  unary,
} from "./support.ts";

/** One node of every kind, every optional field once. */
const everything = (): Pipeline => ({
  ...documentOf([
    { kind: "input", name: "a", type: "f32", at: "a.ts:1:2" },
    { kind: "param", name: "k", type: "f32" },
    constant("-inf", "f32"),
    { kind: "query", query: "global-id", dimension: 0 },
    ...[unary("neg", 0), binary("lt", 4, 1)],
    { kind: "select", condition: 5, then: 0, otherwise: 2 },
    cast("u32", 5),
    { kind: "bitcast", to: "u32", of: 6 },
    collective("reduce", "max", "u32", 8),
    { kind: "spread", of: 9 },
    {
      kind: "scan-inclusive",
      op: "min",
      type: "f32",
      identity: "inf",
      scope: "work-group",
      order: "any",
      of: 6,
    },
    collective("scan-exclusive", "add", "u32", 7),
    { kind: "all", scope: "work-group", of: 5 },
    { kind: "any", scope: "device", of: 5 },
    { kind: "broadcast", scope: "device", of: 11, index: [9] },
    ...[output(15, "o"), output(10, "p")],
    { kind: "scatter", name: "s", value: 6, slot: 12, where: 5, length: 9, at: "a.ts:3:4" },
    { kind: "user-collective", form: "reduce", operator: 0, field: 1, scope: "device", of: [6, 5] },
    { kind: "table", name: "t", type: "f64" },
    { kind: "table-length", of: 20 },
    ...[gather(20, 21), output(22, "q")],
    { kind: "scatter", name: "u", value: 9, slot: 12, capacity: 21, combine: "max" },
    { kind: "function", op: "fma", of: [6, 6, 6] },
    { kind: "rank", scope: "device", of: 12, bins: 7 },
  ]),
  operators: [
    {
      name: "first",
      fields: [
        { name: "value", type: "f32", identity: "-inf" },
        { name: "is.set", type: "bool", identity: false },
      ],
      commutative: false,
      nodes: [
        { id: 0, kind: "left", field: 0, at: "a.ts:1:1" },
        { id: 1, kind: "right", field: 0 },
        { id: 2, kind: "left", field: 1 },
        { id: 3, kind: "right", field: 1 },
        { id: 4, kind: "select", condition: 2, then: 0, otherwise: 1 },
        { id: 5, kind: "binary", op: "or", left: 2, right: 3 },
        { id: 6, kind: "unary", op: "neg", of: 4 },
        { id: 7, kind: "const", type: "f32", value: "inf" },
        { id: 8, kind: "cast", to: "u32", of: 4 },
        { id: 9, kind: "bitcast", to: "f32", of: 8 },
        { id: 10, kind: "function", op: "fma", of: [4, 6, 9] },
      ],
      results: [4, 5],
    },
  ],
});
const json = (): { [key: string]: unknown; nodes: { [key: string]: unknown }[] } =>
  JSON.parse(JSON.stringify(everything()));

describe("a valid document", () => {
  it("is parsed unchanged, as text or as a value", () => {
    expect(parsePipeline(json()).pipeline).toEqual(everything());
    expect(parsePipeline(JSON.stringify(json())).pipeline).toEqual(everything());
    expect(parsePipeline(everything())).toEqual(check(everything()));
  });

  it("is returned as a new, plain, frozen value", () => {
    const given = json();
    const { pipeline } = parsePipeline(given);
    const parts = [pipeline, pipeline.workGroupSize, pipeline.nodes, ...pipeline.nodes];
    const [index] = pipeline.nodes.flatMap((node) => (node.kind === "broadcast" ? [node.index] : []));
    expect([...parts, index].every((part) => Object.isFrozen(part))).toBe(true);
    expect(
      parts.every((part) => [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(part))),
    ).toBe(true);
    (given.nodes[0] as { name: string }).name = "x; } evil(";
    expect(pipeline.nodes[0]).toMatchObject({ name: "a" });
    expect(Object.isFrozen(given)).toBe(false);
  });

  it("may be from another realm, or without prototypes", () => {
    const bare = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(bare)
        : typeof value === "object" && value !== null
          ? Object.assign(
              Object.create(null),
              Object.fromEntries(Object.entries(value).map(([k, v]) => [k, bare(v)])),
            )
          : value;
    expect(parsePipeline(bare(json())).pipeline).toEqual(everything());
  });
});

describe("an invalid document", () => {
  type Change = (document: ReturnType<typeof json>) => unknown;
  const at = (document: ReturnType<typeof json>, path: string): [Record<string, unknown>, string] => {
    const keys = path.split(".");
    const last = keys.pop() as string;
    return [keys.reduce((part, key) => part[key] as typeof part, document as Record<string, unknown>), last];
  };
  const set =
    (path: string, value: unknown): Change =>
    (document) => {
      const [holder, key] = at(document, path);
      holder[key] = value;
    };
  const drop =
    (path: string): Change =>
    (document) => {
      const [holder, key] = at(document, path);
      delete holder[key];
    };
  const text =
    (from: string, to: string): Change =>
    (document) =>
      JSON.stringify(document).replace(from, to);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
  const getter: Change = ({ nodes }) => {
    Object.defineProperty(nodes[0], "at", { enumerable: true, get: () => "a" });
  };
  const throwing = { ownKeys: () => expect.unreachable() };

  it.each<[ErrorCode, string, string, Change]>([
    ["bad-json", "document", "no JSON", () => "{ nope"],
    ["bad-json", "document", "nothing", () => ""],
    ["bad-json", "document", "NaN where a size belongs", () => '{"workGroupSize":[NaN]}'],
    ["bad-json", "document", "a text cut short", (d) => JSON.stringify(d).slice(0, -1)],
    ["too-large", "document", "a text without end", () => " ".repeat(MAX_TEXT + 1)],
    ["bad-document", "document", "a number", () => 5],
    ["bad-document", "document", "null in JSON", () => "null"],
    ["bad-document", "document", "a list", () => "[]"],
    ["bad-document", "document", "a function", () => () => 1],
    ["bad-document", "document", "a Map", () => new Map()],
    ["bad-document", "document", "an instance of a class", () => new (class Pipeline {})()],
    ["bad-document", "format", "another format", set("format", "onnx")],
    ["bad-document", "document", "an unknown key", set("evil", 1)],
    ["bad-document", "document", "a key that is a prototype, in JSON", text("{", '{"__proto__":{},')],
    [
      ...(["bad-document", "nodes[0]", "a node's key that is a prototype"] as const),
      text('"kind":"input"', '"kind":"input","__proto__":{"x":1}'),
    ],
    ["bad-document", "nodes[0]", "an inherited key of its own", set("nodes.0.constructor", 1)],
    ["bad-document", "document", "a symbol for a key", (d) => Object.assign(d, { [Symbol("x")]: 1 })],
    ["bad-document", "document", "thousands of keys", (d) => Object.assign(d, many)],
    ["bad-document", "name", "a name that is a number", set("name", 5)],
    ["bad-document", "name", "a name of a megabyte", set("name", "x".repeat(1e6))],
    ["bad-name", "name", "an injected name", set("name", "x; } evil(")],
    ["bad-version", "version", "a later version", set("version", 2)],
    [
      "bad-version",
      "version",
      "later, of other nodes",
      (d) => ({ ...d, version: 2, nodes: [{ kind: "new" }] }),
    ],
    ["bad-version", "version", "a version that is a text", set("version", "1")],
    ["bad-document", "version", "no version", drop("version")],
    ["bad-work-group", "workGroupSize[0]", "NaN", set("workGroupSize", [Number.NaN])],
    ["bad-work-group", "workGroupSize[0]", "infinite", set("workGroupSize", [Number.POSITIVE_INFINITY])],
    ["bad-work-group", "workGroupSize[0]", "a text", set("workGroupSize", ["64"])],
    ["bad-work-group", "workGroupSize[0]", "null", set("workGroupSize", [null])],
    ["bad-work-group", "workGroupSize[0]", "negative", set("workGroupSize", [-1])],
    ["bad-work-group", "workGroupSize", "a number", set("workGroupSize", 64)],
    ["bad-work-group", "workGroupSize", "none", set("workGroupSize", [])],
    ["bad-work-group", "workGroupSize", "four", set("workGroupSize", [1, 1, 1, 1])],
    ["bad-work-group", "workGroupSize", "absent", drop("workGroupSize")],
    ["bad-document", "nodes", "no nodes", drop("nodes")],
    ["bad-document", "nodes", "nodes in an object", set("nodes", {})],
    ["too-large", "nodes", "10,000 nodes", (d) => set("nodes", Array(10_000).fill(d.nodes[0]))(d)],
    [
      "too-large",
      "nodes",
      "10,000 nodes in text",
      (d) => JSON.stringify({ ...d, nodes: Array(10_000).fill(d.nodes[0]) }),
    ],
    ["too-large", "nodes", "four billion holes", set("nodes", new Array(4_000_000_000))],
    ["bad-document", "nodes[2]", "a node that is null", set("nodes.2", null)],
    ["bad-document", "nodes[2]", "a node that is a list", set("nodes.2", [])],
    ["bad-document", "nodes[2].kind", "no kind", drop("nodes.2.kind")],
    ["bad-document", "nodes[2].kind", "an unknown kind", set("nodes.2.kind", "loop")],
    ["bad-document", "nodes[2].kind", "a kind of every object", set("nodes.2.kind", "__proto__")],
    ["bad-document", "nodes[2]", "an unknown key in a node", set("nodes.2.evil", 1)],
    ["bad-node-id", "nodes[2].id", "an id that is a text", set("nodes.2.id", "2")],
    ["bad-node-id", "nodes[2].id", "an id that is NaN", set("nodes.2.id", Number.NaN)],
    ["bad-node-id", "nodes[2].id", "no id", drop("nodes.2.id")],
    ["bad-node-id", "nodes[2]", "another's id", set("nodes.2.id", 3)],
    ["bad-document", "nodes[4].of", "a reference that is a text", set("nodes.4.of", "0")],
    ["bad-document", "nodes[4].of", "a reference before the first", set("nodes.4.of", -1)],
    ["bad-document", "nodes[4].of", "no reference", drop("nodes.4.of")],
    ["forward-reference", "node 4 (unary)", "a cycle", set("nodes.4.of", 5)],
    ["unknown-op", "nodes[4].op", "an unknown operator", set("nodes.4.op", "sin")],
    ["unknown-op", "nodes[9].op", "an operator of every object", set("nodes.9.op", "constructor")],
    ["unknown-op", "nodes[9].op", "an operator that is an object", set("nodes.9.op", {})],
    ["unknown-type", "nodes[1].type", "an unknown type", set("nodes.1.type", "f8")],
    ["unknown-type", "nodes[7].to", "an unknown type to cast to", set("nodes.7.to", "__proto__")],
    ["wrong-identity", "nodes[9].identity", "an identity that is an object", set("nodes.9.identity", {})],
    ["wrong-identity", "nodes[9].identity", "an identity that is NaN", set("nodes.9.identity", Number.NaN)],
    ["wrong-identity", "nodes[9].identity", "no identity", drop("nodes.9.identity")],
    ["wrong-identity", "node 9 (reduce)", "an identity of another type", set("nodes.9.identity", true)],
    ["bad-literal", "nodes[2].value", "a constant that is null", set("nodes.2.value", null)],
    ["bad-literal", "nodes[2].value", "a constant that overflows", text('"-inf"', "1e999")],
    ["bad-literal", "nodes[2].value", "a constant of a megabyte", set("nodes.2.value", "1".repeat(1e6))],
    ["bad-literal", "node 2 (const)", "a constant of another type", set("nodes.2.value", "5")],
    ["bad-document", "nodes[9].scope", "an unknown scope", set("nodes.9.scope", "warp")],
    ["bad-document", "nodes[9].order", "an unknown order", set("nodes.9.order", null)],
    ["bad-document", "nodes[3].dimension", "a dimension past all", set("nodes.3.dimension", 2 ** 32)],
    ["bad-document", "nodes[3].dimension", "a negative dimension", set("nodes.3.dimension", -1)],
    ["bad-document", "nodes[3].query", "an unknown query", set("nodes.3.query", "get_global_id")],
    ["bad-document", "nodes[15].index", "no coordinates", set("nodes.15.index", [])],
    ["bad-document", "nodes[15].index[0]", "a coordinate that is a list", set("nodes.15.index", [[9]])],
    ["bad-name", "nodes[0].name", "an input's name of a megabyte", set("nodes.0.name", "x".repeat(1e6))],
    ["bad-name", "a.ts:1:2", "an injected input", set("nodes.0.name", "x; } evil(")],
    ["bad-name", "a.ts:1:2", "a prototype for an input", set("nodes.0.name", "__proto__")],
    ["duplicate-name", 'node 1 (param "a")', "two names", set("nodes.1.name", "a")],
    ["bad-document", "nodes[0].at", "a place that clears the screen", set("nodes.0.at", "a.ts\u001b[2J")],
    ["bad-document", "nodes[0].at", "a place on two lines", set("nodes.0.at", "a.ts:1\n*/ evil()")],
    ["bad-document", "nodes[0].at", "a place that turns the text around", set("nodes.0.at", "a\u202e.ts")],
    ["bad-document", "nodes[0].at", "a place of a megabyte", set("nodes.0.at", "x".repeat(1e6))],
    ["bad-document", "nodes[0].self.nodes[0].self", "a cycle of objects", (d) => set("nodes.0.self", d)(d)],
    ["bad-document", "nodes[0].at", "a getter, where absence is allowed", getter],
    ["bad-document", "document", "a proxy that throws", () => new Proxy({}, throwing)],
  ])("%s at %s: %s", (code, where, _, change) => {
    const document = json();
    const changed = change(document) ?? document;
    const error = errorFrom(() => parsePipeline(changed));
    expect({ code: error.code, where: error.where }).toEqual({ code, where });
    expect(error.message.length).toBeLessThan(700);
    expect(error.message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("with 10,000 nodes is refused before any is checked", () => {
    const node = new Proxy({}, { ownKeys: () => expect.unreachable("a node was looked at") });
    expect(errorFrom(() => parsePipeline({ ...json(), nodes: Array(10_000).fill(node) })).code).toBe(
      "too-large",
    );
  });

  it("cannot change between check and use", () => {
    let looks = 0;
    const shifty = new Proxy(json(), {
      getOwnPropertyDescriptor: (target, key) => {
        const found = Object.getOwnPropertyDescriptor(target, key);
        return key === "name" && found ? { ...found, value: looks++ ? "x; } evil(" : "fine" } : found;
      },
    });
    expect(parsePipeline(shifty).pipeline.name).toBe("fine");
  });

  test("of any shape causes a typed error, and nothing else", () =>
    fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (anything) => {
      expect(errorFrom(() => parsePipeline(anything)).code).toMatch(
        /^bad-(json|document|version|work-group)$|^too-large$/,
      );
    }));

  const places = json().nodes.flatMap((node, id) => Object.keys(node).map((key) => [id, key] as const));
  test("with any value in any field causes a typed error, or is still valid", () =>
    fc.property(fc.constantFrom(...places), fc.anything(), ([id, key], value) => {
      const document = json();
      (document.nodes[id] as Record<string, unknown>)[key] = value;
      try {
        expect(parsePipeline(document).pipeline).toEqual(document);
      } catch (error) {
        expect((error as Error).name).toBe("GroupwiseError");
      }
    }));
});

describe("the written form", () => {
  it("is parsed, and printed the same again", () => {
    const text = stringifyPipeline(everything());
    expect(parsePipeline(text).pipeline).toEqual(everything());
    expect(stringifyPipeline(parsePipeline(text).pipeline)).toBe(text);
  });

  it("does not depend on the order of keys", () => {
    const turned = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
    const { nodes, ...head } = everything();
    const other = { ...turned(head), nodes: nodes.map(turned) } as unknown as Pipeline;
    expect(stringifyPipeline(other)).toBe(stringifyPipeline(everything()));
  });

  it("has one node per line", () => {
    const small = documentOf([
      input("u32", "a"),
      { kind: "output", name: "b", of: 0, at: "a: {b,c}.ts:1:2" },
    ]);
    expect(stringifyPipeline(small)).toBe(`{
  "format": "groupwise-pipeline",
  "version": 1,
  "name": "test",
  "workGroupSize": [4],
  "nodes": [
    { "id": 0, "kind": "input", "name": "a", "type": "u32" },
    { "id": 1, "kind": "output", "name": "b", "of": 0, "at": "a: {b,c}.ts:1:2" }
  ]
}
`);
  });
});

describe("the JSON Schema", () => {
  const schema = pipelineJsonSchema() as {
    $schema: string;
    $defs: Record<NodeKind, { description: string }>;
  };

  it("is of draft 2020-12, with every kind of node", () => {
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const kinds = new Set(everything().nodes.map(({ kind }) => kind));
    expect(Object.keys(schema.$defs).sort()).toEqual([...kinds, "left", "right", "operator"].sort());
    expect(Object.values(schema.$defs).every(({ description }) => description.length > 5)).toBe(true);
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(JSON.stringify(schema)).not.toContain("readOnly");
  });

  it("accepts what parsePipeline accepts, and refuses other shapes", () => {
    const validator = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    expect(validator.safeParse(json()).success).toBe(true);
    const spoilt: ((document: ReturnType<typeof json>) => unknown)[] = [
      (d) => Object.assign(d, { evil: 1 }),
      (d) => Object.assign(d, { version: 2 }),
      (d) => Object.assign(d.nodes[4] as object, { op: "sin" }),
      (d) => Object.assign(d.nodes[0] as object, { evil: 1 }),
      (d) => delete d.nodes[0]?.name,
      (d) => Object.assign(d, { workGroupSize: [] }),
    ];
    for (const spoil of spoilt) {
      const document = json();
      spoil(document);
      expect(validator.safeParse(document).success).toBe(false);
    }
  });
});
