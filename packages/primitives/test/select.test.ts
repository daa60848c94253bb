import { type HostArray, type Runtime, SCALARS, type Scalar } from "@groupwise/core";
import { f32, u32 } from "@groupwise/dsl";
import { selectNth, topK } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { onDevices } from "./on-devices.ts";
import { KEYS, sorted, typeOf } from "./sorting.ts";

const ALL = Object.keys(SCALARS) as Scalar[];
const keysOf = (kind: string, type: Scalar, n: number): HostArray =>
  (KEYS[kind] as (typeof KEYS)[string])(type, n, `${type} ${kind} ${n} select`);

/** What is wrong with the first k of n keys and with the last of those; undefined where nothing is. */
async function wrong(
  runtime: Runtime,
  type: Scalar,
  kind: string,
  n: number,
  k: number,
  descending: boolean,
): Promise<string | undefined> {
  const keys = keysOf(kind, type, n);
  const want = sorted(type, keys, descending);
  const most = Math.min(k, n);
  const given = { keys: keys as Uint32Array };
  const got = await topK(typeOf(type), { descending }).runOn(runtime, given, { k });
  const one =
    n === 0
      ? { value: keys as Uint32Array }
      : await selectNth(typeOf(type), { descending }).runOn(runtime, given, { nth: most - 1 });
  const found =
    difference(type, got.top, want.keys.slice(0, most) as HostArray) ??
    difference("u32", got.from, want.from.slice(0, most)) ??
    difference("u32", got.count, Uint32Array.of(most)) ??
    difference(type, one.value, want.keys.slice(Math.max(most - 1, 0), most) as HostArray);
  return found && `${type}, ${kind}, k = ${k}, n = ${n}: ${found.text}`;
}

describe("selections in JavaScript", () => {
  const runtime = jsRuntime();
  afterAll(() => runtime.dispose());

  for (const type of ALL)
    test(`${type}: the first k, and the k-th`, async () => {
      for (const kind of Object.keys(KEYS))
        for (const [n, k] of [
          [0, 1],
          [1, 1],
          [1, 5],
          [257, 256],
          [2049, 1],
          [521, 521],
          [4099, 300],
          [700, 1000],
        ] as const)
          expect(await wrong(runtime, type, kind, n, k, k % 2 === 0)).toBeUndefined();
    });

  test("among millions", async () => {
    const n = 2_000_003;
    const keys = keysOf("any bits", "f32", n) as Float32Array;
    const want = keys.slice().sort();
    const { value } = await selectNth(f32).runOn(runtime, { keys }, { nth: n >> 1 });
    expect(value[0]).toBe(want[n >> 1]);
    const { top } = await topK(f32).runOn(runtime, { keys }, { k: 1000 });
    expect(difference("f32", top, want.subarray(0, 1000))).toBeUndefined();
  });

  test("places that there are not are errors", async () => {
    const keys = new Uint32Array(3);
    for (const nth of [-1, 3, 0.5])
      await expect(selectNth(u32).runOn(runtime, { keys }, { nth })).rejects.toMatchObject({
        code: "bad-usage",
        where: "select-nth-u32",
      });
    for (const k of [0, -1, 1.5, 2 ** 32])
      await expect(topK(u32).runOn(runtime, { keys }, { k })).rejects.toMatchObject({ code: "bad-usage" });
  });
});

onDevices("the first k", async (runtime) => {
  for (const type of ["f32", "u64"] as const)
    for (const [kind, n, k] of [
      ["any bits", 4099, 300],
      ["special values", 257, 256],
    ] as const)
      expect(await wrong(runtime, type, kind, n, k, n === 257)).toBeUndefined();
  // As many as a count on the device tells, and more.
  const max = 1000;
  const keys = keysOf("few distinct", "f32", max) as Float32Array;
  const prepared = await topK(f32, { descending: true }).prepare(runtime);
  for (const told of [0, 1, 20, 300, 999]) {
    const count = runtime.array("u32", Uint32Array.of(told));
    const arrays = {
      keys: runtime.array("f32", keys),
      top: runtime.array("f32", 20),
      from: runtime.array("u32", 20),
      count: runtime.array("u32", 1),
    };
    const recorder = runtime.record();
    const between = prepared.record(recorder, arrays, { n: { count, max }, k: 20 });
    await recorder.submit();
    between.dispose();
    const most = Math.min(told, 20);
    const want = sorted("f32", keys.subarray(0, told), true);
    expect(await arrays.count.read()).toEqual(Uint32Array.of(most));
    expect((await arrays.from.read()).slice(0, most)).toEqual(want.from.slice(0, most));
    expect(
      difference("f32", (await arrays.top.read()).slice(0, most), want.keys.slice(0, most)),
    ).toBeUndefined();
  }
  prepared.dispose();
});
