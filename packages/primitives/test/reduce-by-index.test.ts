import { GroupwiseError, type Runtime } from "@groupwise/core";
import { affine, argmax, f32, i32 } from "@groupwise/dsl";
import { reduceByIndex } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { randomOf } from "@groupwise/testkit";
import { expect, test } from "vitest";
import { prefixes } from "../../ir/test/fenwick.ts";
import { onDevices } from "./on-devices.ts";

const js = jsRuntime();

const SUMS = reduceByIndex("add", f32);
const LEAST = reduceByIndex("min", f32);
const WHOLE = reduceByIndex("add", i32);
const MAPS = reduceByIndex(affine(f32));
const FIRST = reduceByIndex(argmax(f32));
const KEPT = reduceByIndex("add", f32, { outside: "drop" });

/** How keys are spread over groups. */
const SPREADS: Readonly<Record<string, (groups: number, draw: () => number) => number>> = {
  even: (groups, draw) => Math.floor(draw() * groups),
  "few large ones": (groups, draw) => Math.floor(draw() ** 6 * groups),
  one: (groups) => groups - 1,
};

interface Items {
  readonly keys: Uint32Array;
  readonly x: Float32Array;
  readonly groups: number;
  /** The indexes of each group's items. */
  readonly lists: readonly (readonly number[])[];
}

function itemsOf(n: number, groups: number, spread: string): Items {
  const random = randomOf(n, groups, spread);
  const rare = [0, -0, Number.NaN, Number.POSITIVE_INFINITY];
  const keys = Uint32Array.from(
    { length: n },
    () => SPREADS[spread]?.(groups, () => random.unit()) as number,
  );
  const x = Float32Array.from({ length: n }, () =>
    random.chance(0.002) ? random.pick(rare) : (random.unit() - 0.5) * 2 ** random.int(-8, 8),
  );
  const lists: number[][] = Array.from({ length: groups }, () => []);
  for (const [i, key] of keys.entries()) lists[key]?.push(i);
  return { keys, x, groups, lists };
}

const sum = (a: number, b: number): number => Math.fround(a + b);
const joined = ([a, b]: readonly number[], [c, d]: readonly number[]): number[] => {
  const [p, q, r, s] = [a, b, c, d] as [number, number, number, number];
  return [Math.fround(r * p), Math.fround(Math.fround(r * q) + s)];
};
const reduced = <T>(items: readonly T[], identity: T, op: (a: T, b: T) => T): T =>
  prefixes(items, identity, op).at(-1) as T;

async function sums(runtime: Runtime, { keys, x, groups, lists }: Items): Promise<void> {
  const got = await SUMS.runOn(runtime, { x, keys }, { groups });
  const want = lists.map((list) =>
    reduced(
      list.map((i) => x[i] as number),
      0,
      sum,
    ),
  );
  expect(got.results).toEqual(Float32Array.from(want));
  expect(got.counts).toEqual(Uint32Array.from(lists, ({ length }) => length));
}

async function others(runtime: Runtime, { keys, x, groups, lists }: Items): Promise<void> {
  const of = (list: readonly number[]): number[] => list.map((i) => x[i] as number);
  const least = await LEAST.runOn(runtime, { x, keys }, { groups });
  expect(least.results).toEqual(Float32Array.from(lists, (list) => Math.min(...of(list))));
  const whole = Int32Array.from(x, (value) => value * 2 ** 20);
  const counted = await WHOLE.runOn(runtime, { x: whole, keys }, { groups });
  const total = (list: readonly number[]): number => list.reduce((a, i) => (a + (whole[i] as number)) | 0, 0);
  expect(counted.results).toEqual(Int32Array.from(lists, total));
  const b = x.map((value) => value / 3);
  const maps = await MAPS.runOn(runtime, { x_a: x, x_b: b, keys }, { groups });
  const want = lists.map((list) =>
    reduced(
      list.map((i) => [x[i] as number, b[i] as number]),
      [1, 0],
      joined,
    ),
  );
  expect(maps.results_a).toEqual(Float32Array.from(want, ([one]) => one as number));
  expect(maps.results_b).toEqual(Float32Array.from(want, ([, one]) => one as number));
}

test("each group has the bits of a reduction of its items alone", async () => {
  for (const n of [0, 1, 2, 255, 257, 3001])
    for (const groups of [1, 2, 7, 256, 5000])
      for (const spread of Object.keys(SPREADS)) await sums(js, itemsOf(n, groups, spread));
});

test("operators of integers, minima, and records that do not commute", async () => {
  for (const spread of Object.keys(SPREADS)) await others(js, itemsOf(1021, 37, spread));
  await others(js, itemsOf(0, 3, "even"));
});

test("the bits of a group do not depend on the others", async () => {
  const { keys, x } = itemsOf(2000, 5, "even");
  const all = await SUMS.runOn(js, { x, keys }, { groups: 5 });
  const [alone] = (
    await SUMS.runOn(
      js,
      {
        x: x.filter((_, i) => keys[i] === 3),
        keys: new Uint32Array(x.length).subarray(0, keys.filter((key) => key === 3).length),
      },
      { groups: 1 },
    )
  ).results;
  expect(all.results[3]).toBe(alone);
});

test("ties: the lowest index, with records", async () => {
  const given = { x_value: Float32Array.of(1, 3, 3, -0, 0), x_index: Uint32Array.of(0, 1, 2, 3, 4) };
  const got = await FIRST.runOn(js, { ...given, keys: Uint32Array.of(0, 0, 0, 2, 2) }, { groups: 3 });
  expect(got.results_index).toEqual(Uint32Array.of(1, 2 ** 32 - 1, 3));
  expect(got.results_value).toEqual(Float32Array.of(3, Number.NEGATIVE_INFINITY, -0));
});

test("keys outside are an error, or dropped", async () => {
  const [x, keys] = [Float32Array.of(1, 2, 4, 8), Uint32Array.of(1, 2, 0xffffffff, 0)];
  const error = await SUMS.runOn(js, { x, keys }, { groups: 2 }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "scatter-outside" });
  const { results, counts } = await KEPT.runOn(js, { x, keys }, { groups: 2 });
  expect([...results, ...counts]).toEqual([8, 1, 1, 1]);
  await expect(SUMS.runOn(js, { x, keys }, { groups: 0 })).rejects.toMatchObject({ code: "scatter-outside" });
  expect(await KEPT.runOn(js, { x, keys }, { groups: 0 })).toEqual({
    results: new Float32Array(0),
    counts: new Uint32Array(0),
  });
});

test("arguments are checked", async () => {
  const x = Float32Array.of(1);
  const code = (act: () => unknown): Promise<string> =>
    Promise.resolve()
      .then(act)
      .then(
        () => "nothing",
        (error: unknown) => (error instanceof GroupwiseError ? error.code : String(error)),
      );
  expect(await code(() => reduceByIndex("sum" as "add", f32))).toBe("unknown-op");
  expect(await code(() => reduceByIndex("add", f32, { outside: "wrap" } as never))).toBe("bad-argument");
  expect(await code(() => reduceByIndex("add", f32, { out: "drop" } as never))).toBe("bad-usage");
  expect(await code(() => SUMS.runOn(js, { x, keys: x } as never, { groups: 1 }))).toBe("wrong-dtype");
  expect(await code(() => SUMS.runOn(js, { x, keys: Uint32Array.of(0) }, {} as never))).toBe("bad-argument");
});

test("the number of items can be in device memory", async () => {
  const { keys, x } = itemsOf(300, 9, "even");
  const count = js.array("u32", Uint32Array.of(200));
  const given = { x: js.array("f32", x), keys: js.array("u32", keys) };
  const { results } = await SUMS.run(js, given, { n: { count, max: 300 }, groups: 9 });
  const want = await SUMS.runOn(js, { x: x.slice(0, 200), keys: keys.slice(0, 200) }, { groups: 9 });
  expect(await results.read()).toEqual(want.results);
});

// On devices that compile slowly `devices.test.ts` has the steps of which it is made.
onDevices(
  "groups of many sizes",
  async (runtime) => {
    await sums(runtime, itemsOf(3001, 100, "few large ones"));
  },
  ["C"],
);
