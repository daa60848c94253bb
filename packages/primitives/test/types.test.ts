import type { InferInputs, InferOutputs, InferTables } from "@groupwise/dsl";
import { affine, argmax, f32, i16, i64, matrix2x2, u8, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, expectTypeOf, test } from "vitest";
import {
  along,
  axisArgmax,
  axisReduce,
  axisScan,
  compact,
  histogram,
  lexSort,
  radixSort,
  reduceByIndex,
  reduceByKey,
  rowScan,
  runLengthDecode,
  type searchSorted,
  segmentedReduce,
  spmv,
} from "../src/index.ts";

test("arrays of records have names and types", async () => {
  const compacted = compact(i64);
  expectTypeOf<InferInputs<typeof compacted>>().toEqualTypeOf<{
    readonly x: BigInt64Array;
    readonly keep: Uint8Array;
  }>();
  const keyed = reduceByKey(u32, argmax(f32));
  expectTypeOf<InferOutputs<typeof keyed>["results_value"]>().toEqualTypeOf<Float32Array<ArrayBuffer>>();
  expectTypeOf<InferInputs<typeof keyed>["x_index"]>().toEqualTypeOf<Uint32Array>();
  const built = reduceByKey(i64, "max", f32);
  expectTypeOf<InferOutputs<typeof built>["results"]>().toEqualTypeOf<Float32Array<ArrayBuffer>>();
  const rows = rowScan(matrix2x2(f32));
  expectTypeOf<InferInputs<typeof rows>["x_m_0_1"]>().toEqualTypeOf<Float32Array>();

  const got = await segmentedReduce(affine(i64)).runOn(jsRuntime(), {
    x_a: BigInt64Array.of(2n, 3n),
    x_b: BigInt64Array.of(1n, 5n),
    offsets: Uint32Array.of(0, 2),
  });
  expectTypeOf(got.results_b).toEqualTypeOf<BigInt64Array>();
  expect(got).toEqual({ results_a: BigInt64Array.of(6n), results_b: BigInt64Array.of(8n) });
});

test("rows and groups have the types of their operators", async () => {
  const [runtime, where] = [jsRuntime(), along([1, 2], 1)];
  const x = Float32Array.of(1, 3);
  const most = await axisArgmax(f32).runOn(runtime, { x }, where);
  expectTypeOf(most.results_value).toEqualTypeOf<Float32Array>();
  expectTypeOf(most.results_index).toEqualTypeOf<Uint32Array>();
  expect(most).toEqual({ results_value: Float32Array.of(3), results_index: Uint32Array.of(1) });
  const keys = Uint32Array.of(0, 0);
  const whole = await reduceByIndex("add", i64).runOn(
    runtime,
    { x: BigInt64Array.of(1n, 2n), keys },
    { groups: 1 },
  );
  expectTypeOf(whole.results).toEqualTypeOf<BigInt64Array>();
  expectTypeOf(whole.counts).toEqualTypeOf<Uint32Array>();
  expect(whole).toEqual({ results: BigInt64Array.of(3n), counts: Uint32Array.of(2) });
});

test("sorts of narrow types have their arrays, and sorts by several keys their names", async () => {
  const bytes = await radixSort(u8, { pairs: i16 }).runOn(jsRuntime(), {
    keys: Uint8Array.of(2, 1),
    values: Int16Array.of(-1, -2),
  });
  expectTypeOf(bytes).toEqualTypeOf<{ readonly sorted: Uint8Array; readonly moved: Int16Array }>();
  expect(bytes).toEqual({ sorted: Uint8Array.of(1, 2), moved: Int16Array.of(-2, -1) });
  const byYear = lexSort({ year: u32, price: f32 }, { descending: ["price"] });
  expectTypeOf(byYear.inputs).toEqualTypeOf<{ readonly year: "u32"; readonly price: "f32" }>();
  type Search = ReturnType<typeof searchSorted<"u16">>;
  expectTypeOf<InferInputs<Search>>().toEqualTypeOf<{ readonly x: Uint16Array }>();
  expectTypeOf<InferTables<Search>>().toEqualTypeOf<{ readonly sorted: Uint16Array }>();
  const { counts, nans } = await (
    await jsRuntime().compile(histogram(i64, { from: 0n, to: 4n, bins: 2 }))
  ).run({ x: BigInt64Array.of(3n) });
  expectTypeOf(counts).toEqualTypeOf<Uint32Array<ArrayBuffer>>();
  expect([...counts, ...nans]).toEqual([0, 1, 0]);
});

test("incorrect uses do not compile", () => {
  const runtime = jsRuntime();
  const wrong = (): unknown[] => [
    // @ts-expect-error floats have no exclusive or
    segmentedReduce("xor", f32),
    // @ts-expect-error the numbers of a primitive must be given
    runLengthDecode(f32).runOn(runtime, { runs: Float32Array.of(), lengths: Uint32Array.of() }),
    // @ts-expect-error floats have no exclusive or
    axisScan("xor", f32),
    // @ts-expect-error the length of a row
    axisReduce("add", f32).runOn(runtime, { x: Float32Array.of() }),
    // @ts-expect-error a number of groups
    reduceByIndex("add", f32).runOn(runtime, { x: Float32Array.of(), keys: Uint32Array.of() }),
    // @ts-expect-error there is no such key
    lexSort({ year: u32 }, { descending: ["years"] }),
    // @ts-expect-error edges of 64-bit integers are bigint
    histogram(i64, { from: 0, to: 1, bins: 2 }),
    // @ts-expect-error values need their type
    radixSort(u32).runOn(runtime, { keys: Uint32Array.of(), values: Uint32Array.of() }),
    // @ts-expect-error the size of every input
    spmv(f32).lengths({ elements: 1, columns: 1, offsets: 2 }),
  ];
  expect(wrong).toBeTypeOf("function");
});
