/** Values that the items of a block share: what the kernels give, by an interpreter of kernels, and what is computed once. */

import { check } from "@groupwise/ir/document/check.js";
import { reference } from "@groupwise/ir/reference/reference.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { describe, expect, it } from "vitest";
import { fc, test } from "../../ir/test/fast-check.ts";
import { binary, constant, type Draft, documentOf, input } from "../../ir/test/support.ts";
import { runKernels, storageOf } from "../../kernel/test/kernel-interpreter.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, type Plan } from "../src/lower.ts";

const STRATEGIES: Readonly<Record<string, Capabilities>> = {
  "reduce-then-scan": SIMT,
  "one-thread": { ...SIMT, execution: "sequential" },
  chunks: { ...SIMT, chunks: { most: 4, least: 8 } },
};
const GATHERS = 6;

/** Elements of a table in a chain that begins with the number of a block, and from items of their own. */
function nodesOf(shift: number, place: number, more: readonly Draft[] = []): Draft[] {
  const nodes: Draft[] = [
    input("u32"),
    { kind: "table", name: "t", type: "u32" },
    { kind: "query", query: "global-linear-id", dimension: 0 },
    ...[constant(shift), binary("shr", 2, 3)],
  ];
  for (let i = 0; i < GATHERS; i++) nodes.push({ kind: "gather", of: 1, index: nodes.length - 1 });
  const last = nodes.length - 1;
  nodes.push(
    { kind: "const", type: "u32", value: 7 },
    { kind: "binary", op: "and", left: 2, right: last + 1 },
    { kind: "const", type: "u32", value: place },
    { kind: "binary", op: "eq", left: last + 2, right: last + 3 },
    { kind: "select", condition: last + 4, then: 5, otherwise: 0 },
    { kind: "binary", op: "xor", left: last + 5, right: last },
    { kind: "output", name: "y", of: last + 6 },
    { kind: "binary", op: "lt", left: 0, right: last + 1 },
    { kind: "scatter", name: "z", value: last + 5, slot: 2, where: last + 8 },
    ...more,
  );
  return nodes;
}
const plans = new Map<string, Plan>();
function planOf(strategy: string, nodes: readonly Draft[]): Plan {
  const key = JSON.stringify([strategy, nodes]);
  const plan = plans.get(key) ?? lower(check(documentOf(nodes, [4])), STRATEGIES[strategy] as Capabilities);
  plans.set(key, plan);
  expect(plan.strategy).toBe(strategy);
  return plan;
}
/** By kernel: the number of reads of the table in its text. */
const readsOf = ({ module }: Plan): number[] =>
  module.kernels.map(
    ({ body }) => allExprs(body).filter((expr) => expr.kind === "load" && expr.array === "t").length,
  );

function ran({ module, checked }: Plan, x: readonly number[], t: readonly number[]): unknown {
  const n = x.length;
  const lengthIn = module.params.find(({ role }) => role === "table-length")?.name as string;
  const storage = storageOf(module, n, { x, t }, 77);
  runKernels(module, n, { storage, params: { [lengthIn]: t.length } });
  return Object.fromEntries(checked.sinks.map(({ name }) => [name, storage[name]?.slice(0, n)]));
}

describe.each(Object.keys(STRATEGIES))("%s", (strategy) => {
  test("the results are those of the reference", () =>
    fc.property(
      fc.constantFrom(2, 3, 5, 32, 35),
      fc.constantFrom(0, 5, 7, 9),
      fc.array(fc.nat(20), { maxLength: 70 }),
      fc.array(fc.nat(9), { minLength: 1, maxLength: 9 }),
      (shift, place, x, t) => {
        const plan = planOf(strategy, nodesOf(shift, place));
        const want = reference(plan.checked, { n: x.length, inputs: { x }, tables: { t } });
        expect(ran(plan, x, t)).toEqual({ y: [...(want.y as number[])], z: [...(want.z as number[])] });
      },
    ));

  it("a block of eight items computes once what it shares, the items after it each for itself", () => {
    const reads = readsOf(planOf(strategy, nodesOf(3, 5)));
    expect(reads).toEqual(strategy === "reduce-then-scan" ? [GATHERS, GATHERS] : [2 * GATHERS]);
  });

  it("four items share too little", () => {
    expect(readsOf(planOf(strategy, nodesOf(2, 5)))).toEqual([GATHERS]);
  });
});
