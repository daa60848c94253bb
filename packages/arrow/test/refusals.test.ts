import { bool, f32, i32, param, pipeline, table } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import * as arrow from "apache-arrow";
import { expect, test } from "vitest";
import { overColumns, withBitmaps } from "../src/index.ts";

const built = pipeline("sums", { x: f32, t: table(i32), a: param(f32) }, ({ x, t, a }) => ({
  sums: x.mul(a).scanInclusive("add"),
  total: x.reduce("add"),
  first: t.at(0),
}));
const program = overColumns(jsRuntime(), built);
const t = Int32Array.of(1);
const run = (x: unknown, more: object = {}, options?: object) =>
  program.run({ x, t, a: 1, ...more } as never, options as never);

test.each([
  ["text", arrow.vectorFromArray(["a", "b"], new arrow.Utf8()), "Utf8"],
  ["dictionary", arrow.vectorFromArray(["a", "b"]), "Dictionary<"],
  ["another width", arrow.vectorFromArray([1], new arrow.Float64()), "Float64"],
  ["an integer", arrow.vectorFromArray([1], new arrow.Int32()), "Int32"],
  ["a date", arrow.vectorFromArray([new Date(0)], new arrow.DateMillisecond()), "Date64<MILLISECOND>"],
  ["bools", arrow.vectorFromArray([true], new arrow.Bool()), "Bool"],
  ["nothing but nulls", arrow.vectorFromArray([null], new arrow.Null()), "Null"],
  [
    "a list",
    arrow.vectorFromArray([[1]], new arrow.List(arrow.Field.new("e", new arrow.Float32()))),
    "List<",
  ],
  ["another typed array", Float64Array.of(1), "Float64Array"],
  ["a list of numbers", [1, 2], "Array"],
  ["a table", arrow.tableFromArrays({ x: Float32Array.of(1) }), "Table"],
])("%s is not a column of f32", async (_, column, got) => {
  await expect(run(column)).rejects.toMatchObject({
    code: "wrong-dtype",
    what: expect.stringMatching(new RegExp(`"x" must be a Vector of Float32 or Float32Array.*${got}`)),
  });
});

const x = Float32Array.of(1, 2);

test("names and lengths", async () => {
  await expect(run(x, { y: x })).rejects.toMatchObject({ code: "unknown-input" });
  await expect(run(undefined)).rejects.toMatchObject({ code: "missing-input" });
  await expect(run(x, { a: "1" })).rejects.toMatchObject({ code: "bad-parameter" });
  await expect(program.run({ x, t } as never)).rejects.toMatchObject({ code: "missing-input" });
  const two = pipeline("two", { p: bool, q: i32 }, ({ p, q }) => ({ chosen: p.select(q, 0) }));
  const p = arrow.vectorFromArray([true, false, null], new arrow.Bool());
  const uneven = overColumns(jsRuntime(), two).run({ p, q: Int32Array.of(1) });
  await expect(uneven).rejects.toMatchObject({ code: "length-mismatch" });
});

test("options", async () => {
  await expect(run(x, {}, { nullWhere: { sums: "t" } })).rejects.toMatchObject({ code: "unknown-input" });
  await expect(run(x, {}, { nullWhere: { total: "x" } })).rejects.toMatchObject({ code: "bad-argument" });
  await expect(run(x, {}, { nullWhere: { none: "x" } })).rejects.toMatchObject({ code: "bad-argument" });
  await expect(run(x, {}, { n: 3 })).rejects.toMatchObject({ code: "length-mismatch" });
});

test("a runtime and a library that are none", () => {
  const code = (make: () => unknown) =>
    expect(make).toThrow(expect.objectContaining({ code: "bad-argument" }));
  for (const runtime of [undefined, {}, built]) code(() => overColumns(runtime as never, built));
  const { Float32: _, ...others } = arrow;
  for (const library of [{}, { Vector: arrow.Vector }, others])
    code(() => overColumns(jsRuntime(), built, { arrow: library as never }));
});

test("buffers that are shorter than their column", async () => {
  const type = new arrow.Float32();
  const short = (props: object) => new arrow.Vector([arrow.makeData({ type, length: 20, ...props })]);
  const data = new Float32Array(20);
  await expect(run(short({ data: data.subarray(1) }))).rejects.toMatchObject({ code: "bad-buffer" });
  const cut = short({ data, nullBitmap: new Uint8Array(2), nullCount: 3 });
  await expect(run(cut)).rejects.toMatchObject({ code: "bad-buffer" });
});

test("bitmaps of names that are not inputs", () => {
  expect(() => withBitmaps(built, { nullable: ["a"] })).toThrowError(/unknown-input/);
  expect(() => withBitmaps(built, { packed: ["x"] })).toThrowError(/type-mismatch/);
});

test("a disposed program is compiled again", async () => {
  const first = await run(x);
  program.dispose();
  const second = await run(x);
  expect([...second.sums]).toEqual([...first.sums]);
});
