import { evaluate } from "@groupwise/ir/base/formula.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { lower } from "@groupwise/lower/lower.js";
import { expect, test } from "vitest";
import { collective, documentOf, input, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { explain } from "../src/plan/explain.ts";
import { printExplanation } from "../src/plan/print-explanation.ts";

const sums = (scope: "device" | "work-group") =>
  check(
    documentOf([input("u32"), collective("scan-inclusive", "add", "u32", 0, scope), output(1, "sums")], [64]),
  );
const capabilities = (execution: Capabilities["execution"]): Capabilities => ({
  ...SIMT,
  execution,
  tile: { workGroupSize: 64, itemsPerWorkItem: 4 },
  surplusGroups: false,
});
const planFor = (execution: Capabilities["execution"], more: Partial<Capabilities> = {}) =>
  lower(sums("device"), { ...capabilities(execution), ...more });
const EXECUTIONS = ["sequential", "per-output", "simt"] as const;

test.each(EXECUTIONS)("%s: values are those of the formulas, and the sums match", (execution) => {
  const plan = planFor(execution);
  for (const n of [0, 1, 255, 256, 257, 100_000]) {
    const e = explain(plan, { n });
    expect(e.passes.map(({ entryPoint }) => entryPoint)).toEqual(plan.module.kernels.map(({ name }) => name));
    for (const { elements, bytes } of e.arrays) {
      expect(elements.value).toBe(evaluate(elements.formula, n));
      expect(bytes.value).toBe((elements.value as number) * 4);
    }
    for (const { groups, bytesMoved } of e.passes) {
      const left = evaluate(groups.formula, n) === 0;
      expect(groups.value).toBe(evaluate(groups.formula, n));
      expect(bytesMoved.value).toBe(left ? 0 : evaluate(bytesMoved.formula, n));
    }
    const parts = e.passes.map(({ bytesMoved }) => bytesMoved.value as number);
    expect(e.bytesMoved.value).toBe(parts.reduce((a, b) => a + b, 0));
    const { inputs, outputs, scratch, total } = e.memory;
    expect([inputs.value, outputs.value]).toEqual([4 * Math.max(n, 1), 4 * Math.max(n, 1)]);
    expect((scratch.value as number) % 256).toBe(0);
    expect(total.value).toBe((scratch.value as number) + 8 * Math.max(n, 1));
  }
});

test("as many items are refused as by runs", () => {
  const plan = planFor("sequential");
  expect(explain(plan, { n: plan.maxItems }).items).toBe(plan.maxItems);
  for (const sides of [{ n: plan.maxItems + 1 }, { globalSize: [5, plan.maxItems] }])
    expect(() => explain(plan, sides)).toThrowError(expect.objectContaining({ code: "too-many-items" }));
});

test("one thread reads and writes every element once, without barriers or work-group memory", () => {
  const e = explain(planFor("sequential"), { n: 1000 });
  expect(e.strategy).toBe("one-thread");
  expect(e.passes).toHaveLength(1);
  expect(e.passes[0]).toMatchObject({ barriers: 0, barriersInLoops: 0, workGroupBytes: 0, workGroupSize: 1 });
  expect(e.passes[0]?.arrays).toEqual([
    { name: "x", access: "read" },
    { name: "sums", access: "write" },
  ]);
  expect(e.bytesMoved.value).toBe(8000);
  expect(e.memory.scratch.value).toBe(0);
});

test("work-groups have barriers, and each strategy that was not used has a reason", () => {
  const e = explain(planFor("simt"));
  expect(e.strategy).toBe("reduce-then-scan");
  expect(e.passedOver.map(({ strategy }) => strategy)).toEqual([
    "one-thread",
    "per-output",
    "chunks",
    "look-back",
  ]);
  for (const { reason } of e.passedOver) expect(reason).not.toBe("");
  expect(e.passes.at(-1)?.barriers).toBeGreaterThan(0);
  expect(e.passes.at(-1)?.workGroupBytes).toBeGreaterThan(0);
  expect(e.items).toBeUndefined();
  expect(e.bytesMoved.value).toBeUndefined();
});

test("subgroups are used if they are available; otherwise a reason is given", () => {
  const { unsupported: reason } = SIMT.subgroups as { unsupported: string };
  const without = explain(planFor("simt"));
  expect(without.subgroups).toEqual({ used: false, reason });
  expect(printExplanation(without)).toContain(`subgroups: not used: ${reason}\n`);
  const withThem = explain(planFor("simt", { subgroups: { minSize: 32, maxSize: 32 } }));
  expect(withThem.subgroups).toEqual({ used: true });
  expect(withThem.passes.at(-1)?.shuffles).toBeGreaterThan(0);
  expect(printExplanation(withThem)).toMatch(/shuffles within subgroups \d/);
});

test("functions of the language are reported, with the required features of the compiler", () => {
  const e = explain(
    lower(sums("work-group"), { ...capabilities("simt"), groupFunctions: ["common-operators"] }),
  );
  const natives = e.passes.flatMap((pass) => pass.natives);
  expect(natives).toEqual([{ feature: "common-operators", functions: ["scan-inclusive add u32"] }]);
  expect(printExplanation(e)).toContain(
    "where the compiler has work-group functions for common-operators, its own scan-inclusive add u32\n",
  );
  expect(explain(planFor("simt")).passes.flatMap((pass) => pass.natives)).toEqual([]);
});

test.each(EXECUTIONS)("%s: the text names every pass and every array", (execution) => {
  const e = explain(planFor(execution), { n: 10 });
  const text = printExplanation(e);
  for (const { entryPoint } of e.passes) expect(text).toContain(`: ${entryPoint}`);
  for (const { name, role } of e.arrays) expect(text).toContain(`  ${name}: ${role}`);
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});
