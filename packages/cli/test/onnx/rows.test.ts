/** Rows of a model along an axis: what ONNX's reference evaluator does not show. */
import { f32, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { importGraph } from "../../src/onnx/graph.ts";
import { readModel } from "../../src/onnx/model.ts";
import { FLOAT, type ModelParts, modelOf, tensor, wholes } from "./make.ts";

const runtime = jsRuntime();

async function run(parts: ModelParts, x: Float32Array): Promise<Float32Array> {
  const imported = importGraph(await readModel(modelOf(parts), "model.onnx"));
  if ("uncovered" in imported) throw new Error(JSON.stringify(imported.uncovered));
  const { y } = await (await runtime.compile(imported.pipeline)).run({ x });
  return y as Float32Array;
}

const x = Float32Array.from({ length: 48 }, (_, i) => Math.sin(i * i) * 3);
const sums = (length: number): ModelParts => ({
  nodes: [{ op: "ReduceSum", input: ["x", "axes"], output: ["y"] }],
  input: [tensor("x", FLOAT, ["N", length])],
  initializer: [wholes("axes", [1])],
});

test("softmax before version 13 is over all axes from its own on", async () => {
  const nodes = [{ op: "Softmax", input: ["x"], output: ["y"] }];
  const y = await run({ nodes, input: [tensor("x", FLOAT, [2, 6, 4])], version: 11 }, x);
  for (const row of [0, 24]) {
    const powers = Array.from(x.subarray(row, row + 24), Math.exp);
    const all = powers.reduce((a, b) => a + b);
    powers.forEach((power, i) => {
      expect(y[row + i]).toBeCloseTo(power / all, 6);
    });
  }
});

test("a row whose length is a power of two has the bits of a reduction of that row alone", async () => {
  const whole = await runtime.compile(pipeline("whole", { x: f32 }, ({ x }) => ({ sum: x.reduce("add") })));
  const y = await run(sums(16), x);
  for (const row of [0, 1, 2]) {
    const { sum } = await whole.run({ x: x.slice(row * 16, row * 16 + 16) });
    expect(y[row]).toBe(sum[0]);
  }
});

test("a reduction of items that are not whole rows is refused", async () => {
  expect(await run(sums(12), x)).toHaveLength(4);
  await expect(run(sums(9), x)).rejects.toMatchObject({ code: "scatter-outside" });
});
