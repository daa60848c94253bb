import { expect, test } from "vitest";
import { check } from "../src/document/check.ts";
import { NodeList, PipelineNodes } from "../src/document/nodes.ts";
import type { Operator } from "../src/document/operator.ts";
import { RebuiltPipeline } from "../src/document/rebuilt.ts";
import { typeOfSink } from "../src/document/sink-type.ts";
import { binary, cast, collective, documentOf, input, output } from "./support.ts";

test("a node's id is its position, and nodes that are added once are one node, with the first place", () => {
  const list = new NodeList();
  expect(list.add({ kind: "const", type: "u32", value: 1, id: 7 } as never)).toBe(0);
  const makers = [
    () => list.once({ kind: "const", type: "u32", value: 1 }, "a:1:1"),
    () => list.constant("u32", 2),
    () => list.constant("f32", 2),
    () => list.binary("add", 1, 2),
    () => list.binary("sub", 1, 2),
    () => list.select(1, 2, 3),
    () => list.select(1, 3, 2),
  ];
  const ids = makers.map((make) => make());
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(makers.map((make) => make())).toEqual(ids);
  expect(list.once({ kind: "const", type: "u32", value: 1 }, "b:1:1")).toBe(1);
  expect(list.nodes).toEqual([
    { id: 0, kind: "const", type: "u32", value: 1 },
    { id: 1, kind: "const", type: "u32", value: 1, at: "a:1:1" },
    { id: 2, kind: "const", type: "u32", value: 2 },
    { id: 3, kind: "const", type: "f32", value: 2 },
    { id: 4, kind: "binary", op: "add", left: 1, right: 2 },
    { id: 5, kind: "binary", op: "sub", left: 1, right: 2 },
    { id: 6, kind: "select", condition: 1, then: 2, otherwise: 3 },
    { id: 7, kind: "select", condition: 1, then: 3, otherwise: 2 },
  ]);
  expect(Object.keys(list.nodes[2] as object)).not.toContain("at");
  expect(list.nodes.every((node) => Object.isFrozen(node))).toBe(true);
});

test("a list is a document that nobody can change, with operators if there are any", () => {
  const list = new PipelineNodes();
  const size = list.query("global-size");
  expect(list.query("global-size")).toBe(size);
  const x = list.input("x", "u32");
  const y = list.move({ id: 2, kind: "binary", op: "add", left: 0, right: 1 }, [x, size]);
  expect(list.output("y", y)).toBe(3);
  const document = list.pipeline("sums", [2, 3]);
  expect(document).toStrictEqual({
    format: "groupwise-pipeline",
    version: 1,
    name: "sums",
    workGroupSize: [2, 3],
    nodes: [
      { id: 0, kind: "query", query: "global-size", dimension: 0 },
      { id: 1, kind: "input", name: "x", type: "u32" },
      { id: 2, kind: "binary", op: "add", left: 1, right: 0 },
      { id: 3, kind: "output", name: "y", of: 2 },
    ],
  });
  const operators = [{ name: "first" }] as Operator[];
  const other = list.pipeline("sums", [2, 3], operators);
  expect(other).toStrictEqual({ ...document, operators });
  for (const part of [document, other, ...Object.values(other)]) expect(part).toSatisfy(Object.isFrozen);
});

test("the elements of an output have its own type, or that of its value", () => {
  expect(typeOfSink({ types: ["u32"] }, { id: 0 })).toBe("u32");
  expect(typeOfSink({ types: ["u32"] }, { id: 0, as: "u8" })).toBe("u8");
});

test("a rebuilt pipeline has the properties that a check would give it", () => {
  const given = check(
    documentOf([
      input("u32"),
      { kind: "param", name: "by", type: "u32" },
      { kind: "table", name: "t", type: "f32" },
      { kind: "table-length", of: 2 },
      ...[binary("mul", 0, 1), collective("reduce", "add", "u32", 4, "work-group")],
      ...[cast("f32", 5), output(6)],
      { kind: "scatter", name: "z", value: 0, slot: 3, combine: "add" },
    ]),
  );
  const made = new RebuiltPipeline(given);
  const two = made.constant("u32", 2);
  for (const node of given.pipeline.nodes)
    if (node.kind === "cast") {
      const doubled = made.binary("mul", two, made.idOf(node.of));
      made.keep(node.id, made.append({ kind: "cast", to: "f32", of: doubled }, "f32"));
      expect([doubled, made.idOf(node.id)].map((id) => made.typeOf(id))).toEqual(["u32", "f32"]);
    } else made.add(node);
  made.append({ kind: "output", name: "flag", of: made.binary("lt", two, two, "bool") }, "bool");
  const checked = made.checked();
  expect(checked).toEqual(check(checked.pipeline));
  expect(checked.pipeline.nodes.find(({ kind }) => kind === "output")).toMatchObject({ name: "y", of: 8 });
});
