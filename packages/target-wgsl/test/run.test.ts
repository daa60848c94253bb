import type { Pipeline } from "@groupwise/core";
import { f32, param, pipeline, u32 } from "@groupwise/dsl";
import { collectivesOf, expressionsOf, TYPES, withOutputs } from "@groupwise/testkit";
import { anyOrder, deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect } from "vitest";
import { webgpuRuntime } from "../src/runtime.ts";
import { runAll } from "./compare.ts";
import { dawn, runtimeOn, tiny } from "./devices.ts";
import { constants, greedy } from "./pipelines.ts";

const lavapipe = () => dawn();
const device = (type: "f32" | "i32" | "bool", ...ops: string[]): Pipeline =>
  collectivesOf({ type, scope: "device", workGroupSize: 64, ops: ops as never });

// In other runs `counts.test.ts` has them: tiles of eight items, of integers.
if (isFullRun())
  describe("several levels of totals", () => {
    const sizes = [0, 1, 2, 7, 8, 9, 31, 32, 33, 64, 65, 100, 511, 512, 513];
    const tiles: [number, number, number][] = [[1, 2, 40]];
    // As many levels.
    if (isFullRun()) tiles.push([4, 2, 600], [8, 4, 600], [2, 1, 40]);
    const pipelines = [device("f32", "add", "min"), device("i32", "mul"), device("bool", "logical-xor")];
    for (const [turn, [workItems, each, most]] of tiles.entries()) {
      deviceTest(`tiles of ${workItems} x ${each}`, lavapipe, async (gpu) => {
        const runtime = tiny(gpu, [workItems, each], most);
        const fitting = sizes.filter((n) => n <= most);
        // Compiling takes the time: by turns, save in full runs.
        const some = pipelines.filter((_, i) => isFullRun() || i === turn % pipelines.length);
        for (const ir of some) expect(await runAll(await runtime.compile(ir), ir, fitting)).toEqual([]);
      });
    }
  });

describe("work-groups of any size", () => {
  // The suite has others.
  for (const workGroupSize of isFullRun() ? [1, 7, 100, 192, 256] : [192]) {
    deviceTest(`${workGroupSize}`, lavapipe, async (gpu) => {
      // Of integers outside of full runs, which llvmpipe compiles in a quarter of the time of floats.
      const type = isFullRun() ? "f32" : "u32";
      const ir = collectivesOf({ type, scope: "work-group", workGroupSize, ops: ["add", "max"] });
      const sizes = [0, 1, workGroupSize - 1, workGroupSize, workGroupSize + 1, 3 * workGroupSize + 2];
      expect(await runAll(await webgpuRuntime(gpu).compile(ir), ir, sizes)).toEqual([]);
    });
  }
});

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

deviceTest("every element-wise operator", lavapipe, async (gpu) => {
  // The suite has those of the other types in every run.
  for (const type of isFullRun() ? TYPES : (["bool"] as const)) {
    const whole = expressionsOf(type);
    const names = whole.nodes.flatMap((node) => (node.kind === "output" ? [node.name] : []));
    // A pass binds a few arrays at most.
    for (let i = 0; i < names.length; i += 4) {
      const ir = withOutputs(whole, new Set(names.slice(i, i + 4)));
      expect(await runAll(await webgpuRuntime(gpu).compile(ir), ir, [501])).toEqual([]);
    }
  }
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
