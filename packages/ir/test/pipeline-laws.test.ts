import { describe, expect, it } from "vitest";
import { check } from "../src/document/check.ts";
import type { Operator } from "../src/document/operator.ts";
import { pipelineLaws } from "../src/laws/check-laws.ts";
import type { OperatorLaws } from "../src/laws/law.ts";
import type { Scalar } from "../src/tables/scalar.ts";
import { operatorOf, scalarOperator } from "./operator-builder.ts";
import { binary, cast, collective, type Draft, documentOf, gather, input } from "./support.ts";

/** The laws of one operator, fed by the last of the nodes. */
function lawsOf(
  operator: Operator,
  nodes: readonly Draft[],
  of: readonly number[],
  options: Parameters<typeof pipelineLaws>[1] = {},
  workGroupSize: readonly number[] = [4],
): OperatorLaws {
  const fold: Draft = { kind: "user-collective", form: "reduce", operator: 0, field: 0, scope: "device", of };
  const output: Draft = { kind: "output", name: "y", of: nodes.length };
  const ir = { ...documentOf([...nodes, fold, output], workGroupSize), operators: [operator] };
  return pipelineLaws(check(ir), options)[0]!;
}
const brokenIn = ({ laws }: OperatorLaws): string[] => laws.filter(({ ok }) => !ok).map(({ law }) => law);
const constant = (type: Scalar, value: number): Draft => ({ kind: "const", type, value });

describe("the operands that a pipeline passes to its operator determine the result", () => {
  // Right for numbers from 0, where 0 is the least.
  const greatest = scalarOperator("greatest", "i32", 0, (a, b) => a.op("max", b), true);

  it("operands that an expression makes non-negative", () => {
    const square: Draft[] = [input("i32"), constant("i32", 100), binary("rem", 0, 1), binary("mul", 2, 2)];
    expect(brokenIn(lawsOf(greatest, square, [3]))).toEqual([]);
    expect(brokenIn(lawsOf(greatest, square, [2]))).toEqual(["identity-left", "identity-right"]);
    const all = lawsOf(greatest, square, [3], { domain: "all" });
    expect([all.domain, ...brokenIn(all)]).toEqual(["all", "identity-left", "identity-right"]);
  });

  it("in two and three dimensions, from queries, parameters and other collectives", () => {
    const counted: Draft[] = [
      { kind: "query", query: "global-linear-id", dimension: 0 },
      ...[cast("i32", 0), collective("scan-inclusive", "add", "i32", 1)],
      { kind: "output", name: "scan", of: 2 },
      { kind: "param", name: "least", type: "i32" },
      binary("max", 2, 4),
    ];
    for (const workGroupSize of [[4], [2, 2], [2, 2, 2]]) {
      expect(brokenIn(lawsOf(greatest, counted, [5], {}, workGroupSize))).toEqual([]);
    }
  });

  it("tables have elements of all kinds", () => {
    const gathered: Draft[] = [
      { kind: "table", name: "t", type: "i32" },
      { kind: "query", query: "global-linear-id", dimension: 0 },
      gather(0, 1),
    ];
    expect(brokenIn(lawsOf(greatest, gathered, [2]))).toEqual(["identity-left", "identity-right"]);
  });

  it("inputs have the values that the pipeline distinguishes", () => {
    const told: Draft[] = [
      ...[input("i32"), constant("i32", 8_675_309), binary("eq", 0, 1), constant("i32", -1)],
      constant("i32", 1),
      { kind: "select", condition: 2, then: 3, otherwise: 4 },
    ];
    expect(brokenIn(lawsOf(greatest, told, [5]))).toEqual(["identity-left", "identity-right"]);
  });

  it("infinities and NaN reach the operator", () => {
    const finite = scalarOperator("max", "f32", -3.4028234663852886e38, (a, b) => a.op("max", b), true);
    expect(brokenIn(lawsOf(finite, [input("f32")], [0]))).toEqual(["identity-left", "identity-right"]);
    // The author keeps both away.
    const tame: Draft[] = [
      ...[input("f32"), constant("f32", 1), binary("sub", 0, 0)],
      { kind: "const", type: "f32", value: 0 },
      binary("eq", 2, 3),
      { kind: "select", condition: 4, then: 0, otherwise: 1 },
    ];
    expect(brokenIn(lawsOf(finite, tame, [5]))).toEqual([]);
  });

  it("results of combining are operands too", () => {
    // Differences stay apart from sums only as long as nothing was combined.
    const first = operatorOf("first", { x: "u32", n: "u32" }, { x: 0, n: 0 }, (a, b) => {
      const n = a.n.op("add", b.n);
      return { x: n.op("gt", 2).select(b.x, a.x.op("add", b.x)), n };
    });
    expect(
      brokenIn(lawsOf(first, [input("u32"), constant("u32", 1), { kind: "spread", of: 1 }], [0, 2])),
    ).toContain("associative");
  });
});

it("an unused operator is tested on any values, and the same seed finds the same", () => {
  const average = scalarOperator("average", "f64", 0, (a, b) => a.op("add", b).op("div", 2), true);
  const nodes: Draft[] = [input("f64"), { kind: "output", name: "y", of: 0 }];
  const run = (): OperatorLaws[] =>
    pipelineLaws(check({ ...documentOf(nodes), operators: [average] }), { seed: 5 });
  expect(run()[0]?.domain).toBe("all");
  expect(run()).toEqual(run());
  expect(pipelineLaws(check(documentOf(nodes)))).toEqual([]);
});
