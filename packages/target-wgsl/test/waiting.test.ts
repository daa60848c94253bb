/** What waits for the host: reads of one turn, chains of recorders, and runs that JavaScript takes. */
import type { GroupwiseError, RunOptions, RunValues } from "@groupwise/core";
import { explain, printExplanation, smallRuns } from "@groupwise/core";
import { affine, f16, param, pipeline, scalar, table, u8, u32, u64 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { deviceTest, isFullRun } from "@groupwise/testkit/conformance";
import { afterEach, describe, expect, vi } from "vitest";
import { Tiers } from "../src/runtime/tiers.ts";
import { webgpuRuntime } from "../src/runtime.ts";
import { dawn } from "./devices.ts";
import { spied } from "./spied.ts";

const lavapipe = () => dawn();
afterEach(() => {
  vi.restoreAllMocks();
});

const options = { places: false } as const;
const sums = pipeline("sums", { x: u32 }, ({ x }) => ({ y: x.scanInclusive("add") }), options);
const moved = pipeline("moved", { x: u32 }, ({ x }) => ({ y: x.scatter({ to: x }) }), options);
const from = (n: number, first: number): Uint32Array => Uint32Array.from({ length: n }, (_, i) => first + i);
const summed = (x: Uint32Array): Uint32Array => {
  let sum = 0;
  return x.map((one) => {
    sum += one;
    return sum;
  });
};
const coded = (code: string) => expect.objectContaining({ code });

/** A device that counts its maps; `spoils` are the numbers of submissions that use a destroyed buffer. */
function counted(device: GPUDevice, spoils: ReadonlySet<number> = new Set()) {
  const seen = { maps: 0, submits: 0, all: [] as GPUBuffer[] };
  const queue = spied(device.queue, {
    submit: (buffers: GPUCommandBuffer[]) => {
      if (buffers.length === 0 || !spoils.has(seen.submits++)) return device.queue.submit(buffers);
      const buffer = device.createBuffer({ size: 4, usage: 12 });
      const encoder = device.createCommandEncoder();
      encoder.clearBuffer(buffer);
      buffer.destroy();
      return device.queue.submit([encoder.finish(), ...buffers]);
    },
  });
  const counting = spied(device, {
    queue,
    createBuffer: (descriptor: GPUBufferDescriptor) => {
      const buffer = device.createBuffer(descriptor);
      const map = buffer.mapAsync.bind(buffer);
      buffer.mapAsync = (...given: Parameters<GPUBuffer["mapAsync"]>) => {
        seen.maps++;
        return map(...given);
      };
      return buffer;
    },
  });
  return { device: counting, seen };
}

describe("results of one turn", () => {
  deviceTest(
    "of runs, reads and submits are read by one map, each with its own errors",
    lavapipe,
    async (gpu) => {
      const { device, seen } = counted(gpu);
      const runtime = webgpuRuntime(device);
      const [sum, move] = [await runtime.compile(sums), await runtime.compile(moved)];
      const a = runtime.array("u32", from(100, 7));
      const b = runtime.array("u32", 100);
      seen.maps = 0;
      const settled = await Promise.allSettled([
        ...Array.from({ length: 8 }, (_, i) => sum.run({ x: from(i * 100, i) })),
        move.run({ x: from(3, 1) }),
        move.run({ x: from(3, 0) }),
        runtime.record().run(move, { x: a, y: b }).submit(),
        a.read(),
      ]);
      expect(seen.maps).toBe(1);
      const found = settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.code));
      expect(found).toEqual([
        ...Array.from({ length: 8 }, (_, i) => ({ y: summed(from(i * 100, i)) })),
        "scatter-outside",
        { y: from(3, 0) },
        "scatter-outside",
        from(100, 7),
      ]);
      await expect(b.read()).rejects.toEqual(coded("scatter-outside"));
    },
  );

  deviceTest("that the device refuses take nothing from the others", lavapipe, async (gpu) => {
    const spoils = new Set<number>();
    const { device, seen } = counted(gpu, spoils);
    const sum = await webgpuRuntime(device).compile(sums);
    await sum.run({ x: from(5, 1) });
    for (const at of [1, 3]) spoils.add(seen.submits + at);
    seen.maps = 0;
    const settled = await Promise.allSettled([0, 1, 2, 3, 4].map((first) => sum.run({ x: from(50, first) })));
    expect(settled.map((one) => (one.status === "fulfilled" ? one.value : one.reason.code))).toEqual([
      { y: summed(from(50, 0)) },
      "device-error",
      { y: summed(from(50, 2)) },
      "device-error",
      { y: summed(from(50, 4)) },
    ]);
    expect(seen.maps).toBe(1);
  });

  deviceTest(
    "of a runtime that is disposed of meanwhile arrive, those of a lost device do not",
    lavapipe,
    async (gpu) => {
      const runtime = webgpuRuntime(gpu);
      const sum = await runtime.compile(sums);
      const runs = [1, 2, 3].map((first) => sum.run({ x: from(1000, first) }));
      runtime.dispose();
      const all = await Promise.all(runs);
      expect(all).toEqual([1, 2, 3].map((first) => ({ y: summed(from(1000, first)) })));
      const other = await webgpuRuntime(gpu).compile(sums);
      const lost = [1, 2, 3].map((first) => other.run({ x: from(1000, first) }));
      gpu.destroy();
      for (const run of lost) await expect(run).rejects.toEqual(coded("device-lost"));
    },
  );
});

deviceTest("a chain of recorders maps nothing before its results are read", lavapipe, async (gpu) => {
  const { device, seen } = counted(gpu);
  const runtime = webgpuRuntime(device);
  const sum = await runtime.compile(sums);
  const [a, b] = [runtime.array("u32", from(1000, 0)), runtime.array("u32", 1000)];
  const count = runtime.array("u32", Uint32Array.of(900));
  seen.maps = 0;
  for (let i = 0; i < 5; i++)
    void runtime
      .record()
      .run(sum, i % 2 ? { x: b, y: a } : { x: a, y: b }, { n: { count, max: 1000 } })
      .submit();
  expect(seen.maps).toBe(0);
  const want = [1, 2, 3, 4, 5].reduce((x) => summed(x), from(900, 0));
  expect((await b.read()).slice(0, 900)).toEqual(want);
  expect(seen.maps).toBe(1);
});

const bytes = pipeline(
  "bytes",
  { text: u8, step: param(u64) },
  ({ text, step }, { index }) => {
    const where = text.gt(200);
    return {
      kept: index().scatter({ to: index(), where }),
      isKept: where,
      far: text.toU64().mul(step),
      count: scalar(where.toU32().reduce("add")),
    };
  },
  options,
);
const records = pipeline(
  "records",
  { x: u32, key: u32, t: table(u32) },
  ({ x, key, t }) => {
    const maps = affine(u32).scanInclusive({ a: x, b: t.at(key) }, { keys: key });
    return { a: maps.a, b: maps.b };
  },
  options,
);
const grid = pipeline(
  "grid",
  { x: f16 },
  ({ x }, { globalId }) => ({
    y: x.add(globalId(0).add(globalId(1)).toF16()),
    most: x.reduce("max", { scope: "work-group" }),
  }),
  { ...options, workGroupSize: [4, 2] },
);

const n = 96;
const half = Uint16Array.from({ length: n }, (_, i) => 0x3c00 + 37 * i - (i % 3) * 0x8000);
const CASES: readonly [typeof bytes | typeof records | typeof grid, RunValues, RunOptions][] = [
  [bytes, { text: Uint8Array.from({ length: n }, (_, i) => 11 * i), step: 2n ** 61n + 5n }, {}],
  [
    records,
    {
      x: Uint32Array.from({ length: n }, (_, i) => Math.imul(i, 0x9e3779b1)),
      key: Uint32Array.from({ length: n }, (_, i) => i >> 3),
      t: Uint32Array.from({ length: 12 }, (_, i) => 5 * i + 1),
    },
    { n },
  ],
  [grid, { x: half }, { globalSize: [12, 8], globalOffset: [3, 1] }],
];

/** Each look at the clock takes a millisecond: so does every run, and both are measured as equally quick. */
function withClock(): void {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time++);
}

describe("small runs in JavaScript", () => {
  deviceTest("have the results of the device, bit for bit, and its errors", lavapipe, async (gpu) => {
    withClock();
    const small = jsRuntime();
    const runtime = webgpuRuntime(gpu, { small: smallRuns(small) });
    // llvmpipe compiles scans of records for a second; the others have all forms of arrays and ranges.
    for (const [source, values, how] of CASES.filter(([one]) => isFullRun() || one !== records)) {
      const executable = await runtime.compile(source as typeof bytes);
      const device = await executable.run(values as never, how);
      for (let i = 0; i < 4; i++) await executable.run(values as never, how);
      const before = runtime.stats().small as number;
      const host = await executable.run(values as never, how);
      expect([runtime.stats().small, executable.small?.device]).toEqual([before + 1, "JavaScript"]);
      expect(host).toEqual(device);
      await expect(executable.run({} as never, how)).rejects.toEqual(coded("missing-input"));
      await expect(executable.run(values as never, { ...how, n: 3 })).rejects.toEqual(
        expect.objectContaining({ code: expect.stringMatching(/length-mismatch|bad-range/) }),
      );
    }
    // Pipelines whose kernels write over their input, and which report an error.
    const inPlace = await runtime.compile(sums, { inPlace: { y: "x" } });
    const x = from(50, 3);
    for (let i = 0; i < 6; i++) expect(await inPlace.run({ x })).toEqual({ y: summed(from(50, 3)) });
    expect([x, inPlace.small?.runs]).toEqual([from(50, 3), expect.any(Number)]);
    const move = await runtime.compile(moved);
    const errors = new Set<string>();
    for (let i = 0; i < 6; i++)
      await move
        .run({ x: from(3, 1) })
        .catch((error: GroupwiseError) => errors.add(`${error.code} ${error.where}`));
    await move.run({ x: from(3, 0) });
    expect([...errors]).toEqual(["scatter-outside moved"]);
    expect(printExplanation(explain(inPlace.plan, { n: 50, small: inPlace.small }))).toMatch(
      /small runs: in JavaScript up to [0-9,]+ items/,
    );
    expect(small.stats().inUse).toBeGreaterThan(0);
    runtime.dispose();
    await expect(inPlace.run({ x })).rejects.toEqual(coded("disposed"));
    expect(small.stats().inUse).toBe(0);
  });

  deviceTest(
    "read their values before run returns, and steps of recorders stay on the device",
    lavapipe,
    async (gpu) => {
      withClock();
      const runtime = webgpuRuntime(gpu, { small: smallRuns(jsRuntime()) });
      const sum = await runtime.compile(sums);
      for (let i = 0; i < 6; i++) {
        const x = from(20, i);
        const run = sum.run({ x });
        x.fill(9);
        expect(await run).toEqual({ y: summed(from(20, i)) });
      }
      const taken = runtime.stats().small;
      const [a, b] = [runtime.array("u32", from(20, 1)), runtime.array("u32", 20)];
      await runtime.record().run(sum, { x: a, y: b }).submit();
      expect([await b.read(), runtime.stats().small]).toEqual([summed(from(20, 1)), taken]);
      gpu.destroy();
      await gpu.lost;
      await expect(sum.run({ x: from(20, 1) })).rejects.toEqual(coded("device-lost"));
    },
  );

  deviceTest("are none of an executable that is compiled without them", lavapipe, async (gpu) => {
    withClock();
    const runtime = webgpuRuntime(gpu, { small: smallRuns(jsRuntime()) });
    const [all, none] = [await runtime.compile(sums), await runtime.compile(sums, { small: false })];
    for (let i = 0; i < 6; i++)
      for (const one of [all, none])
        expect(await one.run({ x: from(20, i) })).toEqual({ y: summed(from(20, i)) });
    expect([all.small?.runs, runtime.stats().small, none.small]).toEqual([
      expect.any(Number),
      all.small?.runs,
      undefined,
    ]);
    expect(all.small?.runs).toBeGreaterThan(0);
    expect(printExplanation(explain(none.plan, { small: none.small }))).not.toContain("small runs");
  });

  deviceTest("are none without the option", lavapipe, async (gpu) => {
    const runtime = webgpuRuntime(gpu);
    const sum = await runtime.compile(sums);
    expect([sum.small, "small" in runtime.stats()]).toEqual([undefined, false]);
    for (const small of [true, jsRuntime()])
      expect(() => webgpuRuntime(gpu, { small: small as never })).toThrowError(coded("bad-argument"));
    expect(() => smallRuns({} as never)).toThrowError(coded("bad-argument"));
  });
});

deviceTest("what is being compiled when the runtime is disposed of is freed", lavapipe, async (gpu) => {
  const freed = vi.spyOn(Tiers.prototype, "dispose");
  const runtime = webgpuRuntime(gpu);
  const compiling = runtime.compile(sums);
  runtime.dispose();
  await expect(compiling).rejects.toEqual(coded("disposed"));
  expect(freed).toHaveBeenCalledTimes(1);
});
