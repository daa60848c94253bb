import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { runAll } from "@groupwise/testkit";
import { anyOrder, deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn, runtimeOn, tiny } from "./devices.ts";
import { constants, greedy } from "./pipelines.ts";

const lavapipe = () => dawn();
/** Work-groups that a dispatch has in one dimension; a smaller limit outside of full runs, which takes fewer items. */
const perDimension = isFullRun() ? 65535 : 997;

deviceTest("more work-groups than one dimension has", lavapipe, async (gpu) => {
  const n = 2 * perDimension * 2 + 5;
  const { ir } = pipeline(
    "many-groups",
    { x: u32 },
    ({ x }, { index }) => ({
      sums: x.scanInclusive("add"),
      pairs: x.reduce("max", { scope: "work-group" }),
      back: index().scatter({ to: u32(n - 1).sub(index()) }),
    }),
    { workGroupSize: 2 },
  );
  const program = await tiny(gpu, [2, 1], n, { maxComputeWorkgroupsPerDimension: perDimension }).compile(ir);
  expect(await runAll(program, ir, [n])).toEqual([]);
});

deviceTest("constants and greedy names", lavapipe, async (gpu) => {
  const runtime = webgpuRuntime(gpu);
  expect(await runAll(await runtime.compile(constants), constants.ir, [50])).toEqual([]);
  if (!isFullRun()) return; // `names.test.ts` has what compilers say of names
  const params = { n: 3, zero: 1.5 };
  expect(await runAll(await runtime.compile(greedy), greedy.ir, [0, 300], params)).toEqual([]);
});

deviceTest("a product and a sum stay two operations", lavapipe, async (gpu) => {
  const { ir } = pipeline("axpy", { x: f32, y: f32, a: param(f32) }, ({ x, y, a }) => ({
    axpy: x.mul(a).add(y),
    difference: y.sub(x.mul(x)),
    // Outside of full runs `guard.test.ts` has what collectives add.
    ...(isFullRun() && { dot: x.mul(y).reduce("add") }),
  }));
  const program = await webgpuRuntime(gpu).compile(ir);
  expect(await runAll(program, ir, [5000], { a: Math.fround(1.1) })).toEqual([]);
});

// In other runs JavaScript has the bound, and what stands beside such sums.
if (isFullRun()) anyOrder("WGSL on lavapipe", () => runtimeOn("lavapipe"), ["f16", "f32", "f64"]);
