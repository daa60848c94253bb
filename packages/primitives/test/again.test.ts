/** A runtime keeps what a primitive compiled, so that no call but the first one compiles. */
import type { HostArray, Recorder } from "@groupwise/core";
import { f32, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import type { Primitive } from "../src/index.ts";
import * as primitives from "../src/index.ts";

type Given = Readonly<Record<string, HostArray | number>>;

const x = Float32Array.of(3, 1, 1, 2);
const [keys, values] = [x, Uint32Array.of(0, 1, 2, 3)];
const keep = Uint8Array.of(1, 0, 1, 1);
const offsets = Uint32Array.of(0, 1, 4);
const sorted = x.slice().sort();
const both = { a: sorted, b: sorted };
const pairs = { pairs: u32 };

/** By name: a primitive, its arrays, and its numbers. */
const CALLS: Readonly<Record<string, readonly [what: unknown, arrays: Given, numbers?: Given]>> = {
  compact: [primitives.compact(f32), { x, keep }],
  partition: [primitives.partition(f32), { x, keep }],
  unique: [primitives.unique(f32), { x }],
  runLengthEncode: [primitives.runLengthEncode(f32), { x }],
  runLengthDecode: [primitives.runLengthDecode(f32), { runs: x, lengths: values }, { capacity: 6 }],
  reduceByKey: [primitives.reduceByKey(f32, "add", u32), { keys, x: values }],
  countsToOffsets: [primitives.countsToOffsets, { counts: values }],
  mergeCounts: [primitives.mergeCounts, { counts: values }, { capacity: 6 }],
  segmentedReduce: [primitives.segmentedReduce("add", f32), { x, offsets }],
  segmentedScan: [primitives.segmentedScan("add", f32), { x, offsets }],
  spmv: [primitives.spmv(f32), { elements: x, columns: values, offsets, x }],
  rowScan: [primitives.rowScan("add", f32), { x }, { width: 2 }],
  columnScan: [primitives.columnScan("add", f32), { x }, { width: 2 }],
  transpose: [primitives.transpose(f32), { x }, { width: 2 }],
  summedAreaTable: [primitives.summedAreaTable(f32), { x }, { width: 2 }],
  axisScan: [primitives.axisScan("add", f32), { x }, { length: 2 }],
  axisReduce: [primitives.axisReduce("add", f32), { x }, { length: 2 }],
  axisArgmax: [primitives.axisArgmax(f32), { x }, { length: 2 }],
  axisArgmin: [primitives.axisArgmin(f32), { x }, { length: 2 }],
  axisSort: [primitives.axisSort(f32), { keys }, { length: 2 }],
  reduceByIndex: [primitives.reduceByIndex("add", f32), { x, keys: values }, { groups: 4 }],
  histogram: [primitives.histogram(f32, { from: 0, to: 4, bins: 3 }), { x }],
  histogramEdges: [primitives.histogramEdges(f32, 3), { x, edges: sorted }],
  weightedHistogram: [primitives.weightedHistogram(4, u32), { x: values, weights: values }],
  radixSort: [primitives.radixSort(f32, pairs), { keys, values }],
  argsort: [primitives.argsort(f32), { keys }],
  lexSort: [primitives.lexSort({ x: f32, values: u32 }), { x, values }],
  segmentedSort: [primitives.segmentedSort(f32, pairs), { keys, values, offsets }],
  partialSort: [primitives.partialSort(f32, pairs), { keys, values }, { k: 2 }],
  selectNth: [primitives.selectNth(f32), { keys }, { nth: 1 }],
  topK: [primitives.topK(f32), { keys }, { k: 2 }],
  searchSorted: [primitives.searchSorted(f32), { x, sorted }],
  merge: [primitives.merge(f32, pairs), { ...both, valuesA: values, valuesB: values }],
  setUnion: [primitives.setUnion(f32), both],
  setIntersection: [primitives.setIntersection(f32), both],
  setDifference: [primitives.setDifference(f32), both],
  setSymmetricDifference: [primitives.setSymmetricDifference(f32), both],
};

test("every primitive is in the table", () => {
  const parts = ["primitive", "along"];
  expect(Object.keys(CALLS).sort()).toEqual(
    Object.keys(primitives)
      .filter((name) => !parts.includes(name))
      .sort(),
  );
});

test.each(Object.entries(CALLS))(
  "a second call of %s compiles nothing, and asks for the pipelines of its steps alone",
  async (_, [what, arrays, numbers]) => {
    const js = jsRuntime();
    const used = new Set<unknown>();
    const record = (): Recorder => {
      const recorder = js.record();
      const run: Recorder["run"] = (executable, ...rest) => {
        used.add(executable);
        return recorder.run(executable, ...rest);
      };
      return { run, submit: () => recorder.submit() };
    };
    const runtime = { ...js, record };
    const call = async (): Promise<void> => {
      // biome-ignore lint/suspicious/noExplicitAny: of any pipeline or primitive
      const one = what as any;
      if ("prepare" in one) return one.runOn(runtime, arrays, numbers);
      const executable = await runtime.compile(one);
      await executable.run({ ...arrays, ...numbers });
      executable.dispose();
    };
    await call();
    const { compiled, reused, inUse, kept } = runtime.stats();
    expect(compiled).toBeGreaterThan(0);
    expect({ inUse, kept }).toEqual({ inUse: 0, kept: compiled });
    used.clear();
    await call();
    expect(runtime.stats()).toMatchObject({ compiled, inUse: 0, kept: compiled });
    if (used.size > 0) expect(runtime.stats().reused - reused).toBe(used.size);
    runtime.dispose();
  },
);

test("scratchBytes of every primitive is what a recording allocates", async () => {
  const runtime = jsRuntime();
  for (const [name, [what, given, numbers = {}]] of Object.entries(CALLS)) {
    if (!("prepare" in (what as object))) continue;
    const one = what as Primitive;
    const [inputs, prepared] = [Object.entries(one.inputs), await one.prepare(runtime)];
    const sizes = Object.fromEntries(inputs.map(([key]) => [key, (given[key] as HostArray).length]));
    const rooms = one.lengths(sizes, numbers as never);
    const arrays = Object.entries({ ...one.inputs, ...one.outputs }).map(([key, type]) => [
      key,
      runtime.array(type, (sizes[key] ?? rooms[key]) as number),
    ]);
    const between = prepared.record(runtime.record(), Object.fromEntries(arrays), numbers as never);
    expect(prepared.scratchBytes(sizes, numbers as never), name).toBe(between.byteLength);
  }
  runtime.dispose();
});
