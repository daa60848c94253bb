/** Compactions over several runtimes, and arrays that hold their elements. */
import type { DeviceArray, Executable, Runtime } from "@groupwise/core";
import { acrossRuntimes, type SplitArray } from "@groupwise/core/state";
import { f32, pipeline } from "@groupwise/dsl";
import { aroundRuns } from "@groupwise/testkit";
import { compareCompactions, type Density } from "@groupwise/testkit/states";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { jsRuntime } from "../src/runtime.ts";

const some = (count: number): Runtime[] => Array.from({ length: count }, () => jsRuntime());
const SHARES = process.env.GROUPWISE_FULL
  ? [[1], [1, 1], [3, 1], [1, 2, 3], [0, 1, 0], [5, 1, 0, 1, 1]]
  : [[1], [3, 1], [5, 1, 0, 1, 1]];
const DENSITIES: readonly Density[] = ["none", "some", "all"];
const ALIGNMENT = 64;

/** Loops that run an aligned block at a time, over slices that begin at multiples of 64 bytes. */
function byBlocks(): Runtime {
  const runtime = jsRuntime();
  const compile = async (...given: Parameters<Runtime["compile"]>): Promise<Executable> => {
    const made: Executable = await runtime.compile(...given);
    if (given[1]?.carrying) Object.assign(made.plan, { carries: "blocks" });
    return made;
  };
  const record: Runtime["record"] = () => {
    const recorder = runtime.record();
    const run = (...[executable, arrays, options]: Parameters<typeof recorder.run>): typeof recorder => {
      for (const array of Object.values(arrays) as Partial<{ byteOffset: number }>[])
        expect((array.byteOffset ?? 0) % ALIGNMENT).toBe(0);
      return recorder.run(executable, arrays, options);
    };
    return { ...recorder, run } as typeof recorder;
  };
  return { ...runtime, compile: compile as Runtime["compile"], record, sliceAlignment: ALIGNMENT };
}

describe("compactions of no items, of some and of all", () => {
  it.each(SHARES.map((shares) => ({ shares })))(
    "have the bits of one runtime and the elements of a loop, shares $shares",
    async ({ shares }) => {
      const across = acrossRuntimes(some(shares.length), { shares });
      await compareCompactions(across, jsRuntime(), {
        lengths: [0, 1, 7, 64, 65, 997],
        densities: DENSITIES,
      });
    },
  );

  it("and if a part is computed in several pieces, whose elements begin anywhere", async () => {
    for (const shares of [[1], [2, 3, 1]]) {
      const across = acrossRuntimes(Array.from(shares, byBlocks), { shares });
      await compareCompactions(across, jsRuntime(), { lengths: [0, 5, 1023, 4097], densities: DENSITIES });
    }
  });
});

const positive = pipeline("positive", { x: f32 }, ({ x }) => {
  const where = x.gt(0);
  const { before: to, total } = where.toU32().scanWithTotal("add");
  return { kept: x.scatter({ to, where, length: total }), count: total };
});
const doubled = pipeline("doubled", { x: f32 }, ({ x }) => ({ y: x.mul(2) }));
const ITEMS = 1000;
const x = Float32Array.from({ length: ITEMS }, (_, i) => ((i * 7919) % 5 < 3 ? i + 1 : -i));
const want = x.filter((value) => value > 0);

test("compactions whose pieces end in another order have the bits of one runtime", async () => {
  const slow = (milliseconds: number): Runtime =>
    aroundRuns(jsRuntime(), async (run) => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      return run();
    });
  const executable = await acrossRuntimes([30, 15, 0].map(slow)).compile(positive);
  expect((await executable.run({ x })).kept).toEqual(want);
});

test("of any items over any number of runtimes, the elements are those of a loop, by run and in arrays that stay", async () => {
  const all = await Promise.all(
    [1, 2, 3, 5].map(async (count) => {
      const across = acrossRuntimes(some(count));
      return { across, executable: await across.compile(positive) };
    }),
  );
  const value = fc.oneof(fc.float(), fc.constantFrom(-0, 0, Number.NaN, Number.POSITIVE_INFINITY));
  const property = fc.asyncProperty(
    fc.array(value, { maxLength: 300 }),
    fc.constantFrom(...all),
    async (items, { across, executable }) => {
      const given = Float32Array.from(items);
      const kept = given.filter((item) => item > 0);
      expect(await executable.run({ x: given })).toEqual({ kept, count: Uint32Array.of(kept.length) });
      const [x, count] = [across.array("f32", given), across.array("u32", 1)];
      const array = across.array("f32", given.length);
      await across.record().run(executable, { x, kept: array, count }).submit();
      expect(await array.read()).toEqual(kept);
      expect(await count.read()).toEqual(Uint32Array.of(kept.length));
    },
  );
  await fc.assert(property, { numRuns: process.env.GROUPWISE_FULL ? 100 : 30 });
});

test("items are read once if no element needs a scan", async () => {
  const sums = pipeline("sums", { x: f32 }, ({ x }) => {
    const where = x.gt(0);
    const { before: to, total } = where.toU32().scanWithTotal("add");
    return { kept: x.scanInclusive("add").scatter({ to, where, length: total }), count: total };
  });
  const readOf = async (source: typeof positive): Promise<number> => {
    let read = 0;
    const counting = (): Runtime =>
      aroundRuns(jsRuntime(), (run, values) => {
        read += (values.x as Float32Array).length;
        return run();
      });
    await (await acrossRuntimes([counting(), counting(), counting()]).compile(source)).run({ x });
    return read;
  };
  expect(await readOf(positive)).toBe(ITEMS);
  expect(await readOf(sums)).toBeGreaterThan(ITEMS);
});

test("the slots of a part are checked like those of a range", async () => {
  const runtimes = [0, 1, 2].map(() => jsRuntime({ debug: true }));
  const executable = await acrossRuntimes(runtimes).compile(positive);
  expect((await executable.run({ x })).kept).toEqual(want);
});

describe("an array of a compaction", async () => {
  const across = acrossRuntimes(some(2));
  const [compacting, doubling] = await Promise.all([across.compile(positive), across.compile(doubled)]);
  const given = across.array("f32", x);
  const count = across.array("u32", 1);
  const arrayOf = (lengthOrValues: number | Float32Array): SplitArray<"f32"> =>
    across.array("f32", lengthOrValues);
  const compact = (kept: SplitArray<"f32">): Promise<void> =>
    across.record().run(compacting, { x: given, kept, count }).submit();

  it("has the elements of each part at the start of the part", async () => {
    const kept = arrayOf(ITEMS);
    expect(await kept.counts()).toEqual(kept.parts.map(({ length }) => length));
    await compact(kept);
    const cut = kept.cuts?.[1] as number;
    const first = x.subarray(0, cut).filter((value) => value > 0);
    expect(await kept.counts()).toEqual([first.length, want.length - first.length]);
    expect(await kept.parts[0]?.slice(0, first.length).read()).toEqual(first);
    expect(await kept.read()).toEqual(want);
    expect(await count.read()).toEqual(Uint32Array.of(want.length));
  });

  it("may be of any length, if the elements of each part fit", async () => {
    const longer = arrayOf(3 * ITEMS);
    await compact(longer);
    expect(await longer.read()).toEqual(want);
    const shorter = arrayOf(ITEMS - 300);
    await compact(shorter);
    expect(await shorter.read()).toEqual(want);
  });

  it("is refused if it is too short: its reads, and what is computed from it, have the error until it is written", async () => {
    const kept = arrayOf(ITEMS);
    const short = arrayOf(400);
    const y = arrayOf(400);
    const error = {
      code: "bad-buffer",
      message: expect.stringMatching(
        /"kept".* part on runtime 0 has 200 elements, .* write 30\d or more.*as long as the range/s,
      ),
    };
    compact(short); // nobody awaits it
    across.record().run(doubling, { x: short, y }).submit();
    for (const array of [short, y]) await expect(array.read()).rejects.toMatchObject(error);
    await expect(short.counts()).rejects.toMatchObject(error);
    await expect(count.read()).rejects.toMatchObject(error);
    short.write(new Float32Array(400).fill(3));
    await across.record().run(doubling, { x: short, y }).submit();
    expect(await y.read()).toEqual(new Float32Array(400).fill(6));
    await compact(kept);
    expect(await kept.read()).toEqual(want);
  });

  it("is no input of later steps, until all of its elements are written", async () => {
    const kept = arrayOf(ITEMS);
    const y = arrayOf(ITEMS);
    const steps = across.record().run(compacting, { x: given, kept, count }).run(doubling, { x: kept, y });
    await expect(steps.submit()).rejects.toMatchObject({
      code: "bad-buffer",
      message: expect.stringMatching(
        /"x".* the elements of a compaction: 30\d, 29\d.*make a new one of its values/s,
      ),
    });
    expect(await kept.read()).toEqual(want);
    await across.record().run(doubling, { x: given, y: kept }).run(doubling, { x: kept, y }).submit();
    expect(await y.read()).toEqual(x.map((value) => value * 4));
    await compact(kept);
    const written = kept.write(x);
    await across.record().run(doubling, { x: kept, y }).submit();
    expect(await y.read()).toEqual(x.map((value) => value * 2));
    expect(await kept.counts()).toEqual(kept.parts.map(({ length }) => length));
    await written;
    kept.dispose();
    await expect(kept.counts()).rejects.toMatchObject({ code: "disposed" });
  });

  it("gives a new array of its values", async () => {
    const kept = arrayOf(ITEMS);
    await compact(kept);
    const values = arrayOf(await kept.read());
    const y = arrayOf(values.length);
    await across.record().run(doubling, { x: values, y }).submit();
    expect(await y.read()).toEqual(want.map((value) => value * 2));
  });

  it("is refused where the number of its elements cannot be given", () => {
    const steps = across.record();
    const arrays = { x: given, kept: arrayOf(ITEMS), count };
    expect(() => steps.run(compacting, { ...arrays, kept_length: count } as never)).toThrow(
      expect.objectContaining({ code: "unknown-input" }),
    );
    expect(() => steps.run(compacting, { ...arrays, kept: given })).toThrow(
      expect.objectContaining({ code: "bad-buffer" }),
    );
    expect(() => steps.run(compacting, { ...arrays, kept: across.table("f32", ITEMS) })).toThrow(
      expect.objectContaining({ code: "bad-buffer" }),
    );
  });
});

test("a range has as many items as the devices have together, at most 2^32", async () => {
  const large = (): Runtime => {
    const runtime = jsRuntime();
    const array = (type: "f32", length: number): Partial<DeviceArray> => ({
      type,
      length,
      byteLength: 4 * length,
    });
    return { ...runtime, array: array as Runtime["array"] };
  };
  const across = acrossRuntimes([large(), large(), large(), large()]);
  const executable = await across.compile(doubled);
  const record = (n: number): unknown =>
    across.record().run(executable, { x: across.array("f32", n), y: across.array("f32", n) });
  record(2 ** 32);
  expect(() => record(2 ** 32 + 1)).toThrow(expect.objectContaining({ code: "too-many-items" }));
});
