/** Scatters in the order of items whose condition reads the previous item, chunk by chunk. */
import type { PipelineSource } from "@groupwise/core";
import { stepper, stream } from "@groupwise/core/state";
import { f32, pipeline, u32 } from "@groupwise/dsl";
import { expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

/** The first item of each run of equal keys: its key and number, and the sum up to it. */
const starts = pipeline("starts", { key: u32, x: f32 }, ({ key, x }, { index }) => {
  const where = index()
    .eq(0)
    .or(key.ne(key.at(index().sub(1))));
  const counted = where.toU32();
  const into = { to: counted.scanExclusive("add"), where, length: counted.reduce("add") };
  return {
    keys: key.scatter(into),
    places: index().scatter(into),
    sums: x.scanInclusive("add").scatter(into),
  };
});

const N = 400;
const key = Uint32Array.from({ length: N }, (_, i) => Math.floor(Math.sqrt(i * 7)));
const x = Float32Array.from({ length: N }, (_, i) => i % 13);

test("the starts of runs, which chunks divide anywhere", async () => {
  const items = [...key.keys()].filter((i) => i === 0 || key[i] !== key[i - 1]);
  // Whole numbers, whose sums are exact.
  const sums = [...x].map((_, i) => x.subarray(0, i + 1).reduce((a, b) => a + b, 0));
  const want = { keys: items.map((i) => key[i]), places: items, sums: items.map((i) => sums[i]) };
  for (const size of [1, 7, 64, 399, N]) {
    const chunks = Array.from({ length: Math.ceil(N / size) }, (_, k) => ({
      key: key.subarray(k * size, (k + 1) * size),
      x: x.subarray(k * size, (k + 1) * size),
    }));
    const got: Record<string, number[]> = { keys: [], places: [], sums: [] };
    for await (const { outputs } of stream(jsRuntime(), starts as PipelineSource, chunks))
      for (const [name, array] of Object.entries(outputs)) got[name]?.push(...(array as Float32Array));
    expect([size, got]).toEqual([size, want]);
    const steps = await stepper(jsRuntime(), starts as PipelineSource);
    let { start: state } = steps;
    const found: Record<string, number[]> = { keys: [], places: [], sums: [] };
    for (const chunk of chunks) {
      const step = await steps.step(chunk, { state });
      for (const [name, array] of Object.entries(step.outputs)) found[name]?.push(...(array as Float32Array));
      ({ state } = step);
    }
    expect([size, found]).toEqual([size, want]);
  }
});
