import { describe, expect, test } from "vitest";
import { check, problemsOf } from "../src/document/check.ts";
import { fastUseOf } from "../src/document/fast.ts";
import type { Pipeline } from "../src/document/node.ts";
import { reference } from "../src/reference/reference.ts";
import { parsePipeline } from "../src/schema/parse.ts";
import { type Draft, documentOf, input } from "./support.ts";

const document = (type: string, ...nodes: object[]): Pipeline =>
  documentOf([input(type as "f32"), ...nodes] as Draft[]);

const both = document(
  "f32",
  { kind: "function", op: "exp", of: [0], fast: true },
  { kind: "function", op: "exp", of: [0] },
  { kind: "binary", op: "add", left: 1, right: 0 },
  { kind: "reduce", op: "add", type: "f32", identity: 0, scope: "device", order: "fixed", of: 3 },
  { kind: "output", name: "exact", of: 2 },
  { kind: "output", name: "loose", of: 3 },
  { kind: "output", name: "total", of: 4 },
);

describe("a fast function", () => {
  test("has the meaning of the exact one", () => {
    const nodes = both.nodes.map(({ ...node }) => ("fast" in node ? { ...node, fast: undefined } : node));
    const exact = JSON.parse(JSON.stringify({ ...both, nodes })) as Pipeline;
    const run = { n: 3, inputs: { x: [0.1, -2, 30] } };
    expect(reference(check(both), run)).toEqual(reference(check(exact), run));
  });

  test("is reported for the outputs that depend on it, and for no others", () => {
    expect(fastUseOf(check(both).pipeline)).toEqual({ functions: ["exp"], outputs: ["loose", "total"] });
    expect(fastUseOf({ nodes: both.nodes.filter(({ id }) => id === 0) })).toEqual({
      functions: [],
      outputs: [],
    });
  });

  test("within an operator is reported for the outputs of its collectives", () => {
    const operator = {
      name: "log_sum",
      commutative: false,
      fields: [{ name: "a", type: "f32", identity: 0 }],
      nodes: [
        { id: 0, kind: "left", field: 0 },
        { id: 1, kind: "right", field: 0 },
        { id: 2, kind: "function", op: "pow", of: [0, 1], fast: true },
      ],
      results: [2],
    };
    const { nodes } = document(
      "f32",
      { kind: "user-collective", form: "reduce", operator: 0, field: 0, scope: "device", of: [0] },
      { kind: "output", name: "far", of: 1 },
      { kind: "output", name: "near", of: 0 },
      { kind: "user-collective", form: "reduce", operator: 1, field: 0, scope: "device", of: [0] },
      { kind: "output", name: "exact", of: 4 },
    );
    const exact = { ...operator, nodes: operator.nodes.map(({ fast: _, ...node }) => node) };
    const found = fastUseOf({ nodes, operators: [operator, exact] } as unknown as Pipeline);
    expect(found).toEqual({ functions: ["pow"], outputs: ["far"] });
  });

  test("is kept in a parsed document", () => {
    expect(parsePipeline(JSON.stringify(both)).pipeline.nodes[1]).toMatchObject({ fast: true });
  });

  test.each([
    ["what is exact has no fast form", "f32", { op: "floor", of: [0], fast: true }],
    ["nor has what the type lacks", "f64", { op: "exp", of: [0], fast: true }],
    ["and it is true or absent", "f32", { op: "exp", of: [0], fast: false }],
  ])("is refused: %s", (_, type, node) => {
    const codes = problemsOf(document(type, { kind: "function", ...node })).map(({ code }) => code);
    expect(codes).toContain("op-type");
    expect(() => parsePipeline(JSON.stringify(document(type, { kind: "function", ...node })))).toThrow();
  });
});
