/** For consecutive chunks, a runtime returns the bits that it returns for the whole range. */
import {
  check,
  type HostArray,
  type Pipeline,
  type ReferenceOutputs,
  type Runtime,
  type Scalar,
} from "@groupwise/core";
import {
  type Block,
  carriedOf,
  emptyState,
  mergeStates,
  referenceStep,
  type ScanState,
  type State,
  type Stepper,
  stepper,
  stream,
} from "@groupwise/core/state";
import { SCALARS, valueTypeOf } from "@groupwise/core/target";
import { bool, f16, f32, f64, i64, operators, outputs, param, pipeline, table, u32 } from "@groupwise/dsl";
import { describe, expect } from "vitest";
import { toArray } from "../data/arrays.ts";
import { numbers, rounding } from "../data/random.ts";
import { deviceTest, type Probe, sharedRuntime } from "../devices/require-device.ts";
import { compareEndings } from "./endings.ts";
import { compareScatteredParts, compareScatters } from "./scatters.ts";

export { type Compared, compactionRuns, compareCompactions, type Density } from "./compactions.ts";
export { compareEndings } from "./endings.ts";
export { compareScatters } from "./scatters.ts";

const long = pipeline("chunks", { x: f32, d: f64, starts: bool }, ({ x, d, starts }, { index }) => ({
  sums: x.scanInclusive("add"),
  doubles: d.scanExclusive("add"),
  products: x.mul(0.001).add(1).scanInclusive("mul"),
  trend: operators.affine(f32).scanInclusive({ a: f32(0.9).perItem(), b: x.mul(0.1) }).b,
  peaks: x.scanInclusive("max", { segments: starts }),
  ...outputs({ best: operators.argmax(f32).scanInclusive({ value: x, index: index() }) }),
  total: x.reduce("add"),
}));

const small = pipeline(
  "small-chunks",
  { h: f16, l: i64, x: f32, starts: bool, gain: param(f32), t: table(u32) },
  ({ h, l, x, starts, gain, t }, { index }) => {
    const scaled = x.mul(gain);
    return {
      halves: h.scanInclusive("add"),
      halfTotal: h.reduce("mul"),
      wide: l.scanInclusive("add"),
      widest: l.scanExclusive("max", { segments: starts }),
      seeded: scaled.scanExclusive("add", { seed: 3 }),
      seededInclusive: scaled.scanInclusive("mul", { seed: 0.5 }),
      seededTotal: scaled.reduce("add", { seed: gain }),
      nested: scaled.scanInclusive("add").scanInclusive("min"),
      parity: starts.toU32().scanInclusive("logical-xor"),
      some: starts.any(),
      every: x.gt(-10).all(),
      picked: t.at(index().rem(5)).scanInclusive("xor"),
      places: index(),
      ...outputs({ spread: operators.welford(f32).reduce({ count: 1, mean: x, m2: 0 }) }),
    };
  },
);

const SEEDED = pipeline("edges", { x: f32 }, ({ x }) => ({
  sums: x.scanExclusive("add", { seed: 3 }),
  most: x.reduce("max"),
}));

type Values = Readonly<Record<string, HostArray | number>>;

function valuesOf(ir: Pipeline, n: number): Record<string, HostArray> {
  const next = numbers(1);
  const make: Readonly<Record<Scalar, () => number | bigint | boolean>> = {
    ...{ i32: next, u32: next, u64: () => 1n, f16: () => (next() - 0.5) * 8 },
    i64: () => BigInt(Math.floor(next() * 2 ** 53)) * 1021n - 2n ** 61n,
    f32: () => rounding(next),
    f64: () => (next() - 0.5) * 2 ** Math.floor(next() * 40 - 20),
    bool: () => next() < 0.003,
  };
  const inputs = ir.nodes.filter((node) => node.kind === "input");
  return Object.fromEntries(
    inputs.map(({ name, type }) => {
      const of = valueTypeOf(type);
      const values = Array.from({ length: n }, () => SCALARS[of].wrap(make[of]()));
      return [name, toArray(type, values)];
    }),
  );
}

const bytesOf = (array: HostArray): Buffer => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
/** Whether two arrays have equal bytes. */
const same = (a: HostArray, b: HostArray): boolean => bytesOf(a).equals(bytesOf(b));

function* chunksOf(values: Values, n: number, size: number): Generator<Record<string, HostArray>> {
  const inputs = Object.entries(values);
  for (let from = 0; from < n; from += size)
    yield Object.fromEntries(
      inputs.map(([name, array]) => [name, (array as HostArray).subarray(from, from + size)]),
    );
}

/** The steps of a stream against the run of the whole range: the names of outputs that differ. */
async function compare(runtime: Runtime, ir: Pipeline, n: number, size: number): Promise<readonly string[]> {
  const values = valuesOf(ir, n);
  const shared = ir === small.ir ? { gain: 0.7, t: Uint32Array.of(3, 1, 4, 1, 5) } : {};
  const executable = await runtime.compile(ir);
  const whole = Object.entries(await executable.run({ ...values, ...shared }));
  const differing = new Set<string>();
  let from = 0;
  for await (const { outputs, state } of stream(runtime, ir, chunksOf(values, n, size), { values: shared })) {
    const to = Math.min(from + size, n);
    expect(state.to).toBe(BigInt(to));
    for (const [name, array] of whole) {
      const isPerItem = array.length === n;
      const want = (isPerItem ? array.subarray(from, to) : array) as HostArray;
      const isComparable = isPerItem || to === n;
      if (isComparable && !same(outputs[name] as HostArray, want)) differing.add(name);
    }
    from = to;
  }
  return [...differing];
}

/** The state of all items before a position, with invented totals. */
function madeUp(ir: Pipeline, to: bigint): State {
  const { scans } = carriedOf(check(ir));
  const empty = emptyState(
    ir.name,
    scans.map(({ operator }) => operator),
  );
  const blocks: Block[] = [];
  for (let start = 0n; start < to; ) {
    let level = 63;
    while (start % 2n ** BigInt(level) !== 0n || start + 2n ** BigInt(level) > to) level--;
    blocks.push({ start, level, total: [Math.fround(Math.sin(level + 1) * 1.7 ** level)] });
    start += 2n ** BigInt(level);
  }
  const fill = (scan: ScanState): ScanState =>
    scan.kind === "cover" ? { ...scan, blocks } : { ...scan, total: [7] };
  return { ...empty, to, scans: empty.scans.map(fill) };
}

/** Positions far into a range: the reference counts in 64 bits, without blocks of 2^30 items. */
async function compareFar(steps: Stepper<typeof SEEDED>, start: bigint, n: number): Promise<void> {
  const state = madeUp(SEEDED.ir, start);
  const { x } = valuesOf(SEEDED.ir, n) as { x: Float32Array };
  const got = await steps.step({ x }, { state });
  const want = referenceStep(carriedOf(check(SEEDED.ir)), { n, inputs: { x: [...x] } }, state);
  const outputs: ReferenceOutputs = want.outputs;
  expect(got.outputs.sums).toEqual(Float32Array.from(outputs.sums as number[]));
  expect([...got.outputs.most]).toEqual(outputs.most);
  expect(got.state).toEqual(want.state);
}

/** Items before the end of a block, and of the chunk. */
const AROUND = [
  [20n, 45],
  [0n, 9],
  [5n, 5],
  [1n, 2],
] as const;
/** The positions near which blocks end. */
const FAR: readonly bigint[] = [
  2n ** 30n,
  2n ** 31n,
  3n * 2n ** 30n,
  2n ** 32n,
  5n * 2n ** 40n,
  2n ** 63n + 2n ** 30n,
];

/** The start of each part that is computed side by side. One part is empty, and one begins at an odd position. */
const PARTS = [0, 1, 512, 700, 700, 1021] as const;

/**
 * The separately computed states of parts, merged from the right, are the state of the whole; each part continues from the
 * state before it.
 */
async function compareParts(runtime: Runtime, n: number): Promise<void> {
  const steps = await stepper(runtime, long);
  const values = valuesOf(long.ir, n);
  const whole = await steps.step(values as never);
  const parts = PARTS.map((from, i) => {
    const inputs = Object.entries(values).map(([name, array]) => [
      name,
      array.subarray(from, PARTS[i + 1] ?? n),
    ]);
    return { from, values: Object.fromEntries(inputs) as never };
  });
  const states = await Promise.all(
    parts.map((part) => steps.stateOf(part.values, { from: BigInt(part.from) })),
  );
  expect(states.reduceRight((right, left) => mergeStates(left, right))).toEqual(whole.state);
  for (const [i, part] of parts.entries()) {
    const state = states.slice(0, i).reduce((left, right) => mergeStates(left, right), steps.start);
    const { outputs } = await steps.step(part.values, { state });
    for (const name of ["sums", "doubles", "trend", "peaks", "best_index"] as const) {
      const want = whole.outputs[name].subarray(part.from, PARTS[i + 1] ?? n);
      expect(same(outputs[name], want)).toBe(true);
    }
  }
  steps.dispose();
}

/** The chunks: their sizes, and the number of items of the long pipeline and of the other. */
const CHUNKS: readonly (readonly [size: number, n: number, few: number])[] = process.env.GROUPWISE_FULL
  ? [
      [1, 1101, 530],
      [1000, 3001, 1030],
      [2 ** 16, 2 ** 20 + 1000, 0],
      [2 ** 20 + 7, 2 ** 20 + 1000, 0],
    ]
  : [
      [1, 530, 130],
      [1000, 3001, 1030],
      [2 ** 16, 2 ** 17 + 1000, 0],
    ];

/** Tests that a runtime returns for chunks the bits of the whole range. @param isOfThreads whether another test has its loops in one thread */
export function states(title: string, probe: Probe<Runtime>, isOfThreads: boolean = false): void {
  describe(`${title} carries states`, () => {
    const open = sharedRuntime(probe);
    // The compiled pipelines of streams are cached between tests.
    const kept: Promise<unknown>[] = [];
    // Outside of full runs one thread has the other chunks.
    const chunks = CHUNKS.filter(([size]) => process.env.GROUPWISE_FULL || !isOfThreads || size === 1000);
    for (const [size, n, few] of chunks)
      deviceTest(`chunks of ${size} items have the bits of the whole range`, open, async (runtime) => {
        if (kept.length === 0) kept.push(...[long, small].map(({ ir }) => stepper(runtime, ir)));
        await Promise.all(kept);
        expect(await compare(runtime, long.ir, n, size)).toEqual([]);
        if (few > 0) expect(await compare(runtime, small.ir, few, size)).toEqual([]);
      });
    deviceTest("states of parts alone join to that of the whole", open, async (runtime) => {
      await compareParts(runtime, 1500);
    });
    deviceTest(
      "outputs of reduces from the state of all items have the bits of the device",
      open,
      (runtime, context) => {
        if (isOfThreads && !process.env.GROUPWISE_FULL)
          context.skip("in the full run: the core computes them, from the states of one thread in every run");
        return compareEndings(runtime, [0, 1, 300, 1021]);
      },
    );
    deviceTest("scatters that count return the elements of a chunk", open, async (runtime) => {
      await compareScatters(runtime);
      await compareScatteredParts(runtime);
    });
    deviceTest("items far into a range have the bits of the reference", open, async (runtime) => {
      const steps = await stepper(runtime, SEEDED);
      for (const end of FAR) for (const [ahead, n] of AROUND) await compareFar(steps, end - ahead, n);
      steps.dispose();
    });
  });
}
