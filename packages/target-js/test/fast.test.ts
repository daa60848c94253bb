/** JavaScript states no bound for its own functions: fast ones are the exact ones. */
import { beyond, exactly, fastFunctions, ulp } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

fastFunctions("JavaScript", () => ({ found: true, value: jsRuntime() }), exactly);

test("results beyond a bound are found, each with its operands", async () => {
  const found = await beyond(jsRuntime(), "exp", (_op, _x, _y, want) => 0.25 * ulp(want));
  // Rounding to nearest is off by more than a quarter of the last place for half of the results.
  expect(found.length).toBeGreaterThan(300);
  expect(found.length).toBeLessThan(700);
  expect(found[0]).toMatch(/^exp\(-?[\d.]+, .*\): [\d.e+-]+, not [\d.e+-]+$/);
});
