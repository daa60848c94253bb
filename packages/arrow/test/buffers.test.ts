import type { ArrayType, HostArray, Runtime } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import * as dsl from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { aroundRuns } from "@groupwise/testkit";
import * as arrow from "apache-arrow";
import { expect, test } from "vitest";
import { overColumns, withBitmaps } from "../src/index.ts";
import { listOf } from "./support.ts";

/** A runtime that notes the arrays of each run. */
const noting = (runs: Readonly<Record<string, unknown>>[]): Runtime =>
  aroundRuns(jsRuntime(), (run, values) => {
    runs.push(values);
    return run();
  });

const TYPES: Readonly<Record<ArrayType, arrow.DataType>> = {
  i8: new arrow.Int8(),
  u8: new arrow.Uint8(),
  i16: new arrow.Int16(),
  u16: new arrow.Uint16(),
  bf16: new arrow.Uint16(),
  i32: new arrow.Int32(),
  u32: new arrow.Uint32(),
  i64: new arrow.Int64(),
  u64: new arrow.Uint64(),
  f16: new arrow.Float16(),
  f32: new arrow.Float32(),
  f64: new arrow.Float64(),
  bool: new arrow.Bool(),
};

test.each(Object.keys(TYPES) as ArrayType[])("%s: values reach the runtime without a copy", async (type) => {
  if (type === "bool") return bitsReach();
  const { array } = arraySpec(type);
  const values = new array(9) as HostArray;
  values.set(
    Array.from({ length: 9 }, (_, i) => (type.endsWith("64") && type !== "f64" ? BigInt(i) : i)) as never,
  );
  const nullBitmap = Uint8Array.of(0b11101101, 0b1);
  const data = arrow.makeData({ type: TYPES[type] as never, length: 9, data: values as never, nullBitmap });
  const runs: Readonly<Record<string, HostArray>>[] = [];
  const descriptor = (dsl as unknown as Readonly<Record<string, dsl.ScalarType<"u32">>>)[type];
  const built = dsl.pipeline("same", { x: descriptor as dsl.ScalarType<"u32"> }, ({ x }) => ({
    x2: x,
    big: x.gt(x),
  }));
  const program = overColumns(noting(runs), built);
  const whole = new arrow.Vector([data]) as unknown as arrow.Vector<arrow.Uint32>;
  const { big } = await program.run({ x: whole.slice(2, 8) });
  const [run] = runs;
  expect(run?.x?.buffer).toBe(values.buffer);
  expect(run?.x?.byteOffset).toBe(2 * values.BYTES_PER_ELEMENT);
  expect(run?.x?.length).toBe(6);
  expect(run?.x_valid_bits?.buffer).toBe(nullBitmap.buffer);
  expect(big.nullCount).toBe(1);
  expect(Array.from({ length: 6 }, (_, i) => big.isValid(i))).toEqual([true, true, false, true, true, true]);
});

async function bitsReach(): Promise<void> {
  const bytes = Uint8Array.of(0b10110010, 0b01011101, 0b1);
  const whole = new arrow.Vector([arrow.makeData({ type: new arrow.Bool(), length: 17, data: bytes })]);
  const runs: Readonly<Record<string, HostArray>>[] = [];
  const built = dsl.pipeline("flags", { p: dsl.bool }, ({ p }, { index }) => ({
    p2: p.not(),
    before: p.toU32().scanExclusive("add"),
    where: index(),
  }));
  const got = await overColumns(noting(runs), built).run({ p: whole.slice(3, 14) });
  expect(runs[0]?.p_bits?.buffer).toBe(bytes.buffer);
  const want = [...whole.slice(3, 14)].map((p) => p === true);
  expect(listOf(got.p2)).toEqual(want.map((p) => !p));
  expect(listOf(got.before)).toEqual(want.map((_, i) => want.slice(0, i).filter(Boolean).length));
  expect(listOf(got.where)).toEqual(want.map((_, i) => i));
}

test("results of the types that Arrow and groupwise represent differently in JavaScript", async () => {
  const built = dsl.pipeline("halves", { h: dsl.f16, t: dsl.bool }, ({ h, t }) => ({
    twice: h.add(h),
    sum: dsl.scalar(h.toF32().reduce("add")),
    any: dsl.scalar(t.any()),
  }));
  const h = arrow.vectorFromArray([0.5, null, 1.25], new arrow.Float16());
  const got = await overColumns(jsRuntime(), built).run({ h, t: Uint8Array.of(0, 1, 0) });
  expect(listOf(got.twice)).toEqual([1, null, 2.5]);
  expect(got).toMatchObject({ sum: 1.75, any: true });
});

test("a table of bools, and bools in chunks", async () => {
  const built = dsl.pipeline(
    "lookup",
    { at: dsl.u32, t: dsl.table(dsl.bool), p: dsl.bool },
    ({ at, t, p }) => ({
      found: t.at(at),
      count: dsl.scalar(p.toU32().reduce("add")),
      length: dsl.scalar(t.length),
    }),
  );
  const bools = (items: boolean[]) => arrow.vectorFromArray(items, new arrow.Bool());
  const p = bools([true, false, true])
    .slice(1)
    .concat(bools([true, true]).slice(0, 1));
  const t = bools([false, true])
    .slice(1)
    .concat(bools([false]));
  const got = await overColumns(jsRuntime(), built).run({ at: Uint32Array.of(0, 1, 7), t, p });
  expect(listOf(got.found)).toEqual([true, false, false]);
  expect(got).toMatchObject({ count: 2, length: 2 });
});

test("documents that read bitmaps are valid documents", () => {
  const built = dsl.pipeline("sums", { x: dsl.f32, x_valid_bits: dsl.u32 }, ({ x, x_valid_bits }) => ({
    sums: x.scanInclusive("add"),
    rest: x.mul(x_valid_bits.toF32()),
  }));
  const { pipeline, bitmaps, validity } = withBitmaps(built, { nullable: ["x"] });
  expect(bitmaps).toEqual([{ of: "x", holds: "validity", table: "x_valid_bits_2", from: "x_from" }]);
  expect(validity).toEqual({ sums: undefined, rest: { input: "x" } });
  expect(pipeline.nodes.filter(({ kind }) => kind === "output")).toHaveLength(2);
  const plain = withBitmaps(built, {});
  expect(plain.pipeline.nodes.map(({ kind }) => kind)).toEqual(built.ir.nodes.map(({ kind }) => kind));
});
