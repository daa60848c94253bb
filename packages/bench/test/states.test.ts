/** Streams on work-groups: chunks have the bits of the whole range, and a stream may go to JavaScript and back. */
import type { HostArray, Pipeline, Runtime } from "@groupwise/core";
import { f32, f64, operators, outputs, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclCapabilities } from "@groupwise/target-opencl";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { capabilitiesOf } from "@groupwise/target-wgsl";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
import { inChunks, inOneRun } from "@groupwise/testkit/random";
import { rounds } from "@groupwise/testkit/rounds";
import { compareScatters, states } from "@groupwise/testkit/states";
import { describe, expect } from "vitest";

const isFull = isFullRun();

/** Floats, a record, and integers, which are exact. */
const sums = pipeline("sums", { x: f32 }, ({ x }, { index }) => {
  const u = index().mul(0x9e3779b1).shr(9);
  return {
    sums: x.scanInclusive("add"),
    before: x.scanExclusive("add", { seed: 3 }),
    total: x.reduce("add"),
    trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x.mul(0.1) }).b,
    counts: u.scanExclusive("add"),
    count: u.reduce("add"),
  };
}).ir;
const others = pipeline("others", { x: f32 }, ({ x }, { index }) => ({
  products: x.mul(0.001).add(1).scanExclusive("mul"),
  peaks: x.scanInclusive("max", { segments: index().rem(211).eq(3) }),
  ...outputs({ best: operators.argmax(f32).scanInclusive({ value: x, index: index() }) }),
  most: x.reduce("max"),
})).ir;
const chained = pipeline("chained", { x: f32 }, ({ x }) => {
  const sums = x.scanInclusive("add");
  return { highest: sums.mul(0.5).scanExclusive("mul"), last: sums.scanInclusive("add").reduce("add") };
}).ir;
const doubles = pipeline("doubles", { d: f64 }, ({ d }) => ({
  sums: d.scanInclusive("add"),
  total: d.reduce("add"),
})).ir;

const ALL = [sums, others, chained, doubles];

type Arrays = Readonly<Record<string, HostArray>>;

function inputsOf(n: number): Arrays {
  const wave = (i: number): number => Math.sin(i * 1.7 + 1) * 2 ** ((i * 7) % 19);
  return {
    x: Float32Array.from({ length: n }, (_, i) => wave(i)),
    d: Float64Array.from({ length: n }, (_, i) => wave(i) / 3),
  };
}

const onlyOf = (ir: Pipeline, arrays: Arrays): Arrays =>
  Object.fromEntries(
    ir.nodes.flatMap((node) => (node.kind === "input" ? [[node.name, arrays[node.name] as HostArray]] : [])),
  );

const CUTS = [0, 1, 2, 3, 3, 8, 16, 17, 32, 64, 192, 256, 512, 1024, 1300];

/** Chunks between {@link CUTS}, every other one on JavaScript. */
async function compare(runtime: Runtime, ir: Pipeline): Promise<void> {
  const js = jsRuntime();
  const values = onlyOf(ir, inputsOf(CUTS.at(-1) as number));
  const want = await inOneRun(js, ir, values);
  for (const turns of [
    [runtime, js],
    [js, runtime],
  ])
    expect(await inChunks(turns, ir, values, CUTS)).toEqual(want);
}

/** Tiles of eight items, and of 32 totals: a thousand items have totals of two levels, and a part of a tile left at each. */
const TINY = { maxItems: 8000, tile: { workGroupSize: 4, itemsPerWorkItem: 2 } };

/** The shortest tiles of look-back, with two levels of slots. */
const LOOKING_BACK = {
  maxItems: 1024 * 4096,
  lookBack: { workGroupSize: 128, rows: 8, groups: 3, polls: 2 },
};

async function lavapipe(): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "lavapipe" });
  if (!dawn.found) return dawn;
  const { device } = dawn.value;
  return found(webgpuRuntime(device, { capabilities: { ...capabilitiesOf(device), ...TINY } }));
}

async function pocl(how?: typeof TINY | typeof LOOKING_BACK): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  return found(
    await openclRuntime(how ? { capabilities: { ...openclCapabilities({ fp64: true }), ...how } } : {}),
  );
}

// More operators and types, parts, and places far into a range. In other runs JavaScript and C have rounds: their kernels are those of single pipelines.
if (isFull) {
  states("PoCL", () => pocl());
  states("PoCL, looking back,", () => pocl(LOOKING_BACK));
  rounds("PoCL, looking back,", () => pocl(LOOKING_BACK), true);
  rounds("PoCL", () => pocl(TINY), false);
}

describe.each([
  ["lavapipe", lavapipe],
  ["PoCL", () => pocl(TINY)],
] as const)("chunks on %s", (name, open) => {
  const title =
    "have the bits of the whole range in tiny tiles, and the stream may go to JavaScript and back";
  deviceTest(title, open, async (runtime, context) => {
    if (name === "lavapipe") onlyInFullRuns(context, "the lowering is PoCL's, and compiling takes seconds");
    const pipelines = isFull ? ALL : [doubles];
    await Promise.all(pipelines.map((ir) => compare(runtime, ir)));
    if (isFull) await compareScatters(runtime, 700);
    runtime.dispose();
  });
});
