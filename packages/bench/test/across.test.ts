/** One range over runtimes of several targets: the bits of one of them. */
import { createHash } from "node:crypto";
import type { HostArray, Runtime } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { bool, f32, operators, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { jsWorkersRuntime } from "@groupwise/target-js/workers";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
import { compareCompactions, compareEndings } from "@groupwise/testkit/states";
import { expect } from "vitest";

const scans = pipeline("scans", { x: f32, starts: bool }, ({ x, starts }) => ({
  sums: x.scanInclusive("add"),
  trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x.mul(0.1) }).b,
  segment: starts.toU32().scanInclusive("add"),
  total: x.reduce("add"),
}));
const hashesOf = (results: Readonly<Record<string, HostArray>>): unknown =>
  Object.entries(results).map(([name, { buffer, byteOffset, byteLength }]) => [
    name,
    createHash("sha256")
      .update(new Uint8Array(buffer, byteOffset, byteLength))
      .digest("hex"),
  ]);

async function both(): Promise<Found<readonly Runtime[]>> {
  const dawn = await findDawn({ adapter: "lavapipe" });
  if (!dawn.found) return dawn;
  const pocl = findOpenCl("pocl");
  if (!pocl.found) return pocl;
  Object.assign(process.env, pocl.value.env);
  return found([webgpuRuntime(dawn.value.device), await openclRuntime()]);
}

deviceTest(
  "WebGPU, OpenCL, JavaScript and its workers compute one range together",
  both,
  async (opened, context) => {
    onlyInFullRuns(
      context,
      "JavaScript, C and PoCL compute parts of one range in `target-js/test/across.test.ts` and `states.test.ts`",
    );
    const runtimes = [...opened, jsRuntime(), jsWorkersRuntime({ workers: 2, leastItems: 0 })];
    const across = acrossRuntimes(runtimes);
    const split = await across.compile(scans);
    const one = await jsRuntime().compile(scans);
    for (const n of [5, 4099, 100_003]) {
      const x = Float32Array.from({ length: n }, (_, i) => Math.sin(i) * 2 ** (i % 23));
      const starts = Uint8Array.from(x, (_, i) => Number(i % 97 === 0));
      expect(hashesOf(await split.run({ x, starts }))).toEqual(hashesOf(await one.run({ x, starts })));
    }
    for (const n of [300, 70_001]) {
      const x = Float32Array.from({ length: n }, (_, i) => Math.cos(i) * 2 ** (i % 23));
      const starts = Uint8Array.from(x, (_, i) => Number(i % 97 === 0));
      const given = { x: across.array("f32", x), starts: across.array("bool", starts) };
      const made = {
        sums: across.array("f32", n),
        trend: across.array("f32", n),
        segment: across.array("u32", n),
        total: across.array("f32", 1),
      };
      await across
        .record()
        .run(split, { ...given, ...made })
        .submit();
      const read = Object.entries(made).map(async ([name, array]) => [name, await array.read()]);
      const results = Object.fromEntries(await Promise.all(read));
      expect(hashesOf(results)).toEqual(hashesOf(await one.run({ x, starts })));
    }
    for (const runtime of runtimes) runtime.dispose();
  },
);

deviceTest(
  "WebGPU and OpenCL return the outputs of a reduce that the core computes",
  both,
  async (opened, context) => {
    onlyInFullRuns(
      context,
      "JavaScript and C return such outputs in every run, and each device has the reduces",
    );
    for (const runtime of opened) {
      await compareEndings(runtime, [0, 301]);
      runtime.dispose();
    }
  },
);

deviceTest(
  "WebGPU, OpenCL, JavaScript and its workers compact one range together",
  both,
  async (opened, context) => {
    onlyInFullRuns(context, "JavaScript compacts in parts of several runtimes in every run");
    const runtimes = [...opened, jsRuntime(), jsWorkersRuntime({ workers: 2, leastItems: 0 })];
    const one = jsRuntime();
    const densities = ["none", "some", "all"] as const;
    await compareCompactions(acrossRuntimes(runtimes), one, { lengths: [0, 5, 4099], densities });
    // Parts of several pieces, which append elements at any place.
    const unequal = acrossRuntimes(runtimes, { shares: [3, 2, 0, 1] });
    await compareCompactions(unequal, one, { lengths: [20_011], densities: ["some"] });
    for (const runtime of runtimes) runtime.dispose();
  },
);
