import { cpuRuntime } from "@groupwise/cpu";
import { expect, test } from "vitest";
import walk from "../src/walk.ts";

// The CPU gives the bits of every GPU, so the pipeline is tested without one.
test.each([1, 2, 1000])("the random walk of %s steps is that of a plain loop", async (steps) => {
  const step = Float32Array.from({ length: steps }, (_, i) => ((i * 37) % 101) - 50);
  const program = await cpuRuntime().compile(walk);
  const { height, highest } = await program.run({ step });
  let [sum, top] = [0, Number.NEGATIVE_INFINITY];
  const heights = step.map((one) => {
    sum += one;
    top = Math.max(top, sum);
    return sum;
  });
  expect(height).toEqual(heights);
  expect(highest[0]).toBe(top);
});
