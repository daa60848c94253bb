/** A number of items in device memory means what the same arrays of that length mean. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { difference } from "@groupwise/testkit";
import { afterAll, expect, test } from "vitest";
import type { Primitive } from "../src/index.ts";
import { ORDER } from "./order-subjects.ts";
import { arrayOf, trialOf } from "./subjects.ts";

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
