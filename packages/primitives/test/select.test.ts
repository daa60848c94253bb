import type { ArrayType, HostArray, Runtime } from "@groupwise/core";
import { ARRAY_TYPES } from "@groupwise/core/target";
import { f32, u32 } from "@groupwise/dsl";
import { selectNth, topK } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { isFullRun } from "@groupwise/testkit/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { onDevices } from "./on-devices.ts";
import { KEYS, sorted, typeOf } from "./sorting.ts";

const keysOf = (kind: string, type: ArrayType, n: number): HostArray =>
  (KEYS[kind] as (typeof KEYS)[string])(type, n, `${type} ${kind} ${n} select`);

/** Built once; compiled once as long as one is prepared. */
const MADE = new Map<string, Selections>();
interface Selections {
  readonly top: ReturnType<typeof topK<"u32">>;
  readonly one: ReturnType<typeof selectNth<"u32">>;
}
function selectionsOf(type: ArrayType, descending: boolean): Selections {
  const name = `${type} ${descending}`;
  const options = { descending };
  const made = MADE.get(name) ?? { top: topK(typeOf(type), options), one: selectNth(typeOf(type), options) };
  MADE.set(name, made);
  return made;
}

/** What is wrong with the first k of n keys and with the last of those; undefined where nothing is. */
async function wrong(
  runtime: Runtime,
  type: ArrayType,
  kind: string,
  n: number,
  k: number,
  descending: boolean,
): Promise<string | undefined> {
  const keys = keysOf(kind, type, n);
  const want = sorted(type, keys, descending);
  const most = Math.min(k, n);
  const given = { keys: keys as Uint32Array };
  const { top, one } = selectionsOf(type, descending);
  const got = await top.runOn(runtime, given, { k });
  const nth = n === 0 ? { value: keys as Uint32Array } : await one.runOn(runtime, given, { nth: most - 1 });
  const found =
    difference(type, got.top, want.keys.slice(0, most) as HostArray) ??
    difference("u32", got.from, want.from.slice(0, most)) ??
    difference("u32", got.count, Uint32Array.of(most)) ??
    difference(type, nth.value, want.keys.slice(Math.max(most - 1, 0), most) as HostArray);
  return found && `${type}, ${kind}, k = ${k}, n = ${n}: ${found.text}`;
}

describe("selections in JavaScript", () => {
  const runtime = jsRuntime();
  afterAll(() => runtime.dispose());
  const prepare = (type: ArrayType, descending: boolean): Promise<{ dispose(): void }[]> => {
    const { top, one } = selectionsOf(type, descending);
    return Promise.all([top.prepare(runtime), one.prepare(runtime)]);
  };

  for (const type of ARRAY_TYPES)
    test(`${type}: the first k, and the k-th`, async () => {
      const kept = await Promise.all([prepare(type, false), prepare(type, true)]);
      const all = ["0 1", "1 1", "1 5", "257 256", "2049 1", "521 521", "4099 300", "700 1000"];
      // Outside of full runs every other one, by turns of kinds.
      for (const [turn, kind] of Object.keys(KEYS).entries())
        for (const sizes of all.filter((_, i) => isFullRun() || (i + turn) % 2 === 0)) {
          const [n = 0, k = 0] = sizes.split(" ").map(Number);
          expect(await wrong(runtime, type, kind, n, k, k % 2 === 0)).toBeUndefined();
        }
      for (const one of kept.flat()) one.dispose();
    });

  test("among many items", async () => {
    const n = isFullRun() ? 2_000_003 : 70_001;
    const keys = keysOf("any bits", "f32", n) as Float32Array;
    const want = keys.slice().sort();
    const { value } = await selectNth(f32).runOn(runtime, { keys }, { nth: n >> 1 });
    expect(value[0]).toBe(want[n >> 1]);
    const { top } = await topK(f32).runOn(runtime, { keys }, { k: 1000 });
    expect(difference("f32", top, want.subarray(0, 1000))).toBeUndefined();
  });

  test("positions past the end are errors", async () => {
    const keys = new Uint32Array(3);
    for (const nth of [-1, 3, 0.5])
      await expect(selectNth(u32).runOn(runtime, { keys }, { nth })).rejects.toMatchObject({
        code: "bad-usage",
        where: "select-nth-u32",
      });
    for (const k of [0, -1, 1.5, 2 ** 32])
      await expect(topK(u32).runOn(runtime, { keys }, { k })).rejects.toMatchObject({ code: "bad-argument" });
  });
});

onDevices(
  "the first k",
  async (runtime, device) => {
    // Words of two halves on the device that has least.
    const type = device.endsWith("limits") ? "u64" : "f32";
    const { top, one } = selectionsOf(type, true);
    const [prepared, other] = [await top.prepare(runtime), await one.prepare(runtime)];
    expect(await wrong(runtime, type, "any bits", 4099, 300, true)).toBeUndefined();
    expect(await wrong(runtime, type, "special values", 257, 256, true)).toBeUndefined();
    // As many as a count on the device, and more.
    const max = 1000;
    const keys = keysOf("few distinct", type, max) as Uint32Array;
    for (const told of [0, 1, 20, 300, 999]) {
      const count = runtime.array("u32", Uint32Array.of(told));
      const arrays = {
        keys: runtime.array(type as "u32", keys),
        top: runtime.array(type as "u32", 20),
        from: runtime.array("u32", 20),
        count: runtime.array("u32", 1),
      };
      const recorder = runtime.record();
      const between = prepared.record(recorder, arrays, { n: { count, max }, k: 20 });
      await recorder.submit();
      between.dispose();
      const most = Math.min(told, 20);
      const want = sorted(type, keys.subarray(0, told), true);
      expect(await arrays.count.read()).toEqual(Uint32Array.of(most));
      expect((await arrays.from.read()).slice(0, most)).toEqual(want.from.slice(0, most));
      expect(
        difference(type, (await arrays.top.read()).slice(0, most), want.keys.slice(0, most)),
      ).toBeUndefined();
    }
    prepared.dispose();
    other.dispose();
  },
  // In other runs PoCL has the ranks of sorts, of which these are made.
  ["JavaScript"],
);
