/** The drawing beside a run: the values are those of the pipeline's own scan. */
import { parsePipeline } from "@groupwise/core/schema";
import { f32, i32, operators, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { DRAWN, treeOf } from "../.vitepress/theme/engine/tree.ts";

const x = Int32Array.from({ length: 40 }, (_, i) => ((i * 37) % 11) - 5);

test("has the operand after expressions, and the prefixes that the run returns", async () => {
  const doubled = pipeline("doubled", { x: i32, unused: u32 }, ({ x: v, unused }) => ({
    most: v.mul(2).scanInclusive("max"),
    rest: unused,
  }));
  const source = parsePipeline(doubled.ir);
  const tree = await treeOf(jsRuntime(), source, { x, unused: new Uint32Array(40) }, DRAWN);
  expect(tree?.title).toBe("max of i32 over the first 16 items");
  const { most } = await (await jsRuntime().compile(doubled)).run({ x, unused: new Uint32Array(40) });
  expect(tree?.drawing.prefixes.map(({ value }) => value)).toEqual([...most.slice(0, 16)].map(String));
  expect(tree?.drawing.cells.filter(({ row }) => row === 0).map(({ value }) => value)).toEqual(
    [...x.slice(0, 16)].map((value) => String(2 * value)),
  );
});

test("has as few items as the run, also without inputs", async () => {
  const none = parsePipeline(pipeline("none", {}, (_, { index }) => ({ s: index().reduce("add") })).ir);
  expect((await treeOf(jsRuntime(), none, {}, 5))?.drawing.prefixes.map(({ value }) => value)).toEqual([
    "0",
    "1",
    "3",
    "6",
    "10",
  ]);
  expect(await treeOf(jsRuntime(), none, {}, 0)).toBe(undefined);
});

test("is absent without a built-in collective over the whole range", async () => {
  const values = { x: new Float32Array(9) };
  const group = pipeline("group", { x: f32 }, ({ x: v }) => ({
    s: v.reduce("add", { scope: "work-group" }),
  }));
  const own = pipeline("own", { x: f32 }, ({ x: v }) => ({
    s: operators.affine(f32).scanInclusive({ a: v, b: v }).b,
  }));
  const map = pipeline("map", { x: f32 }, ({ x: v }) => ({ y: v.mul(2) }));
  for (const { ir } of [group, own, map])
    expect(await treeOf(jsRuntime(), parsePipeline(ir), values, 9)).toBe(undefined);
});
