import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../src/base/errors.ts";
import { check, problemsOf } from "../src/document/check.ts";
import { LIMITS } from "../src/document/limits.ts";
import type { CollectiveForm, Pipeline } from "../src/document/node.ts";
import { mapOperands, operandsOf } from "../src/document/operands.ts";
import { OPERATOR_LIMITS, type Operator, typesOfOperator } from "../src/document/operator.ts";
import { applyOperator, identityOf } from "../src/document/operator-apply.ts";
import { reference } from "../src/reference/reference.ts";
import { parsePipeline } from "../src/schema/parse.ts";
import { stringifyPipeline } from "../src/schema/stringify.ts";
import { fc, test } from "./fast-check.ts";
import { binary, type Draft, documentOf, input, output } from "./support.ts";

/** y = a x + b, the left map first: associative, and not commutative. */
const AFFINE: Operator = {
  name: "affine",
  fields: [
    { name: "a", type: "u32", identity: 1 },
    { name: "b", type: "u32", identity: 0 },
  ],
  commutative: false,
  nodes: [
    { id: 0, kind: "left", field: 0 },
    { id: 1, kind: "left", field: 1 },
    { id: 2, kind: "right", field: 0 },
    { id: 3, kind: "right", field: 1 },
    { id: 4, kind: "binary", op: "mul", left: 0, right: 2 },
    { id: 5, kind: "binary", op: "mul", left: 1, right: 2 },
    { id: 6, kind: "binary", op: "add", left: 5, right: 3 },
  ],
  results: [4, 6],
};

const FORMS: readonly CollectiveForm[] = ["reduce", "scan-inclusive", "scan-exclusive"];
const fold = (form: CollectiveForm, field: number, more: object = {}): Draft =>
  ({ kind: "user-collective", form, operator: 0, field, scope: "device", of: [0, 1], ...more }) as Draft;
const inputs: readonly Draft[] = [input("u32", "a"), input("u32", "b")];
const good = (more: object = {}, operator: object = {}): Pipeline => ({
  ...documentOf([...inputs, fold("reduce", 1, more), output(2, "out")]),
  operators: [{ ...AFFINE, ...operator }],
});
const node = (more: object): Partial<Operator> => ({
  nodes: AFFINE.nodes.map((one) => (one.id === 6 ? ({ ...one, ...more } as typeof one) : one)),
});
const field = (more: object): Partial<Operator> => ({
  fields: AFFINE.fields.map((one, i) => (i === 1 ? { ...one, ...more } : one)),
});

const { operators: _, ...unlisted } = good();
/** One operand is a float. */
const mixed = (more: object): Pipeline => {
  const { nodes, ...others } = good(more);
  return {
    ...others,
    nodes: nodes.map((one) => (one.id === 1 ? ({ ...one, type: "f32" } as typeof one) : one)),
  };
};

type Case = readonly [code: ErrorCode, what: string, where: string, document: Pipeline];
const here = "node 2 (user-collective)";
const inner = "operators[0], node 6";
const CASES: readonly Case[] = [
  ["unknown-operator", "an operator that is not listed", here, good({ operator: 1 })],
  ["unknown-operator", "an operator below 0", here, good({ operator: -1 })],
  ["unknown-operator", "no operator at all", here, unlisted],
  ["unknown-field", "a field that does not exist", here, good({ field: 2 })],
  ["type-mismatch", "an operand too few", here, good({ of: [0] })],
  ["forward-reference", "an operand that comes later", here, good({ of: [0, 3] })],
  ["bad-name", "an injected name", "operators[0]", good({}, { name: "x; } evil(" })],
  ["bad-operator", "no field", "operators[0]", good({}, { fields: [], results: [] })],
  ["bad-name", "an injected field", "operators[0].fields[1]", good({}, field({ name: "b.__proto__" }))],
  ["bad-name", "a dot at the end", "operators[0].fields[1]", good({}, field({ name: "b." }))],
  ["duplicate-name", "a field twice", "operators[0].fields[1]", good({}, field({ name: "a" }))],
  ["bad-literal", "an identity off its type", "operators[0].fields[1]", good({}, field({ identity: 0.5 }))],
  ["unknown-type", "an unknown type", "operators[0].fields[1]", good({}, field({ type: "u8" }))],
  ["bad-node-id", "a node that is elsewhere", "operators[0].nodes[6]", good({}, node({ id: 5 }))],
  ["bad-operator", "a node of a pipeline", "operators[0].nodes[6]", good({}, node({ kind: "reduce" }))],
  ["unknown-field", "a side's unknown field", `${inner} (left)`, good({}, node({ kind: "left", field: 2 }))],
  ["forward-reference", "itself", `${inner} (binary)`, good({}, node({ left: 6 }))],
  ["unknown-op", "an unknown operator", `${inner} (binary)`, good({}, node({ op: "pow" }))],
  ["type-mismatch", "a comparison as a sum", `${inner} (binary)`, good({}, node({ op: "lt" }))],
  ["type-mismatch", "a result too few", "operators[0]", good({}, { results: [4] })],
  ["type-mismatch", "a result too many", "operators[0]", good({}, { results: [4, 6, 6] })],
  ...[7, -1, 0.5].map((id): Case => {
    return ["forward-reference", `result ${id}`, "operators[0].results[1]", good({}, { results: [4, id] })];
  }),
  ...[-1, 0.5].map((left): Case => {
    return ["forward-reference", `operand ${left}`, `${inner} (binary)`, good({}, node({ left }))];
  }),
  ["type-mismatch", "an operand of another type", here, mixed({})],
  ...["a.1", "1.a", `${"a".repeat(32)}.${"b".repeat(32)}`].map((name): Case => {
    return ["bad-name", `a field ${name}`, "operators[0].fields[1]", good({}, field({ name }))];
  }),
];

describe("an operator", () => {
  it("that follows the rules is accepted, as JSON too", () => {
    expect(problemsOf(good())).toEqual([]);
    expect(parsePipeline(stringifyPipeline(good())).pipeline).toEqual(good());
  });

  it.each(CASES)("%s: %s, at %s", (code, _, where, document) => {
    const [first] = problemsOf(document);
    expect({ code: first?.code, where: first?.where }).toEqual({ code, where });
    expect(first?.message).not.toContain("undefined");
  });

  it("of too many fields, nodes or siblings is refused", () => {
    const many = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);
    const codes = [
      good({}, { fields: many(AFFINE.fields[0], 33) }),
      good({}, { nodes: many(AFFINE.nodes[0], 4097) }),
      { ...good(), operators: many(AFFINE, 65) },
    ].map((document) => problemsOf(document)[0]?.code);
    expect(codes).toEqual(["too-large", "too-large", "too-large"]);
    expect(problemsOf({ ...good(), operators: many(AFFINE, 64) })).toEqual([]);
  });

  it("of the most fields and nodes, of parts of names, or whose result is a side is accepted", () => {
    const { fields, nodes } = OPERATOR_LIMITS;
    const padded = Array.from({ length: nodes }, (_, id) => AFFINE.nodes[id] ?? { ...AFFINE.nodes[0], id });
    const names = Array.from({ length: fields }, (_, i) => `f${i}.${i % 2 ? "lo" : "hi2"}`);
    const whole = {
      fields: names.map((name) => ({ name, type: "u32", identity: 0 })),
      nodes: padded,
      results: names.map(() => 0),
    };
    const all = names.map((_, i) => i % 2);
    expect(problemsOf(good({ of: all }, whole))).toEqual([]);
  });

  it("folded too often is refused once, and the fields of one fold count once", () => {
    // With its two fields it counts as half of the limit.
    const half = LIMITS.userCollectiveNodes / 2 - 2;
    const padded = AFFINE.nodes.concat(
      Array.from(
        { length: half - AFFINE.nodes.length },
        (_, i) => ({ ...AFFINE.nodes[0], id: i + 7 }) as never,
      ),
    );
    const problems = (...folds: Draft[]): string[] =>
      problemsOf({
        ...documentOf([...inputs, ...folds, output(2, "out")]),
        operators: [{ ...AFFINE, nodes: padded }],
      }).map(({ code, where }) => `${code} at ${where}`);
    const [twice, other] = [fold("reduce", 1), fold("reduce", 0, { scope: "work-group" })];
    const more = [fold("reduce", 0, { of: [1, 0] }), fold("reduce", 0, { of: [1, 1] })];
    expect(problems(twice, fold("scan-inclusive", 0), other)).toEqual([]);
    expect(problems(twice, other, ...more)).toEqual(["too-large at node 4 (user-collective)"]);
    padded.push({ ...AFFINE.nodes[0], id: padded.length } as never);
    expect(problems(twice, other)).toEqual(["too-large at node 3 (user-collective)"]);
  });

  it("has no more problems than the limit, with those of others", () => {
    const wrong = {
      ...AFFINE,
      nodes: Array.from({ length: 60 }, (_, id) => ({ id, kind: "reduce" })) as never,
    };
    expect(problemsOf({ ...good(), operators: [wrong, wrong] })).toHaveLength(LIMITS.problems);
  });
});

describe("the meaning of a user-defined collective", () => {
  const all = [inputs, FORMS.flatMap((form) => [fold(form, 0), fold(form, 1)])].flat();
  const checked = (scope: string) =>
    check({
      ...documentOf([
        ...all.map((one) => (one.kind === "user-collective" ? ({ ...one, scope } as Draft) : one)),
        ...FORMS.flatMap((_, i): Draft[] => [output(2 + 2 * i, `a${i}`), output(3 + 2 * i, `b${i}`)]),
      ]),
      operators: [AFFINE],
    });
  const words = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.nat()), { maxLength: 21 });

  const scopes = fc.constantFrom("device", "work-group");
  test("is that of a plain loop", () =>
    fc.property(words, scopes, (items, scope) => {
      const values = { a: items.map(([a]) => a), b: items.map(([, b]) => b) };
      const got = reference(checked(scope), { n: items.length, inputs: values });
      let sofar: number[] = [];
      const want: Record<string, number[]> = { a1: [], b1: [], a2: [], b2: [] };
      items.forEach(([a, b], i) => {
        if (i % (scope === "device" ? items.length : 4) === 0) sofar = [1, 0];
        const [p, q] = sofar as [number, number];
        want.a2?.push(p);
        want.b2?.push(q);
        sofar = [Math.imul(p, a) >>> 0, (Math.imul(q, a) + b) >>> 0];
        want.a1?.push(sofar[0] as number);
        want.b1?.push(sofar[1] as number);
      });
      for (const name of ["a1", "b1", "a2", "b2"]) expect(got[name]).toEqual(want[name]);
      if (scope === "device") {
        expect([got.a0, got.b0]).toEqual(items.length ? sofar.map((x) => [x]) : [[1], [0]]);
      }
    }));

  it("uses the operator's function and identity", () => {
    expect(identityOf(AFFINE)).toEqual([1, 0]);
    expect(applyOperator(AFFINE, [2, 3], [5, 7])).toEqual([10, 22]);
  });
});

it("an operator has the values of each kind of node", () => {
  const every: Operator = {
    name: "every",
    fields: [
      { name: "x", type: "f32", identity: 0 },
      { name: "bits", type: "u32", identity: 0 },
    ],
    commutative: false,
    nodes: [
      { id: 0, kind: "left", field: 0 },
      { id: 1, kind: "right", field: 0 },
      { id: 2, kind: "right", field: 1 },
      { id: 3, kind: "const", type: "f32", value: 0.5 },
      { id: 4, kind: "unary", op: "neg", of: 1 },
      { id: 5, kind: "function", op: "fma", of: [0, 3, 4] },
      { id: 6, kind: "bitcast", to: "u32", of: 0 },
      { id: 7, kind: "cast", to: "f32", of: 2 },
      { id: 8, kind: "binary", op: "gt", left: 0, right: 7 },
      { id: 9, kind: "select", condition: 8, then: 6, otherwise: 2 },
    ],
    results: [5, 9],
  };
  // 6 · 0.5 - 2; the bits of 6 where it is above the integer.
  expect(applyOperator(every, [6, 0], [2, 5])).toEqual([1, 0x40c00000]);
  expect(applyOperator(every, [6, 0], [2, 7])).toEqual([1, 7]);
});

it("each node of an operator has a type", () => {
  const fields = [{ name: "x", type: "f32", identity: 0 }] as const;
  const nodes: Operator["nodes"] = [
    { id: 0, kind: "left", field: 0 },
    { id: 1, kind: "right", field: 0 },
    { id: 2, kind: "const", type: "u64", value: "1" },
    { id: 3, kind: "cast", to: "i32", of: 0 },
    { id: 4, kind: "bitcast", to: "u32", of: 0 },
    { id: 5, kind: "unary", op: "neg", of: 0 },
    { id: 6, kind: "binary", op: "add", left: 0, right: 1 },
    { id: 7, kind: "binary", op: "lt", left: 0, right: 1 },
    { id: 8, kind: "function", op: "copysign", of: [0, 1] },
    { id: 9, kind: "function", op: "isNaN", of: [0] },
    { id: 10, kind: "select", condition: 7, then: 3, otherwise: 3 },
  ];
  const types = ["f32", "f32", "u64", "i32", "u32", "f32", "f32", "bool", "f32", "bool", "i32"];
  expect(typesOfOperator({ fields, nodes })).toEqual(types);
});

it("other operands are in the places of those of a node", () => {
  const nodes: Draft[] = [
    binary("add", 3, 4),
    { kind: "broadcast", scope: "device", of: 1, index: [2, 5] },
    { kind: "scatter", name: "s", value: 1, slot: 2, where: 3, capacity: 4 },
    { kind: "param", name: "k", type: "u32" },
  ];
  for (const node of nodes) {
    const moved = mapOperands(node, (id) => id + 10);
    expect(operandsOf(moved as never)).toEqual(operandsOf(node as never).map((id) => id + 10));
    expect(mapOperands(moved, (id) => id - 10)).toEqual(node);
  }
});
