/** A number of items in device memory means what the same arrays of that length mean. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { afterAll, expect, test } from "vitest";
import { arrayOf, ORDER, trialOf } from "../../bench/src/subjects/index.ts";
import { merge, type Primitive } from "../src/index.ts";

const MAX = 300;
const runtime = jsRuntime();
afterAll(() => runtime.dispose());

/** Arrays whose lengths are not the number of items. */
const OTHERS = ["offsets", "b", "valuesB"];
const several = ORDER.filter(({ what }) => "prepare" in (what as object));

test.each(several.map((subject) => [subject.name, subject] as const))(
  "%s, counted on the device",
  async (_, subject) => {
    const primitive = subject.what as Primitive;
    const trial = trialOf(subject, MAX, "counted");
    const numbers = trial.numbers as never;
    for (const told of [0, 257, 5000]) {
      const n = Math.min(told, MAX);
      const cut = ([name, list]: readonly [string, readonly unknown[]]): [string, HostArray] => {
        const array = arrayOf(subject.types[name] as ArrayType, list as number[]);
        const inside =
          name === "offsets" ? array.map((offset) => Math.min(Number(offset), n) as never) : array;
        return [name, inside as HostArray];
      };
      const arrays = Object.entries(trial.given).map(cut);
      const short = arrays.map(([name, array]) => [
        name,
        OTHERS.includes(name) ? array : array.subarray(0, n),
      ]);
      const want = await primitive.runOn(runtime, Object.fromEntries(short), numbers);
      const count = runtime.array("u32", Uint32Array.of(9, told));
      const given = arrays.map(([name, array]) => [
        name,
        runtime.array(subject.types[name] as ArrayType, array as never),
      ]);
      const options = { ...trial.numbers, n: { count, at: 1, max: MAX } } as never;
      const made = await primitive.run(runtime, Object.fromEntries(given), options);
      for (const [name, array] of Object.entries(want)) {
        const got = (await made[name]?.read())?.subarray(0, array.length) as HostArray;
        expect(difference(subject.types[name] as ArrayType, got, array)).toBeUndefined();
      }
    }
  },
);

test("a merge whose items end with a block reads nothing past the counted items of `a`", async () => {
  const prepared = await merge(u32).prepare(runtime);
  let between: ReturnType<typeof prepared.record> | undefined;
  // Temporaries of earlier, longer merges are used again.
  for (const [n, others] of [
    [480, 288],
    [200, 56],
    [60, 196],
    [16, 240],
  ] as const) {
    const ascending = (length: number, step: number): Uint32Array =>
      Uint32Array.from({ length }, (_, i) => i * step);
    // Past the counted items, `a` has small ones.
    const a = new Uint32Array(500);
    a.set(ascending(n, 3));
    const b = ascending(others, 5);
    const count = runtime.array("u32", Uint32Array.of(n));
    const merged = runtime.array("u32", 500 + others);
    const recorder = runtime.record();
    const arrays = { a: runtime.array("u32", a), b: runtime.array("u32", b), merged };
    const options = { n: { count, max: 500 }, ...(between && { between }) };
    between = prepared.record(recorder, arrays, options);
    await recorder.submit();
    const want = Uint32Array.from([...a.subarray(0, n), ...b]).sort();
    expect(difference("u32", (await merged.read()).subarray(0, want.length), want)).toBeUndefined();
  }
});
