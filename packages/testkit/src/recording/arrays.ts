/** Tests of device arrays. */
import type { ArrayType, DeviceArray, GroupwiseError, HostArray, Runtime } from "@groupwise/core";
import { ARRAY_TYPES, isNarrow, isSupported, valueTypeOf } from "@groupwise/core/target";
import { bf16, pipeline, u8, u32 } from "@groupwise/dsl";
import { expect } from "vitest";
import { difference } from "../data/arrays.ts";
import { mixedData } from "../data/data.ts";
import type { RuntimeTests } from "./check.ts";

async function arraysOf(runtime: Runtime, type: ArrayType): Promise<void> {
  const { scalars, narrow } = runtime.capabilities;
  if (!isSupported(scalars[valueTypeOf(type)]) || (isNarrow(type) && typeof narrow === "object")) return;
  const dataOf = (length: number, seed: string): HostArray => mixedData(type, length, seed);
  const data = dataOf(1000, type);
  const array = runtime.array(type, data as never) as DeviceArray;
  expect([array.length, array.type]).toEqual([1000, type]);
  expect(difference(type, await array.read(), data)).toBeUndefined();
  const part = array.slice(256, 768).slice(0, 300);
  expect(difference(type, await part.read(), data.subarray(256, 556) as HostArray)).toBeUndefined();
  const want = data.slice() as HostArray;
  // They begin and end at any byte of a word.
  for (const [from, to] of [
    [3, 10],
    [13, 14],
    [18, 19],
    [21, 23],
    [28, 33],
    [34, 36],
    [995, 999],
    [997, 1000],
  ] as const) {
    const other = dataOf(to - from, `${from}`);
    const odd = array.slice(from, to);
    odd.write(other as never);
    want.set(other as never, from);
    expect(difference(type, await odd.read(), other)).toBeUndefined();
  }
  expect(difference(type, await array.read(), want)).toBeUndefined();
  expect(Array.from(await runtime.array(type, 5).read(), Number)).toEqual([0, 0, 0, 0, 0]);
  expect(await array.slice(4, 4).read()).toHaveLength(0);
  expect(await runtime.array(type, 0).read()).toHaveLength(0);
  array.dispose();
  await expect(part.read()).rejects.toMatchObject({ code: "disposed" });
}

const placed = pipeline("placed", { x: u32 }, ({ x }, { index }) => ({
  up: x.add(1),
  far: x.scatter({ to: index().mul(3), where: index().lt(13), capacity: 40 }),
}));

const bumped = pipeline("bumped", { x: u8 }, ({ x }) => ({ up: u8(x.add(1)), half: bf16(x.toF32()) }), {
  places: false,
});

export const ARRAY_TESTS: RuntimeTests = {
  ...Object.fromEntries(
    ARRAY_TYPES.map((type) => [
      `arrays of ${type}: writes, reads and slices`,
      (runtime: Runtime) => arraysOf(runtime, type),
    ]),
  ),

  "new arrays have zeros where nothing was written, whatever was disposed before": async (runtime) => {
    const program = await runtime.compile(placed);
    const array = (): DeviceArray<"u32"> => {
      for (let i = 0; i < 4; i++) runtime.array("u32", new Uint32Array(40).fill(7)).dispose();
      return runtime.array("u32", 40);
    };
    const [x, written, up, all, far, later] = [array(), array(), array(), array(), array(), array()];
    written.slice(1, 2).write(Uint32Array.of(5));
    const recorder = runtime.record();
    recorder.run(program, { x, up, far }, { n: 3 });
    recorder.run(program, { x: up, up: all, far: later }, { n: 40 });
    await recorder.submit();
    const want = (ones: readonly number[], rest = 0): Uint32Array =>
      Uint32Array.from({ length: 40 }, (_, i) => rest + (ones.includes(i) ? 1 : 0));
    expect(await written.read()).toEqual(new Uint32Array(40).fill(5, 1, 2));
    expect(await up.read()).toEqual(want([0, 1, 2]));
    expect(await far.read()).toEqual(want([]));
    expect(await all.read()).toEqual(want([0, 1, 2], 1));
    expect(await later.read()).toEqual(want([0, 3, 6]));
    for (const own of [x, written, up, all, far, later]) own.dispose();
    program.dispose();
  },

  "narrow outputs of steps leave the elements behind a slice as they are": async (runtime) => {
    if (typeof runtime.capabilities.narrow === "object") return;
    const program = await runtime.compile(bumped);
    for (let n = 1; n <= 9; n++) {
      const x = Uint8Array.from({ length: n }, (_, i) => 250 + i);
      const [given, out] = [runtime.array("u8", x), runtime.array("u8", new Uint8Array(16).fill(0xaa))];
      const half = runtime.array("bf16", new Uint16Array(16).fill(0xabcd));
      const recorder = runtime.record();
      recorder.run(program, { x: given, up: out.slice(0, n), half: half.slice(0, n) });
      await recorder.submit();
      const want = Array.from({ length: 16 }, (_, i) => (i < n ? (251 + i) & 0xff : 0xaa));
      expect(Array.from(await out.read())).toEqual(want);
      expect(Array.from((await half.read()).subarray(n))).toEqual(new Array(16 - n).fill(0xabcd));
      for (const array of [given, out, half]) array.dispose();
    }
    program.dispose();
  },

  "refuses values and slices that do not fit": async (runtime) => {
    const array = runtime.array("u32", 4);
    const code = (act: () => unknown): unknown => {
      try {
        act();
      } catch (error) {
        return (error as GroupwiseError).code;
      }
      return undefined;
    };
    expect(code(() => array.write(new Float32Array(4) as never))).toBe("wrong-dtype");
    expect(code(() => array.write(new Uint32Array(5)))).toBe("bad-buffer");
    expect(code(() => array.slice(3, 2))).toBe("bad-slice");
    expect(code(() => array.slice(0, 5))).toBe("bad-slice");
    expect(code(() => array.slice(0.5))).toBe("bad-slice");
    expect(code(() => runtime.array("u32", -1))).toBe("bad-length");
    expect(code(() => runtime.array("u32", new Float32Array(1) as never))).toBe("wrong-dtype");
  },
};
