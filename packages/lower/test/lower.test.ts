/** The choice of a strategy where the first one needs too much work-group memory. */

import { check } from "@groupwise/ir/document/check.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Kernel } from "@groupwise/kernel/language/module.js";
import { expect, test } from "vitest";
import { collective, documentOf, input, output } from "../../ir/test/support.ts";
import { SIMT } from "../../kernel/test/simt.ts";
import { lower, lowerWith } from "../src/lower.ts";
import type { Strategy } from "../src/parts/strategy.ts";
import { STRATEGIES } from "../src/strategies.ts";

const SUMS = check(documentOf([input("u32"), collective("scan-inclusive", "add", "u32"), output(1)]));
const LARGE: Capabilities = {
  ...SIMT,
  surplusGroups: false,
  lookBack: { workGroupSize: 128, rows: 8, groups: 1, polls: 2 },
};
/** 4-byte elements of work-group memory, of the kernel that needs most. */
const bytesOf = (kernels: readonly Kernel[]): number =>
  Math.max(...kernels.map(({ shared }) => shared.reduce((bytes, { length }) => bytes + 4 * length, 0)));
const byScans = lower(SUMS, { ...LARGE, lookBack: SIMT.lookBack });
const byLookBack = lower(SUMS, LARGE);
const small: Capabilities = { ...LARGE, workGroupMemory: bytesOf(byScans.module.kernels) };

test("a strategy whose kernels need too much work-group memory is passed over", () => {
  expect(byLookBack.strategy).toBe("look-back");
  const plan = lower(SUMS, small);
  expect(plan.strategy).toBe("reduce-then-scan");
  const { reason } = plan.passedOver.find(({ strategy }) => strategy === "look-back") ?? {};
  expect(reason).toContain(`${small.workGroupMemory} bytes of work-group memory`);
});

test("a strategy refuses at the first kernel that does not fit, before it makes the others", () => {
  const lookBack = STRATEGIES.find(({ name }) => name === "look-back") as Strategy;
  let made = 0;
  function* counted(kernels: Iterable<Kernel>): Generator<Kernel> {
    for (const kernel of kernels) {
      made++;
      yield kernel;
    }
  }
  const counting: Strategy = {
    ...lookBack,
    lower: (lowering) => {
      const lowered = lookBack.lower(lowering);
      return { ...lowered, kernels: counted(lowered.kernels) };
    },
  };
  expect(lowerWith(counting, SUMS, small)).toHaveProperty("refused");
  const { kernels } = byLookBack.module;
  const fitting = kernels.findIndex((kernel) => bytesOf([kernel]) > small.workGroupMemory);
  expect(made).toBe(fitting + 1);
  expect(made).toBeLessThan(kernels.length);
});
