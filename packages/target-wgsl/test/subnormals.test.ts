/** Subnormal numbers on a device that keeps them, lavapipe, and on one that flushes them, SwiftShader. */
import { emit, type Manifest, type Runtime, type RunValues } from "@groupwise/core";
import { f16, f32, pipeline, u32 } from "@groupwise/dsl";
import { differences, withOutputs } from "@groupwise/testkit";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { describe, expect, test } from "vitest";
import { WGSL_CAPABILITIES, wgsl, withHalves } from "../src/index.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";

const KEPT = { f32: "f32 add of subnormals", f16: "f16 add of subnormals" } as const;
/** The rows by which a text relies on a device that keeps subnormal numbers. */
const keptIn = ({ assumes = [] }: Pick<Manifest, "assumes">): readonly string[] =>
  assumes.filter((id) => id.endsWith(" add of subnormals"));
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add"), total: x.reduce("add") }));
const halves = pipeline("halves", { x: f16 }, ({ x }) => ({ y: x.scanInclusive("add"), half: x.mul(0.5) }));
const words = pipeline("words", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
const KEEPING = /^fn (add|sub|mul)_f32\(/m;
const emitted = (source: typeof sums | typeof halves | typeof words, options = {}) => {
  const { manifest, files } = emit(source, wgsl, options);
  return { kept: keptIn(manifest), flag: manifest.flags.subnormals, text: files[0]?.text ?? "" };
};

describe("the text", () => {
  test("is exact on every device by default", () => {
    const { kept, flag, text } = emitted(sums);
    expect([kept, flag]).toEqual([[], "exact"]);
    expect(text).toMatch(KEEPING);
  });

  test("has the device's own operations for a device that keeps them, which it requires", () => {
    const { kept, flag, text } = emitted(sums, {
      capabilities: { ...WGSL_CAPABILITIES, subnormals: "kept" },
    });
    expect([kept, flag]).toEqual([[KEPT.f32], "kept"]);
    expect(text).not.toMatch(KEEPING);
  });

  test("has them where results may be flushed, and requires nothing", () => {
    const keeping = { ...withHalves(WGSL_CAPABILITIES), subnormals: "kept" } as const;
    for (const capabilities of [WGSL_CAPABILITIES, keeping])
      for (const source of [sums, halves]) {
        const { kept, flag, text } = emitted(source, { capabilities, subnormals: "flush" });
        expect(kept).toEqual([]);
        if (source === sums) expect(flag).toBe("flush");
        expect(text).not.toMatch(KEEPING);
      }
  });

  test("relies on the device for halves of its own, and for none that f32 holds", () => {
    const { kept, text } = emitted(halves);
    expect(kept).toEqual([]);
    expect(text).not.toMatch(KEEPING);
    const native = withHalves(WGSL_CAPABILITIES);
    expect(emitted(halves, { capabilities: native }).kept).toEqual([KEPT.f16]);
  });

  test("says nothing of them without floats", () => {
    expect(emitted(words).flag).toBeUndefined();
  });
});

/** Operations whose operands or results are subnormal, also constants of the text. */
const operations = pipeline("operations", { x: f32, w: f32 }, ({ x, w }) => ({
  sum: x.add(w),
  difference: x.sub(w),
  half: x.mul(0.5),
  product: x.mul(w.mul(2 ** 126)),
  tiny: x.add(3 * 2 ** -149),
  opposite: f32(0).sub(x),
  chosen: w.lt(0).select(x.add(w), x.mul(0.75)),
  running: x.scanInclusive("add"),
  factors: w.mul(2 ** 126).scanExclusive("mul"),
  total: x.reduce("add"),
}));
/** Compiling takes the time: outside of full runs an operation of each kind. The interpreter of kernels has collectives. */
const tried = isFullRun() ? operations.ir : withOutputs(operations.ir, new Set(["product", "tiny"]));
const N = 2048;
const subnormal = (i: number, by: number): number => (Math.imul(i + 1, by) & 0x807fffff) >>> 0;
const bits = (by: number): Float32Array =>
  new Float32Array(Uint32Array.from({ length: N }, (_, i) => subnormal(i, by)).buffer);
const values: RunValues = { x: bits(0x9e3779b1), w: bits(0x85ebca6b) };

/** Rows of ten sums and products, which have two forms; a tenth of the numbers is subnormal. */
const chain = pipeline("chain", { x: f32 }, ({ x }) => {
  let y = x;
  for (let turn = 0; turn < 5; turn++) y = y.mul(1.01).add(x);
  return { y };
});
const tenth = Float32Array.from(bits(0xc2b2ae35), (x, i) => (i % 10 === 0 ? x : x * 2 ** (100 - (i % 32))));

async function differ(runtime: Runtime): Promise<readonly string[]> {
  const executable = await runtime.compile(tried);
  return differences(tried, values, (await executable.run(values)) as never, N);
}
const scaled = pipeline("scaled", { x: f32 }, ({ x }) => ({ y: x.mul(0.5) }));
const asking = isFullRun() ? sums : scaled;
const keptBy = async (runtime: Runtime): Promise<readonly string[]> =>
  keptIn((await runtime.compile(asking.ir, { waitFor: "fastest" })).manifest);

deviceTest("a device that keeps them computes with its own operations", dawn, async (device) => {
  const runtime = webgpuRuntime(device);
  expect(await differ(runtime)).toEqual([]);
  expect((await runtime.compile(scaled.ir, { waitFor: "fastest" })).manifest.assumes).toContain(
    "f32 mul of subnormals",
  );
  expect(runtime.capabilities.subnormals).toBe("kept");
});

deviceTest(
  "halves of a device that keeps them are its own",
  () => dawn({ adapter: "lavapipe", features: ["shader-f16"] }),
  async (device) => {
    const executable = await webgpuRuntime(device).compile(halves.ir);
    expect(executable.manifest.assumes).toContain(KEPT.f16);
    const x = Uint16Array.from({ length: N }, (_, i) => subnormal(i, 40503) & 0x83ff);
    expect(differences(halves.ir, { x }, await executable.run({ x }), N)).toEqual([]);
  },
);

deviceTest(
  "on a device that flushes them results are exact all the same",
  () => dawn({ adapter: "swiftshader" }),
  async (device) => {
    const runtime = webgpuRuntime(device);
    expect(await differ(runtime)).toEqual([]);
    const rows = await (await runtime.compile(chain)).run({ x: tenth });
    expect(differences(chain.ir, { x: tenth }, rows, N)).toEqual([]);
    expect(await keptBy(runtime)).toEqual([]);
    expect(runtime.capabilities.subnormals).toBe("exact");
    const flush = await runtime.compile(scaled, { subnormals: "flush" });
    expect((await flush.run({ x: bits(0x9e3779b1) })).y.every((y) => y === 0)).toBe(true);
    const kept = emit(sums, wgsl, { capabilities: { ...WGSL_CAPABILITIES, subnormals: "kept" } });
    await expect(runtime.load(kept)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(/of subnormals is not supported.*not exact/s),
    });
    await runtime.load(emit(scaled, wgsl, { subnormals: "flush" }));
  },
);
