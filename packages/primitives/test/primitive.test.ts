import { type DeviceArray, GroupwiseError, type Runtime, type StepOptions } from "@groupwise/core";
import { acrossRuntimes } from "@groupwise/core/state";
import { HostDeviceArray } from "@groupwise/core/target";
import { argmax, f32, i32, param, pipeline, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test, vi } from "vitest";
import {
  axisScan,
  columnScan,
  lexSort,
  merge,
  mergeCounts,
  primitive,
  radixSort,
  reduceByIndex,
  reduceByKey,
  rowScan,
  runLengthDecode,
  runLengthEncode,
  segmentedReduce,
  segmentedSort,
  setUnion,
  spmv,
  summedAreaTable,
  topK,
  transpose,
  unique,
} from "../src/index.ts";

const runtime = jsRuntime();

/** x + 1, then the sum of all, so that arrays between steps are seen. */
const next = pipeline("next", { x: u32 }, ({ x }) => ({ y: x.add(1) }));
const total = pipeline("total", { y: u32 }, ({ y }) => ({ sum: y.reduce("add") }));
const sumOfNext = primitive("sum-of-next", {
  inputs: { x: "u32" },
  outputs: { sum: "u32" },
  pipelines: { next, total },
  lengths: () => ({ sum: 1 }),
  steps: (steps, { x, sum }, { items, n }) => {
    const y = steps.array("u32", n);
    steps.run("next", { x, y }, { n: items });
    steps.run("total", { y, sum }, { n: items });
  },
});

test("steps feed one another: host arrays, arrays of the device, and a part of them", async () => {
  const x = Uint32Array.of(1, 2, 3, 4);
  expect(await sumOfNext.runOn(runtime, { x })).toEqual({ sum: Uint32Array.of(14) });
  expect(await sumOfNext.runOn(runtime, { x: new Uint32Array(0) })).toEqual({ sum: Uint32Array.of(0) });
  const array = runtime.array("u32", x);
  const { sum } = await sumOfNext.run(runtime, { x: array }, { n: 2 });
  expect(await sum.read()).toEqual(Uint32Array.of(5));
});

test("results are asked for while the device works: the host waits once", async () => {
  const order: string[] = [];
  const { read } = HostDeviceArray.prototype;
  const reading = vi.spyOn(HostDeviceArray.prototype, "read").mockImplementation(function (
    this: HostDeviceArray,
  ) {
    order.push("read");
    return read.call(this);
  });
  const slow: Runtime = {
    ...runtime,
    record: () => {
      const recorder = runtime.record();
      const { submit } = recorder;
      recorder.submit = async () => {
        await submit();
        await new Promise<void>((resolve) => setImmediate(resolve));
        order.push("done");
      };
      return recorder;
    },
  };
  expect(await sumOfNext.runOn(slow, { x: Uint32Array.of(1, 2) })).toEqual({ sum: Uint32Array.of(5) });
  expect(order).toEqual(["read", "done"]);
  reading.mockRestore();
});

test("the number of items can be in device memory", async () => {
  const count = runtime.array("u32", Uint32Array.of(3));
  const x = runtime.array("u32", Uint32Array.of(1, 2, 3, 4));
  const { sum } = await sumOfNext.run(runtime, { x }, { n: { count, max: 4 } });
  expect(await sum.read()).toEqual(Uint32Array.of(9));
});

test("one recorder takes several recordings of different lengths; nothing runs before submit", async () => {
  const prepared = await sumOfNext.prepare(runtime);
  const recorder = runtime.record();
  const sums: DeviceArray<"u32">[] = [];
  const between = [1, 5, 300, 0, 4097].map((n) => {
    const sum = runtime.array("u32", 1);
    sums.push(sum);
    return prepared.record(recorder, { x: runtime.array("u32", new Uint32Array(n).fill(2)), sum });
  });
  expect(await sums[4]?.read()).toEqual(Uint32Array.of(0));
  await recorder.submit();
  expect(await Promise.all(sums.map(async (sum) => (await sum.read())[0]))).toEqual([3, 15, 900, 0, 12291]);
  expect(between.map(({ byteLength }) => byteLength >= 0)).toEqual([true, true, true, true, true]);
  for (const one of between) one.dispose();
  expect(between.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, 0, 0]);
  prepared.dispose();
  expect(() =>
    prepared.record(recorder, { x: runtime.array("u32", 1), sum: runtime.array("u32", 1) }),
  ).toThrow(expect.objectContaining({ code: "disposed" }));
});

test("arrays between steps can be reused, for fewer and for more items", async () => {
  const prepared = await sumOfNext.prepare(runtime);
  const [x, sum] = [runtime.array("u32", new Uint32Array(5000).fill(1)), runtime.array("u32", 3)];
  const recorder = runtime.record();
  const at = (i: number): DeviceArray<"u32"> => sum.slice(i, i + 1);
  const between = prepared.record(recorder, { x, sum: at(0) }, { n: 3000 });
  const bytes = between.byteLength;
  expect(prepared.record(recorder, { x, sum: at(1) }, { n: 7, between })).toBe(between);
  expect(between.byteLength).toBe(bytes);
  prepared.record(recorder, { x, sum: at(2) }, { n: 5000, between });
  expect(between.byteLength).toBeGreaterThan(bytes);
  await recorder.submit();
  between.dispose();
  expect(await sum.read()).toEqual(Uint32Array.of(6000, 14, 10000));
});

test("the count of one step is the number of items of the next: encode and decode on the device", async () => {
  const x = Uint32Array.from({ length: 1000 }, (_, i) => Math.floor(i / 7));
  const [encode, decode] = [
    await runtime.compile(runLengthEncode(u32)),
    await runLengthDecode(u32).prepare(runtime),
  ];
  const arrays = {
    x: runtime.array("u32", x),
    runs: runtime.array("u32", 1000),
    lengths: runtime.array("u32", 1000),
    count: runtime.array("u32", 1),
  };
  const [back, total] = [runtime.array("u32", 1000), runtime.array("u32", 1)];
  const recorder = runtime.record().run(encode, arrays);
  const { runs, lengths, count } = arrays;
  const between = decode.record(
    recorder,
    { runs, lengths, x: back, count: total },
    { n: { count, max: 1000 }, capacity: 1000 },
  );
  await recorder.submit();
  between.dispose();
  expect(await back.read()).toEqual(x);
  expect(await total.read()).toEqual(Uint32Array.of(1000));
});

test("incorrect calls are refused before anything runs", async () => {
  const code = async (act: () => Promise<unknown>): Promise<string> =>
    act().then(
      () => "nothing",
      (error) => (error instanceof GroupwiseError ? error.code : String(error)),
    );
  expect(await code(() => sumOfNext.runOn(runtime, {} as never))).toBe("missing-input");
  await expect(sumOfNext.runOn(runtime, { x: Float32Array.of(1) } as never)).rejects.toMatchObject({
    code: "wrong-dtype",
    what: expect.stringContaining('"x"'),
  });
  const other = jsRuntime().array("u32", 3);
  expect(await code(() => sumOfNext.run(runtime, { x: other }))).toBe("foreign-device");
  const offsets = Uint32Array.of(0, 9, 10);
  const outside = segmentedReduce("add", f32).runOn(runtime, { x: Float32Array.of(1, 2), offsets });
  expect(await code(() => outside)).toBe("scatter-outside");
  const [keys, long] = [Float32Array.of(3, 2, 1), Uint32Array.of(0, 0, 3)];
  expect(await code(() => segmentedSort(f32, { longest: 2 }).runOn(runtime, { keys, offsets: long }))).toBe(
    "scatter-outside",
  );
});

test("a number of items or of elements is a whole number, from 0 on", async () => {
  const [a, b] = [Uint32Array.of(1, 3), Uint32Array.of(2)];
  for (const n of [-1, 1.5, Number.NaN, "2", { max: 2 }, { count: {}, max: -1 }])
    await expect(merge(u32).runOn(runtime, { a, b }, { n } as never)).rejects.toMatchObject({
      code: "bad-argument",
    });
  for (const size of [-1, 1.5, Number.NaN])
    expect(() => radixSort(u32).lengths({ keys: size })).toThrow(
      expect.objectContaining({ code: "bad-argument" }),
    );
});

test("errors of steps have the names of the primitive and of its arrays", async () => {
  const [keys, short] = [Uint32Array.of(3, 1, 2), Uint32Array.of(1, 2)];
  const [sort, twoKeys] = [radixSort(u32, { pairs: u32 }), lexSort({ a: u32, b: u32 })];
  const named = (where: string, name: string): object => ({
    where,
    what: expect.stringContaining(`"${name}"`),
  });
  await expect(sort.runOn(runtime, { keys, values: short })).rejects.toMatchObject(
    named(sort.name, "values"),
  );
  await expect(twoKeys.runOn(runtime, { a: keys, b: short })).rejects.toMatchObject(named(twoKeys.name, "b"));
  const given = { a: runtime.array("u32", keys), b: jsRuntime().array("u32", keys) };
  await expect(twoKeys.run(runtime, given)).rejects.toMatchObject(named(twoKeys.name, "b"));
  const n = { count: runtime.array("f32", 1) as never, max: 3 };
  await expect(sort.runOn(runtime, { keys, values: keys }, { n })).rejects.toMatchObject(
    named(sort.name, "count"),
  );
});

test("values that steps refuse are errors of the primitive; those of earlier work keep their names", async () => {
  const x = Float32Array.of(1, 2);
  const byIndex = reduceByIndex("add", f32);
  const keys = Uint32Array.of(0, 9);
  await expect(byIndex.runOn(runtime, { x, keys }, { groups: 2 })).rejects.toMatchObject({
    ...{ code: "scatter-outside", where: byIndex.name, what: expect.stringContaining("groups") },
  });
  const bad = pipeline("bad", { x: u32 }, ({ x }) => ({ y: x.scatter({ to: x, capacity: 1 }) }));
  const y = runtime.array("u32", 1);
  const given = { x: runtime.array("u32", Uint32Array.of(5)), y };
  const failed = runtime
    .record()
    .run(await runtime.compile(bad), given)
    .submit();
  await expect(radixSort(u32).run(runtime, { keys: y })).rejects.toMatchObject({ where: "bad" });
  await expect(failed).rejects.toMatchObject({ where: "bad" });
});

test("an output of a recording is an array of its own, except where it may be that of an input", async () => {
  const keys = (): DeviceArray<"u32"> => runtime.array("u32", Uint32Array.of(3, 1, 2));
  const [a, b, values] = [keys(), keys(), keys()];
  const twoKeys = await lexSort({ a: u32, b: u32 }).prepare(runtime);
  const refused = expect.objectContaining({ code: "bad-buffer" });
  expect(() => twoKeys.record(runtime.record(), { a, b, order: a })).toThrow(refused);
  const sort = await radixSort(u32, { pairs: u32 }).prepare(runtime);
  expect(() => sort.record(runtime.record(), { keys: a, values, sorted: b, moved: b })).toThrow(refused);
  const recorder = runtime.record();
  sort.record(recorder, { keys: a, values, sorted: a, moved: values });
  await recorder.submit();
  expect(await a.read()).toEqual(Uint32Array.of(1, 2, 3));
});

test("arrays with fewer elements than the items need are refused, also where steps read them as tables", async () => {
  const [two, three] = [Uint32Array.of(1, 2), Uint32Array.of(1, 2, 3)];
  const offsets = Uint32Array.of(0, 3);
  const merges = merge(u32, { pairs: u32 });
  const merged = { a: three, b: three, valuesA: three, valuesB: three };
  const pairs = axisScan(argmax(f32));
  const [values, index] = [new Float32Array(6), new Uint32Array(5)];
  const device = { a: runtime.array("u32", two), b: runtime.array("u32", three) };
  const count = runtime.array("u32", three);
  const refused = [
    () => segmentedSort(u32, { pairs: u32 }).runOn(runtime, { keys: three, values: two, offsets }),
    () => merges.runOn(runtime, { ...merged, valuesA: two }),
    () => merges.runOn(runtime, { ...merged, valuesB: two }),
    () => pairs.runOn(runtime, { x_value: values, x_index: index }, { length: 3 }),
    () => setUnion(u32).run(runtime, device, { n: 3 }),
    () => setUnion(u32).run(runtime, device, { n: { count, max: 2 ** 31 } }),
  ];
  for (const run of refused) await expect(run()).rejects.toMatchObject({ code: "bad-buffer" });
  const other = { x: runtime.array("i32", 3), keys: count };
  await expect(reduceByIndex("add", f32).run(runtime, other as never, { groups: 2 })).rejects.toMatchObject({
    code: "wrong-dtype",
    what: expect.stringContaining('"x"'),
  });
  const best = await topK(f32).prepare(runtime);
  const keys = runtime.array("f32", values);
  const found = { keys, top: runtime.array("f32", 3), from: index as never, count };
  const record = (): unknown => best.record(runtime.record(), found, { k: 3 });
  expect(record).toThrow(expect.objectContaining({ code: "wrong-dtype" }));
  const wrong = [{ count, max: Symbol("3") }, { count, max: 3n }, {}];
  for (const n of wrong)
    await expect(setUnion(u32).run(runtime, device, { n } as never)).rejects.toMatchObject({
      code: "bad-argument",
    });
});

test("the sizes of outputs are known before anything runs", () => {
  expect(spmv(f32).lengths({ elements: 9, columns: 9, offsets: 5, x: 3 })).toEqual({ y: 4 });
  expect(segmentedReduce("add", i32).lengths({ x: 9, offsets: 0 })).toEqual({ results: 0 });
  const rooms = { offsets: 4, segments: 7, ranks: 7, total: 1 };
  expect(mergeCounts.lengths({ counts: 3 }, { capacity: 7 })).toEqual(rooms);
});

test("zeros of both signs are equal keys, of which the first is kept; NaNs are not equal", async () => {
  const x = Float32Array.of(-0, 0, Number.NaN, Number.NaN, 1, 1);
  const distinct = await (await runtime.compile(unique(f32))).run({ x });
  expect(distinct.distinct).toEqual(Float32Array.of(-0, Number.NaN, Number.NaN, 1));
  const runs = await (await runtime.compile(runLengthEncode(f32))).run({ x });
  expect(runs.runs).toEqual(distinct.distinct);
  expect(runs.lengths).toEqual(Uint32Array.of(2, 1, 1, 2));
  const sums = await (await runtime.compile(reduceByKey(f32, "add", u32))).run({
    keys: x,
    x: Uint32Array.of(1, 2, 3, 4, 5, 6),
  });
  expect(sums.runs).toEqual(distinct.distinct);
  expect(sums.results).toEqual(Uint32Array.of(3, 3, 4, 11));
});

test("a width of 0, or one that does not divide the items, is an error of every grid", async () => {
  const x = Uint32Array.of(1, 2, 3, 4, 5, 6);
  const inner = pipeline("inner", { x: u32, w: param(u32) }, ({ x, w }) => transpose(u32)({ x, width: w }));
  for (const grid of [
    transpose(u32),
    rowScan("add", u32),
    columnScan("add", u32),
    summedAreaTable(u32),
    inner,
  ]) {
    const name = Object.keys(grid.params)[0] as string;
    const executable = await runtime.compile(grid);
    const run = (width: number) => executable.run({ x, [name]: width } as never);
    for (const width of [0, 4, 7])
      await expect(run(width)).rejects.toMatchObject({ code: "bad-divisor", where: grid.name });
    for (const width of [1, 2, 3, 6]) await run(width);
    const out = Object.fromEntries(Object.keys(grid.outputs).map((key) => [key, runtime.array("u32", 6)]));
    const arrays = { x: runtime.array("u32", x), ...out };
    const record = (width: number, options?: StepOptions) =>
      runtime.record().run(executable, { ...arrays, [name]: width } as never, options);
    expect(() => record(4)).toThrow(expect.objectContaining({ code: "bad-divisor" }));
    const count = runtime.array("u32", Uint32Array.of(4));
    expect(() => record(0, { n: { count, max: 6 } })).toThrow(
      expect.objectContaining({ code: "bad-divisor" }),
    );
    await record(4, { n: { count, max: 6 } }).submit();
    await expect(record(3, { n: { count, max: 6 } }).submit()).rejects.toMatchObject({
      code: "bad-divisor",
      where: grid.name,
    });
    const across = acrossRuntimes([runtime, jsRuntime()]);
    const refused = (await across.compile(rowScan("add", u32))).run({ x, width: 4 });
    await expect(refused).rejects.toMatchObject({ code: "bad-divisor" });
  }
  expect(() => pipeline("none", { x: u32 }, ({ x }) => transpose(u32)({ x, width: 0 }))).toThrow(
    expect.objectContaining({ code: "bad-divisor" }),
  );
});
