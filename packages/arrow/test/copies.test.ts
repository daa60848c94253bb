/** Vectors of other copies and versions of apache-arrow, and results that they can use. */
import { createRequire } from "node:module";
import { bool, f64, i32, i64, pipeline, scalar } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { fetched } from "@groupwise/testkit/packed";
import * as imported from "apache-arrow";
import { describe, expect, test } from "vitest";
import { overColumns } from "../src/index.ts";

const require = createRequire(import.meta.url);
type Arrow = typeof imported;
/** Full runs fetch the version that DuckDB-WASM returns. */
const older = await fetched("apache-arrow@17.0.0");
const COPIES: readonly [string, Arrow][] = [
  ["the imported copy", imported],
  ["the copy for require", require("apache-arrow") as Arrow],
  ...(older.found
    ? ([
        ["version 17", await import(`${older.value}/apache-arrow/Arrow.node.mjs`)],
        ["version 17 for require", require(`${older.value}/apache-arrow`)],
      ] as [string, Arrow][])
    : []),
];

const built = pipeline("copies", { price: f64, yes: bool }, ({ price, yes }) => ({
  sums: price.scanInclusive("add"),
  taxed: price.mul(2),
  more: price.gt(1).and(yes),
  count: price.gt(1).toU32(),
  total: scalar(price.reduce("add")),
}));

describe.each(COPIES)("vectors of %s", (_, arrow) => {
  const column = (values: readonly (number | null)[]) => arrow.vectorFromArray(values, new arrow.Float64());
  const yes = arrow.vectorFromArray([true, null, true, false], new arrow.Bool());

  test("give results that the same copy writes and reads", async () => {
    const price = column([1, null, 3, 4]);
    const { total, ...vectors } = await overColumns(jsRuntime(), built).run({ price, yes });
    expect(total).toBe(8);
    for (const vector of Object.values(vectors)) expect(vector).toBeInstanceOf(arrow.Vector);
    expect(vectors.sums.type).toBeInstanceOf(arrow.Float64);
    const read = arrow.tableFromIPC(arrow.tableToIPC(new arrow.Table(vectors)));
    expect(read.schema.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "sums Float64",
      "taxed Float64",
      "more Bool",
      "count Uint32",
    ]);
    expect([...(read.getChild("sums") as never)]).toEqual([1, 1, 4, 8]);
    expect([...(read.getChild("taxed") as never)]).toEqual([2, null, 6, 8]);
    expect([...(read.getChild("more") as never)]).toEqual([false, null, true, false]);
    expect([...(read.getChild("count") as never)]).toEqual([0, null, 1, 1]);
  });

  test("may be slices and chunks", async () => {
    const price = column([9, 1, null, 3])
      .slice(1)
      .concat(column([4, 5]).slice(0, 1));
    const { sums } = await overColumns(jsRuntime(), built).run({ price, yes });
    expect(sums.data.length).toBe(2);
    expect([...sums]).toEqual([1, 1, 4, 8]);
  });

  test("are made where all columns are typed arrays, if the library is passed", async () => {
    const program = overColumns(jsRuntime(), built, { arrow });
    const { count } = await program.run({ price: Float64Array.of(1, 2), yes: Uint8Array.of(1, 1) });
    expect(count).toBeInstanceOf(arrow.Vector);
    expect(count.type).toBeInstanceOf(arrow.Uint32);
    expect([...count]).toEqual([0, 1]);
  });

  test("of dates, times, decimals and dictionaries are their integers", async () => {
    const longs = overColumns(
      jsRuntime(),
      pipeline("l", { x: i64 }, ({ x }) => ({ n: scalar(x.reduce("add")) })),
    );
    const shorts = overColumns(
      jsRuntime(),
      pipeline("s", { x: i32 }, ({ x }) => ({ n: scalar(x.reduce("add")) })),
    );
    const bigints = BigInt64Array.of(5n, 7n, 1n);
    const bitmap = { nullBitmap: Uint8Array.of(0b101), nullCount: 1 };
    for (const type of [
      new arrow.TimestampMicrosecond("UTC"),
      new arrow.DateMillisecond(),
      new arrow.TimeNanosecond(),
      new arrow.DurationSecond(),
    ]) {
      const x = new arrow.Vector([
        arrow.makeData({ type, length: 3, data: bigints, ...bitmap } as never),
      ] as never);
      expect(await longs.run({ x: x as never })).toMatchObject({ n: 6n });
    }
    const day = arrow.makeData({ type: new arrow.DateDay(), length: 2, data: Int32Array.of(1, 2) });
    expect((await shorts.run({ x: new arrow.Vector([day]) as never })).n).toBe(3);
    // -1, a null, 3 with two decimals: 128 bits each.
    const words = Uint32Array.of(-1 >>> 0, -1 >>> 0, -1 >>> 0, -1 >>> 0, 1, 2, 3, 4, 3, 0, 0, 0);
    const decimal = (nullCount: number) =>
      new arrow.Vector([
        arrow.makeData({
          type: new arrow.Decimal(2, 38),
          length: 3,
          data: words,
          nullBitmap: nullCount ? bitmap.nullBitmap : undefined,
          nullCount,
        } as never),
      ] as never) as never;
    expect((await longs.run({ x: decimal(1) })).n).toBe(2n);
    await expect(longs.run({ x: decimal(0) })).rejects.toMatchObject({
      code: "bad-buffer",
      what: expect.stringContaining("item 1"),
    });
    const texts = arrow.vectorFromArray(
      ["a", "b", "a"],
      new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32()),
    );
    expect((await shorts.run({ x: texts as never })).n).toBe(1);
  });

  test("of other types are refused by name, with the type to declare", async () => {
    const program = overColumns(
      jsRuntime(),
      pipeline("p", { x: f64 }, ({ x }) => ({ n: x.reduce("add") })),
    );
    const refusal = (x: unknown) => program.run({ x: x as never }).catch((error) => error);
    expect(await refusal(arrow.vectorFromArray(["a"], new arrow.Utf8()))).toMatchObject({
      code: "wrong-dtype",
      what: expect.stringContaining("Utf8"),
    });
    const stamps = new arrow.Vector([
      arrow.makeData({
        type: new arrow.TimestampMillisecond(),
        length: 1,
        data: BigInt64Array.of(1n) as never,
      }),
    ] as never);
    expect(await refusal(stamps)).toMatchObject({
      code: "wrong-dtype",
      hint: expect.stringMatching(/i64.*milliseconds/),
    });
  });
});
