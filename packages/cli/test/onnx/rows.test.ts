/** Rows of a model along an axis: what ONNX's reference evaluator does not show. */
import { f32 } from "@groupwise/dsl";
import { along, axisReduce, axisScan } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { importGraph } from "../../src/onnx/graph.ts";
import { readModel } from "../../src/onnx/model.ts";
import { FLOAT, type ModelParts, modelOf, tensor, wholes } from "./make.ts";

const runtime = jsRuntime();

async function run(parts: ModelParts, x: Float32Array, more: object = {}): Promise<Float32Array> {
  const imported = importGraph(await readModel(modelOf(parts), "model.onnx"));
  if ("uncovered" in imported) throw new Error(JSON.stringify(imported.uncovered));
  const { y } = await (await runtime.compile(imported.pipeline)).run({ x, ...more });
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

/** Sums and products of these depend on the order; also of -0 alone. */
const values = (n: number): Float32Array =>
  Float32Array.from({ length: n }, (_, i) => (i % 7 === 0 ? -0 : Math.sin(i * i) * 2 ** (i % 5)));
const SHAPES: readonly (readonly [model: readonly (number | string)[], data: readonly number[]])[] = [
  [[12], [12]],
  [
    [5, 11],
    [5, 11],
  ],
  [
    ["N", 12],
    [3, 12],
  ],
  [
    ["N", 16],
    [3, 16],
  ],
  [
    [3, "N", 100],
    [3, 7, 100],
  ],
  [
    ["N", 3, 5],
    [13, 3, 5],
  ],
  [
    [7, 1, 33, 2],
    [7, 1, 33, 2],
  ],
];
const AXES = SHAPES.flatMap(([model, data]) => data.map((_, axis) => ({ model, data, axis })));

test.each(AXES)("rows of $model along axis $axis have the bits of axisScan and axisReduce", async (one) => {
  const { model, data, axis } = one;
  const shape = along(data, axis);
  const given = values(data.reduce((a, b) => a * b));
  const parts = (op: string, attribute: object[] = []): ModelParts => ({
    nodes: [{ op, input: ["x", "axis"], output: ["y"], attribute }],
    input: [tensor("x", FLOAT, model)],
    initializer: [wholes("axis", [axis])],
    version: 26,
  });
  const flag = (name: string): object => ({ name, i: 1, type: 2 });
  const reduce = async (by: "add" | "mul") =>
    (await axisReduce(by, f32).runOn(runtime, { x: given }, shape)).results;
  const scan = async (form: "inclusive" | "exclusive", x: Float32Array) =>
    (await axisScan("add", f32, form).runOn(runtime, { x }, shape)).sums;
  const { length, inner } = shape;
  const mirrored = (x: Float32Array): Float32Array =>
    x.map((_, i) => x[i + (length - 1 - 2 * (Math.floor(i / inner) % length)) * inner] as number);
  expect(await run(parts("ReduceSum"), given)).toEqual(await reduce("add"));
  expect(await run(parts("ReduceProd"), given)).toEqual(await reduce("mul"));
  expect(await run(parts("CumSum"), given)).toEqual(await scan("inclusive", given));
  const exclusive = await run(parts("CumSum", [flag("exclusive")]), given);
  expect(exclusive).toEqual(await scan("exclusive", given));
  const reverse = await run(parts("CumSum", [flag("reverse")]), given);
  expect(reverse).toEqual(mirrored(await scan("inclusive", mirrored(given))));
});

test("rows over several axes, of which one has a name, have the bits that they have alone", async () => {
  const parts = {
    ...sums(0),
    input: [tensor("x", FLOAT, ["N", 3, 5])],
    initializer: [wholes("axes", [0, 2])],
  };
  const given = values(13 * 15);
  const turned = Float32Array.from(given, (_, i) => {
    const [channel, place] = [Math.floor(i / 65), i % 65];
    return given[Math.floor(place / 5) * 15 + channel * 5 + (place % 5)] as number;
  });
  const { results } = await axisReduce("add", f32).runOn(runtime, { x: turned }, { length: 65 });
  expect(await run(parts, given)).toEqual(results);
});

test("an output of known sides beside inputs of any number of items", async () => {
  const parts = {
    nodes: [
      { op: "Neg", input: ["x"], output: ["z"] },
      { op: "Neg", input: ["three"], output: ["y"] },
    ],
    input: [tensor("x", FLOAT, ["N"]), tensor("three", FLOAT, [3])],
  };
  const more = { three: Float32Array.of(1, 2, 3) };
  expect(await run(parts, x.slice(0, 5), more)).toEqual(Float32Array.of(-1, -2, -3));
  await expect(run(parts, x.slice(0, 2), more)).rejects.toMatchObject({ code: "scatter-outside" });
});

test("a row of a tensor that is smaller than the range has the bits that it has alone", async () => {
  const parts = {
    ...sums(11),
    input: [tensor("x", FLOAT, [11]), tensor("more", FLOAT, [100])],
    initializer: [wholes("axes", [0])],
  };
  const { results } = await axisReduce("add", f32).runOn(runtime, { x: x.slice(0, 11) }, { length: 11 });
  const found = await run(parts, x.slice(0, 11), { more: new Float32Array(100) });
  expect(found).toEqual(results);
});

test("a reduction of items that are not whole rows is refused", async () => {
  expect(await run(sums(12), x)).toHaveLength(4);
  await expect(run(sums(9), x)).rejects.toMatchObject({ code: "scatter-outside" });
});
