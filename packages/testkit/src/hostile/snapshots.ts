/** Data that changes after a call, when every runtime has already read it. */
import type { DeviceArray, HostArrays, Scalar } from "@groupwise/core";
import { expect } from "vitest";
import { endOf, type On, type Ready } from "./ends.ts";
import { detach, type Resizable, resizable } from "./values.ts";

const SNAPSHOTS: Readonly<Record<string, (ready: Ready) => Promise<void>>> = {
  "one array, filled anew between calls of run": async ({ scale }) => {
    const x = new Float32Array(5);
    const runs = [4, 8, 12].map((value) => scale.run({ x: x.fill(value), k: 1 }));
    x.fill(99);
    const found = (await Promise.all(runs)).map(({ y }) => Array.from(y as Float32Array));
    expect(found).toEqual([4, 8, 12].map((value) => [value, value, value, value, value]));
  },

  "arrays that are detached or shrunk after the call": async ({ scale }) => {
    const [one, two] = [Float32Array.of(1, 2, 3), resizable(16, 32)];
    const tracking = new Float32Array(two);
    tracking.set([1, 2, 3, 4]);
    const fixed = new Float32Array(two, 4, 2);
    const runs = [
      scale.run({ x: one, k: 2 }),
      scale.run({ x: tracking, k: 2 }),
      scale.run({ x: fixed, k: 2 }),
    ];
    detach(one);
    two.resize(0);
    expect((await Promise.all(runs)).map(({ y }) => Array.from(y as Float32Array))).toEqual([
      [2, 4, 6],
      [2, 4, 6, 8],
      [4, 6],
    ]);
  },

  "shared memory, which others write": async ({ runtime, scale }) => {
    const x = new Float32Array(new SharedArrayBuffer(12));
    x.set([1, 2, 3]);
    const run = scale.run({ x, k: 2 });
    const array = runtime.array("f32", x);
    const other = runtime.array("f32", 3);
    other.write(x);
    x.fill(99);
    expect(Array.from((await run).y as Float32Array)).toEqual([2, 4, 6]);
    expect(Array.from(await array.read())).toEqual([1, 2, 3]);
    expect(Array.from(await other.read())).toEqual([1, 2, 3]);
  },

  "writes, also while steps run": async ({ runtime, scale }) => {
    const [x, y] = [runtime.array("f32", 4), runtime.array("f32", 4)];
    const source = new Float32Array(resizable(16, 16));
    const reads: Promise<HostArrays["f32"]>[] = [];
    const steps: Promise<void>[] = [];
    for (const value of [4, 8, 12]) {
      x.write(source.fill(value));
      source.fill(99);
      steps.push(runtime.record().run(scale, { x, k: 1, y }).submit());
      reads.push(y.read());
    }
    (source.buffer as Resizable).resize(0);
    await Promise.all(steps);
    expect((await Promise.all(reads)).map((all) => Array.from(all))).toEqual(
      [4, 8, 12].map((value) => [value, value, value, value]),
    );
  },

  "options and lists that change after the call": async ({ runtime, fill }) => {
    const globalSize = [3];
    const options = { globalSize };
    const values = { k: 7 };
    const y = runtime.array("f32", 4);
    const count: DeviceArray<Scalar> = runtime.array("u32", Uint32Array.of(2));
    const n = { count: count as DeviceArray<"u32">, max: 3 };
    const arrays: Record<string, DeviceArray | number> = { k: 5, y };
    const recorder = runtime.record().run(fill, arrays, { n });
    const run = fill.run(values, options);
    globalSize[0] = 2 ** 30;
    Object.assign(options, { globalSize: "x" });
    Object.assign(n, { max: 2 ** 30, count: undefined });
    Object.assign(arrays, { k: 6, y: undefined });
    values.k = 9;
    expect(Array.from((await run).y as Float32Array)).toEqual([7, 7, 7]);
    await recorder.submit();
    expect(Array.from(await y.read())).toEqual([5, 5, 0, 0]);
  },

  "values are looked at once, and arrays by what they are": async ({ scale }) => {
    let reads = 0;
    const values = {
      get x(): Float32Array {
        reads++;
        return Float32Array.of(1, 2);
      },
      get k(): number {
        reads++;
        return 3;
      },
    };
    expect(Array.from((await scale.run(values)).y as Float32Array)).toEqual([3, 6]);
    expect(reads).toBe(2);
    class Longer extends Float32Array {
      override get length(): number {
        return 2 ** 30;
      }
      static get [Symbol.species](): Float32ArrayConstructor {
        return Float64Array as never;
      }
    }
    const run = scale.run({ x: Longer.of(1, 2) as never, k: 3 });
    expect(Array.from((await run).y as Float32Array)).toEqual([3, 6]);
    // A getter that detaches the memory of another input, so the array is detached at the call.
    const x = Float32Array.of(1, 2);
    const taking = {
      x,
      get k(): number {
        detach(x);
        return 1;
      },
    };
    expect(await endOf(() => scale.run(taking))).toBe("detached");
  },
};

/** Tests of the values that calls read. */
export function snapshots(on: On): void {
  for (const [name, body] of Object.entries(SNAPSHOTS)) on(name, body);
}
