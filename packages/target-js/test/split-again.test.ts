/** Steps of one executable over arrays in parts, again and again: they use small arrays again, in which nothing of an earlier step may be left. */
import type { DeviceArray, HostArray, Pipeline, Runtime } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { f32, operators, param, pipeline, table, u32 } from "@groupwise/dsl";
import fc from "fast-check";
import { expect, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";
import { type Counted, counted } from "./fixtures/counted.ts";
import { hashesOf } from "./fixtures/parted.ts";

const scans = pipeline("scans", { x: f32, gain: param(f32) }, ({ x, gain }, { globalSize }) => ({
  sums: x.mul(gain).scanInclusive("add"),
  trend: operators.affine(f32).scanInclusive({ a: gain.perItem(), b: x }).b,
  least: x.scanExclusive("min"),
  total: x.mul(gain).reduce("add"),
  n: globalSize(),
}));
const reduces = pipeline("reduces", { x: f32, gain: param(f32) }, ({ x, gain }, { globalSize }) => ({
  total: x.mul(gain).reduce("add").add(gain),
  least: x.reduce("min"),
  n: globalSize(),
}));
const maps = pipeline("maps", { x: f32, gain: param(f32) }, ({ x, gain }, { index }) => ({
  y: x.mul(gain),
  place: index(),
}));
const SOURCES = [scans.ir, reduces.ir, maps.ir];

interface Values {
  readonly x: Float32Array;
  readonly gain: number;
}

const valuesOf = (n: number, seed: number): Values => ({
  x: Float32Array.from({ length: n }, (_, i) => Math.sin(i * seed + seed) * 2 ** ((i * seed) % 17)),
  gain: 0.5 + seed / 7,
});

type Across = ReturnType<typeof acrossRuntimes>;
type Results = Readonly<Record<string, HostArray>>;

const one = jsRuntime();
const wanted = async (ir: Pipeline, values: Values): Promise<Results> =>
  (await (await one.compile(ir)).run(values as never)) as Results;

/** A step over new arrays. The reads are requested before it is done. */
async function stepOf(across: Across, executable: object, ir: Pipeline, values: Values): Promise<Results> {
  const outputs = (await one.compile(ir)).manifest.bindings.filter(({ role }) => role === "output");
  const made = outputs.map(({ name, type, uniformity }) => {
    const array = across.array(type, uniformity === "item" ? values.x.length : 1);
    return [name, array] as const;
  });
  const arrays = { x: across.array("f32", values.x), gain: values.gain, ...Object.fromEntries(made) };
  const done = across
    .record()
    .run(executable as never, arrays as never)
    .submit();
  const read = made.map(async ([name, array]) => [name, await array.read()] as const);
  try {
    const [results] = await Promise.all([Promise.all(read), done]);
    return Object.fromEntries(results) as Results;
  } finally {
    for (const [, array] of made) array.dispose();
  }
}

const some = (count: number): Counted[] => Array.from({ length: count }, () => counted(jsRuntime()));
const runtimesOf = (all: readonly Counted[]): Runtime[] => all.map(({ runtime }) => runtime);

test("any steps one after the other have the bits of one runtime, whatever the split", async () => {
  const shares = fc
    .array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 })
    .filter((list) => list.some((share) => share > 0));
  const lengths = fc.oneof(fc.constantFrom(0, 1, 2, 64, 4096), fc.integer({ min: 0, max: 700 }));
  const calls = fc.array(
    fc.tuple(fc.constantFrom(...SOURCES.keys()), lengths, fc.integer({ min: 1, max: 9 }), fc.boolean()),
    { minLength: 2, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(shares, calls, async (list, made) => {
      const across = acrossRuntimes(runtimesOf(some(list.length)), { shares: list });
      const executables = await Promise.all(SOURCES.map((ir) => across.compile({ ir })));
      for (const [at, n, seed, isRun] of made) {
        const [ir, executable] = [SOURCES[at] as Pipeline, executables[at] as (typeof executables)[number]];
        const values = valuesOf(n, seed);
        const got = isRun
          ? await executable.run(values as never)
          : await stepOf(across, executable, ir, values);
        expect(hashesOf(got)).toEqual(hashesOf(await wanted(ir, values)));
      }
    }),
    { numRuns: process.env.GROUPWISE_FULL ? 30 : 6 },
  );
});

test("steps, runs, and steps of other arrays on the same runtimes at the same time", async () => {
  const runtimes = runtimesOf(some(3));
  const [a, b] = [acrossRuntimes(runtimes), acrossRuntimes(runtimes, { shares: [1, 3, 2] })];
  for (const ir of SOURCES) {
    const compiled = [await a.compile({ ir }), await b.compile({ ir })] as const;
    const calls = Array.from({ length: 12 }, async (_, i) => {
      const values = valuesOf(100 + 37 * i, 1 + (i % 9));
      const want = await wanted(ir, values);
      const executable = compiled[i % 2] as (typeof compiled)[number];
      const got =
        i % 3 === 0
          ? await executable.run(values as never)
          : await stepOf(i % 2 ? b : a, executable, ir, values);
      expect(hashesOf(got)).toEqual(hashesOf(want));
    });
    await Promise.all(calls);
  }
});

test("after an error of one runtime nothing of the failed step is left", async () => {
  const failures = new Set<string>();
  for (const ir of SOURCES)
    for (const at of [0, 1, 2]) {
      const all = some(3);
      const across = acrossRuntimes(runtimesOf(all));
      const executable = await across.compile({ ir });
      const first = valuesOf(300, 2);
      expect(hashesOf(await stepOf(across, executable, ir, first))).toEqual(
        hashesOf(await wanted(ir, first)),
      );
      for (const where of ["submit", "read", "write"] as const) {
        (all[at] as Counted).fail(where);
        const failed = await stepOf(across, executable, ir, valuesOf(300, 3)).catch((error) => error);
        if (failed instanceof Error) failures.add(failed.message);
        (all[at] as Counted).fail(undefined);
        // The states of the last good step, and others.
        for (const values of [first, valuesOf(411, 4), first]) {
          const again = await stepOf(across, executable, ir, values);
          expect(hashesOf(again)).toEqual(hashesOf(await wanted(ir, values)));
        }
      }
    }
  expect(failures).toEqual(new Set(["no submit", "no read", "no write"]));
});

const plus = pipeline("plus", { x: f32, t: table(f32) }, ({ x, t }) => ({
  y: x.reduce("add").add(t.at(u32(0))),
}));
const total = pipeline("total", { x: f32 }, ({ x }) => ({ y: x.reduce("add") }));
const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));

const liveOf = (all: readonly Counted[]): readonly DeviceArray[] => all.flatMap((one) => one.live());

test("the arrays that steps keep are freed with the executable, also those in use", async () => {
  for (const isInUse of [false, true]) {
    const all = some(2);
    const across = acrossRuntimes(runtimesOf(all));
    const executable = await across.compile({ ir: sums.ir });
    const [x, y] = [across.array("f32", new Float32Array(500)), across.array("f32", 500)];
    const step = (): Promise<void> =>
      across
        .record()
        .run(executable as never, { x, y } as never)
        .submit();
    await step();
    // Those of the caller, and others.
    expect(liveOf(all).length).toBeGreaterThan(4);
    if (isInUse) {
      const { calls } = all[1] as Counted;
      const { submits } = calls;
      const running = step();
      while (calls.submits === submits) await undefined;
      executable.dispose();
      await running;
    } else executable.dispose();
    expect(liveOf(all).map(({ length }) => length)).toEqual([252, 252, 248, 248]);
  }
});

test("a step calls no runtime more often than it must, makes no arrays after the first one, and reads only what it needs", async () => {
  const counts = async (ir: Pipeline, length: 1 | 96): Promise<unknown> => {
    const all = some(3);
    const across = acrossRuntimes(runtimesOf(all));
    const executable = await across.compile({ ir });
    const arrays = {
      x: across.array(
        "f32",
        Float32Array.from({ length: 96 }, (_, i) => i),
      ),
      y: across.array("f32", length),
      ...(ir === plus.ir && { t: across.table("f32", Float32Array.of(1)) }),
    };
    const step = (): Promise<void> =>
      across
        .record()
        .run(executable as never, arrays as never)
        .submit();
    await step();
    const before = all.map(({ calls }) => ({ ...calls }));
    await step();
    return all.map(({ calls }, i) => {
      const past = before[i] as Counted["calls"];
      return [calls.submits - past.submits, calls.arrays - past.arrays, calls.reads - past.reads];
    });
  };
  // Submits, new arrays and reads of each runtime.
  expect(await counts(total.ir, 1)).toEqual([
    [1, 0, 1],
    [1, 0, 1],
    [1, 0, 1],
  ]);
  // The table is in the memory of the runtimes: the first one computes the output.
  expect(await counts(plus.ir, 1)).toEqual([
    [2, 0, 2],
    [1, 0, 1],
    [1, 0, 1],
  ]);
  // The state of the last part is not needed.
  expect(await counts(sums.ir, 96)).toEqual([
    [2, 0, 1],
    [2, 0, 1],
    [1, 0, 0],
  ]);
});
