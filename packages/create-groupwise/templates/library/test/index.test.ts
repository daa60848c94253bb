import { cpuRuntime } from "@groupwise/cpu";
import { expect, test } from "vitest";
import { longestRun } from "../src/index.ts";

function byLoop(x: Float32Array, limit: number): number {
  let [best, current] = [0, 0];
  for (const value of x) {
    current = value > limit ? current + 1 : 0;
    best = Math.max(best, current);
  }
  return best;
}

test.each([0, 1, 2, 257, 10_000])("the longest run of %s values is that of a plain loop", async (n) => {
  const x = Float32Array.from({ length: n }, () => Math.random());
  for (const limit of [-1, 0.2, 0.5, 2])
    expect(await longestRun(cpuRuntime(), x, limit)).toBe(byLoop(x, limit));
});
