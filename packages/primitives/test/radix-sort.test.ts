import type { ArrayType, Runtime } from "@groupwise/core";
import { ARRAY_TYPES } from "@groupwise/core/target";
import { f32, f64, i32, u32, u64 } from "@groupwise/dsl";
import {
  argsort,
  axisSort,
  lexSort,
  type PairSort,
  radixSort,
  type SortNumbers,
  segmentedSort,
  selectNth,
  topK,
} from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { type Device, onDevices } from "./on-devices.ts";
import { KEYS, pick, sorted, TYPES, typeOf } from "./sorting.ts";

const SIZES = [0, 1, 2, 17, 255, 256, 257, 2049, ...(isFullRun() ? [3, 511, 521, 2047, 2048, 4099] : [])];
const ALL = ARRAY_TYPES;

/** Sorts of pairs of keys and places, built once; compiled once as long as one is prepared. */
const SORTS = new Map<string, PairSort<"u32", "u32">>();
function sortOf(type: ArrayType, descending: boolean): PairSort<"u32", "u32"> {
  const name = `${type} ${descending}`;
  const sort = SORTS.get(name) ?? radixSort(typeOf(type), { pairs: u32, descending });
  SORTS.set(name, sort);
  return sort;
}

/** What is wrong with a sort of pairs by this sort; undefined where nothing is. */
async function wrong(
  runtime: Runtime,
  type: ArrayType,
  kind: string,
  n: number,
  descending: boolean = false,
): Promise<unknown> {
  const keys = (KEYS[kind] as (typeof KEYS)[string])(type, n, `${type} ${kind} ${n}`);
  const values = Uint32Array.from({ length: n }, (_, i) => i);
  const got = await sortOf(type, descending).runOn(runtime, { keys: keys as Uint32Array, values });
  const want = sorted(type, keys, descending);
  const found = difference(type, got.sorted, want.keys) ?? difference("u32", got.moved, want.from);
  return found && `${type}, ${kind}, n = ${n}: ${found.text}`;
}

describe("radix sort in JavaScript", () => {
  const runtime = jsRuntime();
  afterAll(() => runtime.dispose());

  for (const type of ALL)
    for (const descending of [false, true])
      test(`${type}, ${descending ? "down" : "up"}: any n, any keys, stable`, async () => {
        const kept = await sortOf(type, descending).prepare(runtime);
        for (const kind of Object.keys(KEYS))
          for (const n of SIZES) expect(await wrong(runtime, type, kind, n, descending)).toBeUndefined();
        kept.dispose();
      });

  test("sorts lists of any keys as the platform does", async () => {
    const list = fc.array(fc.float({ noDefaultInfinity: false }), { maxLength: 700 });
    await fc.assert(
      fc.asyncProperty(list, fc.boolean(), async (keys, descending) => {
        const array = Float32Array.from(keys);
        const { sorted: got } = await radixSort(f32, { descending }).runOn(runtime, { keys: array });
        expect(difference("f32", got, sorted("f32", array, descending).keys)).toBeUndefined();
      }),
      { numRuns: 12 },
    );
  });

  test("values of every type move with their keys", async () => {
    for (const type of ALL) {
      const n = 1021;
      const keys = KEYS["few distinct"]?.("i32", n, type) as Int32Array;
      const values = KEYS["special values"]?.(type, n, type) as Uint32Array;
      const { moved } = await radixSort(i32, { pairs: typeOf(type) }).runOn(runtime, { keys, values });
      expect(difference(type, moved, pick(values, sorted("i32", keys).from))).toBeUndefined();
    }
  });

  test("many keys, as the platform sorts them", async () => {
    const n = isFullRun() ? 2_000_003 : 70_001;
    for (const type of ["u32", "f32"] as const) {
      const keys = KEYS["any bits"]?.(type, n, "many") as Uint32Array;
      const { sorted: got } = await radixSort(typeOf(type)).runOn(runtime, { keys });
      expect(difference(type, got, keys.slice().sort())).toBeUndefined();
    }
  });

  test("equal bits need no pass", async () => {
    for (const bits of [0, 1, 4, 7, 8, 11, 16]) {
      const keys = Uint32Array.from({ length: 3001 }, (_, i) => (i * 40503) & (2 ** bits - 1));
      const { sorted: got } = await radixSort(u32).runOn(runtime, { keys }, { endBit: bits });
      expect(difference("u32", got, keys.slice().sort())).toBeUndefined();
      const down = await radixSort(f64, { descending: true }).runOn(
        runtime,
        { keys: new Float64Array(BigUint64Array.from(keys, (key) => BigInt(key) + (1023n << 52n)).buffer) },
        { endBit: bits },
      );
      const back = Array.from(new BigUint64Array(down.sorted.slice().buffer), (x) => Number(x & 0xffffn));
      expect(back).toEqual(Array.from(keys).sort((a, b) => b - a));
    }
  });

  test("bits outside of the range do not count, and keys that differ in them alone keep their order", async () => {
    const n = 3001;
    for (const range of ["3 3", "3 5", "8 16", "20 31", "7 32"]) {
      const [begin = 0, end = 0] = range.split(" ").map(Number);
      const keys = KEYS["any bits"]?.("u32", n, `${begin} ${end}`) as Uint32Array;
      const digit = (key: number): number => Math.floor(key / 2 ** begin) % 2 ** (end - begin);
      const want = Array.from(keys).sort((a, b) => digit(a) - digit(b));
      const numbers = { beginBit: begin, endBit: end };
      const { sorted: got } = await radixSort(u32).runOn(runtime, { keys }, numbers);
      expect([...got]).toEqual(want);
      const { order } = await argsort(u32).runOn(runtime, { keys }, numbers);
      expect(Array.from(order, (i) => keys[i])).toEqual(want);
    }
  });

  test("bits that the type does not have are an error", async () => {
    const refused = [
      [{ beginBit: -1 }, "bad-argument"],
      [{ endBit: 1.5 }, "bad-argument"],
      [{ endBit: Number.NaN }, "bad-argument"],
      [{ endBit: 33 }, "bad-usage"],
      [{ beginBit: 5, endBit: 4 }, "bad-usage"],
      [{ bits: 4 } as object, "bad-usage"],
    ] as const;
    const keys = new Uint32Array(3);
    const runs: readonly ((numbers: SortNumbers) => Promise<unknown>)[] = [
      (numbers) => radixSort(u32).runOn(runtime, { keys }, numbers),
      (numbers) => argsort(u32).runOn(runtime, { keys }, numbers),
      (numbers) => axisSort(u32).runOn(runtime, { keys }, { length: 3, ...numbers }),
      (numbers) => segmentedSort(u32).runOn(runtime, { keys, offsets: Uint32Array.of(0, 3) }, numbers),
    ];
    for (const [numbers, code] of refused)
      for (const run of runs) await expect(run(numbers)).rejects.toMatchObject({ code });
    const wide = new BigUint64Array([3n, 2n]);
    expect((await radixSort(u64).runOn(runtime, { keys: wide }, { endBit: 64 })).sorted[0]).toBe(2n);
  });
});

/**
 * Those whose bits are made differently, each on some device; in full runs, which have the time to compile, on several.
 * lavapipe takes 10 s to compile the ranks of each form of key; the suite has one of them.
 */
const TRIED: Readonly<Partial<Record<Device, readonly ArrayType[]>>> = isFullRun()
  ? {
      JavaScript: ALL,
      C: ["f32", "i64"],
      lavapipe: ["f32"],
      "lavapipe with the least limits": ["u64"],
      PoCL: ["i32", "f16", "f32", "f64", "i64"],
      "JavaScript workers": ["f32", "u8"],
      WebAssembly: ALL,
      "CUDA on the CPU": ["i32", "f16", "f32", "f64", "u64"],
    }
  : { JavaScript: ALL, PoCL: ["f16", "f32", "u64"] };

async function sorts(runtime: Runtime, device: Device): Promise<void> {
  for (const type of TRIED[device] ?? []) {
    const kept = await sortOf(type, false).prepare(runtime);
    const [n, asked] = [10_000, type as "u32"];
    const own = { keys: runtime.array(asked, n), sorted: runtime.array(asked, n) };
    const others = { values: runtime.array("u32", n), moved: runtime.array("u32", n) };
    const recorder = runtime.record();
    const between = kept.record(recorder, { ...own, ...others });
    expect(kept.scratchBytes({ keys: n, values: n })).toBe(between.byteLength);
    await recorder.submit();
    if (type.endsWith("32") || type.endsWith("64")) {
      // Over the input: the keys are sorted, and their places in reverse.
      const places = Uint32Array.from({ length: n }, (_, i) => n - 1 - i);
      const keys = (KEYS["any bits"] as (typeof KEYS)[string])(type, n, type) as Uint32Array;
      own.keys.write(keys);
      others.values.write(places);
      const [{ keys: same }, { values: moved }] = [own, others];
      kept.record(recorder, { keys: same, sorted: same, values: moved, moved }, { between });
      await recorder.submit();
      const want = sorted(type, keys);
      expect(difference(type, await own.keys.read(), want.keys)).toBeUndefined();
      expect(await others.values.read()).toEqual(want.from.map((i) => n - 1 - i));
    }
    for (const one of [between, ...Object.values({ ...own, ...others })]) one.dispose();
    for (const [kind, n] of [
      ["any bits", 4099],
      ["special values", 257],
      ["all equal", 513],
      ["reversed", 2],
    ] as const)
      expect(await wrong(runtime, type, kind, n)).toBeUndefined();
    if (type.endsWith("32")) {
      expect(await wrong(runtime, type, "any bits", 0)).toBeUndefined();
      expect(await wrong(runtime, type, "any bits", 70_001)).toBeUndefined();
    }
    kept.dispose();
  }
  if (isFullRun() || device === "PoCL")
    expect(await wrong(runtime, "f32", "special values", 521, true)).toBeUndefined();
}
// In other runs JavaScript has all types, and the suite has ranks on PoCL.
if (isFullRun()) onDevices("radix sort", sorts);

onDevices(
  "radix sorts in one recording, counted on the device",
  async (runtime) => {
    const max = 3000;
    const keys = KEYS["special values"]?.("f32", max, "counted") as Float32Array;
    const marks = KEYS["any bits"]?.("bool", max, "marks") as Uint8Array;
    const told = [0, 1, 255, 256, 257, 2999, 3000, 4_000_000];
    const counts = runtime.array("u32", Uint32Array.from([9, ...told]));
    const [byKey, byMark] = [
      await radixSort(f32).prepare(runtime),
      await radixSort(TYPES.bool, { pairs: f32 }).prepare(runtime),
    ];
    const given = { keys: runtime.array("f32", keys), marks: runtime.array("bool", marks) };
    const recorder = runtime.record();
    const runs = told.map((count, i) => {
      const n = { count: counts, at: i + 1, max };
      const [up, moved] = [runtime.array("f32", max), runtime.array("f32", max)];
      const flags = runtime.array("bool", max);
      const between = [
        byKey.record(recorder, { keys: given.keys, sorted: up }, { n }),
        byMark.record(recorder, { keys: given.marks, values: given.keys, sorted: flags, moved }, { n }),
      ];
      return { n: Math.min(count, max), up, flags, moved, between };
    });
    await recorder.submit();
    for (const { n, up, flags, moved, between } of runs) {
      for (const one of between) one.dispose();
      const part = keys.subarray(0, n);
      const byFlag = sorted("bool", marks.subarray(0, n));
      expect(difference("f32", (await up.read()).subarray(0, n), sorted("f32", part).keys)).toBeUndefined();
      expect(difference("bool", (await flags.read()).subarray(0, n), byFlag.keys)).toBeUndefined();
      expect(difference("f32", (await moved.read()).subarray(0, n), pick(part, byFlag.from))).toBeUndefined();
    }
    byKey.dispose();
    byMark.dispose();
  },
  // In full runs on devices: the suite has ranks on PoCL, and its recordings have counts.
  ["JavaScript"],
);

test("-0 is less than +0, in either direction, as for min and max and in typed arrays' own sort", async () => {
  const runtime = jsRuntime();
  const keys = Float32Array.of(0, -0, Number.NaN, 0, -0, 1, -1);
  const values = Uint32Array.from(keys.keys());
  const sortBy = async (keys: Float32Array, descending: boolean) =>
    radixSort(f32, { pairs: u32, descending }).runOn(runtime, { keys, values });
  const up = await sortBy(keys, false);
  expect(up.sorted).toEqual(keys.slice().sort());
  expect([...up.moved]).toEqual([6, 1, 4, 0, 3, 5, 2]);
  const down = await sortBy(keys, true);
  expect(down.sorted).toEqual(Float32Array.of(1, 0, 0, -0, -0, -1, Number.NaN));
  expect([...down.moved]).toEqual([5, 0, 3, 1, 4, 6, 2]);
  const zeros = keys.subarray(0, 2);
  for (const [descending, first, from] of [
    [false, -0, 1],
    [true, 0, 0],
  ] as const) {
    const { top, from: place } = await topK(f32, { descending }).runOn(runtime, { keys: zeros }, { k: 1 });
    expect([...top, ...place]).toEqual([first, from]);
    const { value } = await selectNth(f32, { descending }).runOn(runtime, { keys: zeros }, { nth: 0 });
    expect([...value]).toEqual([first]);
  }
  // Without -0 the order is that of a stable sort by value, downwards too.
  const plain = keys.subarray(3, 7).map((key) => key + 0);
  const byValue = [...plain.keys()].sort((a, b) => (plain[b] as number) - (plain[a] as number));
  const none = await radixSort(f32, { pairs: u32, descending: true }).runOn(runtime, {
    keys: plain,
    values: values.subarray(0, 4),
  });
  expect([...none.moved]).toEqual(byValue);
});

test("keys of a sort by several keys have names, which options name", () => {
  const refused = [
    [() => lexSort({}), "bad-usage"],
    [() => lexSort({ a: f32 }, { descending: ["b" as "a"] }), "bad-usage"],
    [() => lexSort({ order: f32 }), "bad-name"],
    [() => lexSort({ 1: f32, 0: f32 }), "bad-name"],
    [() => lexSort({ a: "f32" as never }), "bad-argument"],
  ] as const;
  for (const [make, code] of refused) expect(make).toThrow(expect.objectContaining({ code }));
});
