/** Tests of steps: their range, parameters, counts and slices. */
import { expect } from "vitest";
import { mixedData } from "../data/data.ts";
import { GARBAGE, garbage, type RuntimeTests, wrong } from "./check.ts";
import { below, narrowed, once, spread, sums } from "./pipelines.ts";

/** Half of all numbers are below it. */
const MIDDLE = 2 ** 31;
const NOT_KEPT = { keep: false } as const;
const SIZES = [0, 1, 2, 5, 63, 64, 65, 1021, 2047, 2048, 2049, 6007];

export const STEP_TESTS: RuntimeTests = {
  "what is not kept is freed with its last executable": async (runtime) => {
    const { inUse, kept } = runtime.stats();
    const [executable, other] = [
      await runtime.compile(once, NOT_KEPT),
      await runtime.compile(once, NOT_KEPT),
    ];
    other.dispose();
    expect((await executable.run({ x: Uint32Array.of(5) })).y).toEqual(Uint32Array.of(2));
    expect(runtime.stats()).toMatchObject({ inUse: inUse + 1, kept });
    executable.dispose();
    expect(runtime.stats()).toMatchObject({ inUse, kept });
  },

  "one executable with changing n, in dirty scratch: scatter, reduce and scan": async (runtime) => {
    const executable = await runtime.compile(below);
    const most = Math.max(...SIZES);
    const scratch = garbage(runtime, Math.ceil(executable.scratchBytes(most) / 4));
    const x = mixedData("u32", most, "x") as Uint32Array;
    const keep = mixedData("bool", most, "keep") as Uint8Array;
    const given = { x: runtime.array("u32", x), keep: runtime.array("bool", keep) };
    for (const n of [...SIZES, ...SIZES.toReversed()]) {
      const out = {
        kept: garbage(runtime, n),
        count: garbage(runtime, 1),
        sums: garbage(runtime, most),
      };
      await runtime
        .record()
        .run(executable, { ...given, ...out, limit: MIDDLE }, { n, scratch })
        .submit();
      const values = { x: x.subarray(0, n), keep: keep.subarray(0, n), limit: MIDDLE };
      expect(await wrong(below, values, n, out)).toEqual([]);
      for (const array of Object.values(out)) array.dispose();
    }
  },

  "steps of one recorder keep their own n and parameters, with scatter": async (runtime) => {
    const [first, second] = [await runtime.compile(below), await runtime.compile(sums)];
    const recorder = runtime.record();
    const checks: (() => Promise<string[]>)[] = [];
    for (const [i, n] of [700, 0, 5000, 1, 2049].entries()) {
      const x = mixedData("u32", n, `x ${i}`) as Uint32Array;
      const keep = mixedData("bool", n, `keep ${i}`) as Uint8Array;
      const out = {
        kept: garbage(runtime, n),
        count: garbage(runtime, 1),
        sums: garbage(runtime, n),
      };
      const array = runtime.array("u32", x);
      recorder.run(first, { x: array, keep: runtime.array("bool", keep), limit: i * 2 ** 29, ...out });
      const other = { y: garbage(runtime, n), all: garbage(runtime, 1) };
      recorder.run(second, { x: array, ...other });
      checks.push(
        () => wrong(below, { x, keep, limit: i * 2 ** 29 }, n, out),
        () => wrong(sums, { x }, n, other),
      );
    }
    await recorder.submit();
    for (const one of checks) expect(await one()).toEqual([]);
    await recorder.submit(); // nothing is left in it
  },

  "a count that a scatter leaves feeds the next step, without a read": async (runtime) => {
    const [first, second] = [await runtime.compile(below), await runtime.compile(sums)];
    const n = 5003;
    const x = mixedData("u32", n, "x") as Uint32Array;
    const all = new Uint8Array(n).fill(1);
    const given = { x: runtime.array("u32", x), keep: runtime.array("bool", all) };
    const kept = runtime.array("u32", n);
    for (const limit of [0, 1, MIDDLE, 3 * 2 ** 30, 2 ** 32 - 1]) {
      const counts = runtime.array("u32", 300).slice(256);
      const scratch = garbage(runtime, Math.ceil(second.scratchBytes(n) / 4));
      const [y, top] = [garbage(runtime, n), garbage(runtime, 1)];
      const work = runtime
        .record()
        .run(first, { ...given, limit, kept, count: counts.slice(0, 1), sums: runtime.array("u32", n) })
        .run(second, { x: kept, y, all: top }, { n: { count: counts, max: n }, scratch });
      await work.submit();
      const left = x.filter((v) => v < limit);
      expect((await counts.read())[0]).toBe(left.length);
      const out = { y: y.slice(0, left.length), all: top };
      expect(await wrong(sums, { x: left }, left.length, out)).toEqual([]);
      // Past the count nothing was written.
      expect((await y.read()).subarray(left.length).every((v) => Object.is(v, GARBAGE))).toBe(true);
    }
  },

  "counts from 0 to more than the most, wherever they stand": async (runtime) => {
    const executable = await runtime.compile(sums);
    const max = 4999;
    const x = mixedData("u32", max, "x") as Uint32Array;
    const array = runtime.array("u32", x);
    const counts = [0, 1, 2, 2047, 2048, 2049, 4801, 4999, 5000, 4294967295];
    const count = runtime.array("u32", Uint32Array.from([7, ...counts])).slice(1);
    const recorder = runtime.record();
    const outs = counts.map((_, at) => {
      const out = { y: garbage(runtime, max), all: garbage(runtime, 1) };
      recorder.run(executable, { x: array, ...out }, { n: { count, at, max } });
      return out;
    });
    await recorder.submit();
    for (const [i, { y, all }] of outs.entries()) {
      const n = Math.min(counts[i] as number, max);
      expect(await wrong(sums, { x: x.subarray(0, n) }, n, { y: y.slice(0, n), all })).toEqual([]);
    }
  },

  "a count that is written again between steps": async (runtime) => {
    const [first, second] = [await runtime.compile(below), await runtime.compile(sums)];
    const n = 4099;
    const x = mixedData("u32", n, "x") as Uint32Array;
    const given = { x: runtime.array("u32", x), keep: runtime.array("bool", new Uint8Array(n).fill(1)) };
    const [count, more] = [runtime.array("u32", 1), runtime.array("u32", Uint32Array.of(n - 1))];
    const kept = runtime.array("u32", n);
    const recorder = runtime.record();
    const outs = [MIDDLE, 2 ** 32 - 1, 0].map((limit) => {
      recorder.run(first, { ...given, limit, kept, count, sums: runtime.array("u32", n) });
      return [count, more, count].map((which) => {
        const out = { y: garbage(runtime, n), all: garbage(runtime, 1) };
        recorder.run(second, { x: given.x, ...out }, { n: { count: which, max: n } });
        const items = which === more ? n - 1 : x.filter((v) => v < limit).length;
        return () => wrong(sums, { x: x.subarray(0, items) }, items, { ...out, y: out.y.slice(0, items) });
      });
    });
    await recorder.submit();
    for (const check of outs.flat()) expect(await check()).toEqual([]);
  },

  "a count in the array that a step writes, which starts as zeros": async (runtime) => {
    const executable = await runtime.compile(spread);
    const x = runtime.array("u32", Uint32Array.of(7, 8, 9));
    // WebGPU clears long arrays in another way.
    for (const size of [4, 2 ** 18 + 1]) {
      const y = runtime.array("u32", new Uint32Array(size).fill(2));
      await runtime
        .record()
        .run(executable, { x, size, y }, { n: { count: y, at: 3, max: 3 } })
        .submit();
      expect((await y.read()).subarray(0, 4)).toEqual(Uint32Array.of(0, 7, 8, 0));
      y.dispose();
    }
  },

  "scatters of narrow elements that end within a word keep what is behind them": async (runtime) => {
    const executable = await runtime.compile(narrowed);
    const items = Uint16Array.of(1, 2, 3);
    const given = {
      x: runtime.array("u32", Uint32Array.from(items)),
      half: runtime.array("f16", items),
    };
    // WebGPU clears long arrays in another way.
    for (const size of [5, 6, 7, 2 ** 20 + 9]) {
      const bytes = runtime.array("u8", new Uint8Array(size + 9).fill(9));
      const halves = runtime.array("f16", new Uint16Array(size + 9).fill(9));
      const expected = new Uint16Array(size + 9).fill(9, size);
      expected.set(items);
      await runtime
        .record()
        .run(executable, { ...given, size, bytes: bytes.slice(0, size), halves })
        .submit();
      expect(Uint16Array.from(await bytes.read())).toEqual(expected);
      expect(await halves.read()).toEqual(expected);
      for (const array of [bytes, halves]) array.dispose();
    }
  },

  "counted items outside an array of no elements": async (runtime) => {
    const executable = await runtime.compile(spread);
    const [x, y] = [runtime.array("u32", 3), runtime.array("u32", 3)];
    const count = runtime.array("u32", Uint32Array.of(0, 1));
    const run = (at: number): Promise<void> =>
      runtime
        .record()
        .run(executable, { x, size: 0, y: y.slice(0, 0) }, { n: { count, at, max: 3 } })
        .submit();
    await run(0);
    await expect(run(1)).rejects.toMatchObject({ code: "scatter-outside" });
    for (const array of [x, y, count]) array.dispose();
  },

  "slices of one array, at aligned places": async (runtime) => {
    const executable = await runtime.compile(sums);
    const step = Math.max(1, runtime.sliceAlignment / 4);
    const from = runtime.array(
      "u32",
      Uint32Array.from({ length: 40 * step + 900 }, (_, i) => (i * 7919) % 1000),
    );
    const [to, all] = [runtime.array("u32", from.length), garbage(runtime, 1)];
    for (const [at, n] of [
      [0, 900],
      [step, 17],
      [3 * step, 511],
    ] as const) {
      const [x, y] = [from.slice(at, at + n), to.slice(at, at + n)];
      await runtime.record().run(executable, { x, y, all }).submit();
      expect(await wrong(sums, { x: await x.read() }, n, { y, all })).toEqual([]);
    }
    if (runtime.sliceAlignment <= 4) return;
    const odd = { x: from.slice(1, 9), y: to.slice(0, 8), all };
    const bad = (): unknown => runtime.record().run(executable, odd);
    expect(bad).toThrowError(expect.objectContaining({ code: "bad-buffer" }));
  },
};
