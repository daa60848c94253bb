/** Streams on work-groups: chunks have the bits of the whole range, and states those of JavaScript, so that a stream may change devices. */
import { check, type HostArray, type Pipeline, type Runtime, reference } from "@groupwise/core";
import { acrossRuntimes, decodeState, encodeState, Parted, type State, stepper } from "@groupwise/core/state";
import { f32, f64, operators, outputs, pipeline } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { openclCapabilities } from "@groupwise/target-opencl";
import { openclRuntime } from "@groupwise/target-opencl/runtime";
import { capabilitiesOf } from "@groupwise/target-wgsl";
import { webgpuRuntime } from "@groupwise/target-wgsl/runtime";
import { toArray, toValues } from "@groupwise/testkit";
import { deviceTest, isFullRun, onlyInFullRuns } from "@groupwise/testkit/conformance";
import { type Found, findDawn, findOpenCl, found } from "@groupwise/testkit/devices";
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

/** Exactly associative: chunks begin anywhere, and the pass over the full tiles ends with the last of them. */
const exact = pipeline("exact", { x: f32 }, ({ x }, { index }) => {
  const u = index().mul(0x9e3779b1).shr(9);
  return {
    counts: u.scanExclusive("add"),
    count: u.reduce("add"),
    peaks: x.scanInclusive("max"),
  };
}).ir;

const ALL = [sums, others, chained, doubles];

/** The strategy for chunks. */
async function strategyOf(runtime: Runtime, ir: Pipeline): Promise<string> {
  const { carried, carrying } = new Parted(check(ir)).items;
  const executable = await runtime.compile({ ir: carried.pipeline }, { carrying });
  executable.dispose();
  return executable.plan.strategy;
}

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

const bytesOf = (array: HostArray): Buffer => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** What the whole range gives, of the items from one place to another and up to there. */
function wholeOf(ir: Pipeline, arrays: Arrays): (name: string, from: number, to: number) => HostArray {
  const checked = check(ir);
  const inputs = Object.fromEntries(
    checked.inputs.map(({ name, type }) => [name, toValues(type, arrays[name] as HostArray)]),
  );
  const n = Object.values(inputs)[0]?.length ?? 0;
  const all = reference(checked, { n, inputs });
  return (name, from, to) => {
    const { id } = checked.sinks.find((sink) => sink.name === name) as { id: number };
    const type = checked.types[id] as never;
    return toArray(
      type,
      checked.uniformities[id] === "item" ? (all[name] ?? []).slice(from, to) : (all[name] ?? []),
    );
  };
}

/** Chunks that end at places: every other one on JavaScript where the stream moves. @returns what differs */
async function compare(
  runtime: Runtime,
  ir: Pipeline,
  ends: readonly number[],
  moves: boolean,
): Promise<readonly string[]> {
  const n = ends.at(-1) as number;
  const arrays = onlyOf(ir, inputsOf(n));
  const whole = wholeOf(ir, arrays);
  const [there, here] = await Promise.all([stepper(runtime, ir), stepper(jsRuntime(), ir)]);
  const differing = new Set<string>();
  let [state, from] = [there.start as State, 0];
  for (const [i, to] of ends.entries()) {
    const chunk = Object.fromEntries(
      Object.entries(arrays).map(([name, all]) => [name, all.subarray(from, to)]),
    );
    const own = await there.step(chunk as never, { state });
    const js = await here.step(chunk as never, { state });
    for (const [name, array] of Object.entries(own.outputs as Arrays)) {
      const isItems = array.length === to - from && array.length !== 1;
      const want = isItems || to === n ? whole(name, from, to) : ((js.outputs as Arrays)[name] as HostArray);
      if (!bytesOf(array).equals(bytesOf(want))) differing.add(`${name} from ${from} to ${to}`);
    }
    if (!Buffer.from(encodeState(own.state)).equals(Buffer.from(encodeState(js.state))))
      differing.add(`state ${to}`);
    state = decodeState(encodeState(moves && i % 2 === 1 ? js.state : own.state));
    from = to;
  }
  there.dispose();
  here.dispose();
  return [...differing];
}

const everyOf = (n: number, size: number): number[] =>
  Array.from({ length: Math.ceil(n / size) }, (_, i) => Math.min((i + 1) * size, n));

/** Tiles of eight items, and of 32 totals: a thousand items have totals of two levels, and a part of a tile left at each. */
const TINY = { maxItems: 8000, tile: { workGroupSize: 4, itemsPerWorkItem: 2 } };

/** The shortest tiles of look-back, with two levels of slots. @param withheld tiles that never publish, so that others compute their totals */
const lookingBack = (withheld: readonly number[]) => ({
  maxItems: 1024 * 4096,
  lookBack: { workGroupSize: 128, rows: 8, groups: 3, polls: 2, withheld },
});

async function swiftshaderBack(withheld: readonly number[] = []): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "swiftshader" });
  if (!dawn.found) return dawn;
  const { device } = dawn.value;
  return found(
    webgpuRuntime(device, { capabilities: { ...capabilitiesOf(device), ...lookingBack(withheld) } }),
  );
}

async function poclBack(withheld: readonly number[] = []): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  const capabilities = { ...openclCapabilities({ fp64: true }), ...lookingBack(withheld) };
  return found(await openclRuntime({ capabilities }));
}

async function lavapipe(isTiny: boolean): Promise<Found<Runtime>> {
  const dawn = await findDawn({ adapter: "lavapipe" });
  if (!dawn.found) return dawn;
  const { device } = dawn.value;
  return found(webgpuRuntime(device, isTiny ? { capabilities: { ...capabilitiesOf(device), ...TINY } } : {}));
}

async function pocl(isTiny: boolean): Promise<Found<Runtime>> {
  const platform = findOpenCl("pocl");
  if (!platform.found) return platform;
  Object.assign(process.env, platform.value.env);
  const capabilities = { ...openclCapabilities({ fp64: true }), ...TINY };
  return found(await openclRuntime(isTiny ? { capabilities } : {}));
}

const SIZES = [
  [1, 700],
  [1000, 5000],
  [4096, 20_000],
  [2 ** 16, 2 ** 17 + 5],
  [2 ** 16 + 7, 2 ** 17 + 5],
] as const;

// More operators and types, parts, and places far into a range.
if (isFull) {
  states("PoCL", () => pocl(false));
  states("PoCL, looking back,", () => poclBack());
  rounds("PoCL, looking back,", () => poclBack(), true);
}
// In other runs JavaScript and C have rounds: their kernels are those of single pipelines.
if (isFull) rounds("PoCL", () => pocl(true), false);

describe.each([
  ["lavapipe", lavapipe],
  ["PoCL", pocl],
] as const)("chunks on %s", (name, open) => {
  const title =
    "have the bits of the whole range in tiny tiles, and the stream may go to JavaScript and back";
  deviceTest(
    title,
    () => open(true),
    async (runtime, context) => {
      if (name === "lavapipe") onlyInFullRuns(context, "the lowering is PoCL's, and compiling takes seconds");
      const ends = [1, 2, 3, 3, 8, 16, 17, 32, 64, 192, 256, 512, 1024, 1300];
      const pipelines = isFull ? ALL : [doubles];
      const differing = await Promise.all(pipelines.map((ir) => compare(runtime, ir, ends, true)));
      expect(differing.flat()).toEqual([]);
      if (isFull) await compareScatters(runtime, 700);
      runtime.dispose();
    },
  );
  if (!isFull) return;
  deviceTest(
    "have the bits of the whole range in all sizes",
    () => open(false),
    async (runtime) => {
      const kept = await Promise.all(ALL.map((ir) => stepper(runtime, ir)));
      for (const [size, n] of SIZES)
        for (const ir of ALL) expect(await compare(runtime, ir, everyOf(n, size), false)).toEqual([]);
      for (const steps of kept) steps.dispose();
      runtime.dispose();
    },
  );
});

const TILE = 4096;
/** Pieces of a part of a tile, of one, of two, of a tile and a part, of no items, and of tiles after the first block of 32. */
const AROUND_TILES = [1, 2, TILE - 1, TILE, 2 * TILE, 2 * TILE, 3 * TILE, 4 * TILE, 7 * TILE + 1, 8 * TILE];
const AFTER_BLOCK = [32 * TILE, 67 * TILE + 9];
/** None is the last tile before the tail of a chunk, which no work-group waits for. */
const WITHHELD = [0, 1, 3, 5, 31];

const BACK = [
  ["PoCL", poclBack],
  ["SwiftShader", swiftshaderBack],
] as const;
describe.each(isFull ? BACK : BACK.slice(0, 1))("chunks on %s by look-back", (name, open) => {
  for (const withheld of isFull || name === "PoCL" ? [[], WITHHELD] : [WITHHELD])
    deviceTest(
      `have the bits of the whole range, and states those of JavaScript, ${withheld.length} tiles never publishing`,
      () => open(withheld),
      async (runtime, context) => {
        onlyInFullRuns(
          context,
          "the interpreter of kernels has such tiles: `streams/test/look-back-carried.test.ts`",
        );
        expect(await strategyOf(runtime, sums)).toBe("look-back");
        for (const ir of withheld.length > 0 ? ALL : [exact]) {
          expect(await compare(runtime, ir, AROUND_TILES, true)).toEqual([]);
          if (isFull) expect(await compare(runtime, ir, AFTER_BLOCK, false)).toEqual([]);
        }
        if (withheld.length === 0 && isFull) await compareScatters(runtime, 9000);
        runtime.dispose();
      },
    );
});

deviceTest(
  "acrossRuntimes computes a part by look-back with the bits of JavaScript",
  poclBack,
  async (runtime, context) => {
    onlyInFullRuns(
      context,
      "`target-js/test/across.test.ts` has parts, and the interpreter of kernels look-back in them",
    );
    const js = jsRuntime();
    const executable = await acrossRuntimes([js, runtime]).compile(sums);
    for (const n of [3 * TILE, 9 * TILE + 77]) {
      const values = onlyOf(sums, inputsOf(n)) as never;
      const [got, want] = await Promise.all([executable.run(values), (await js.compile(sums)).run(values)]);
      for (const [name, array] of Object.entries(want as Arrays))
        expect(bytesOf((got as Arrays)[name] as HostArray).equals(bytesOf(array)), `${name} of ${n}`).toBe(
          true,
        );
    }
    executable.dispose();
    runtime.dispose();
  },
);
