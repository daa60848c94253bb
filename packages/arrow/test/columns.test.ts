import { f64, i64, pipeline, scalar, u32 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import {
  Float64,
  Int64,
  Table,
  tableFromIPC,
  tableToIPC,
  Uint32,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { expect, test } from "vitest";
import { overColumns } from "../src/index.ts";
import { listOf, plans, vectorOf } from "./support.ts";

const runtime = jsRuntime();

const sums = pipeline("sums", { x: i64, y: i64 }, ({ x, y }) => ({
  before: x.scanExclusive("add"),
  sums: x.scanInclusive("add"),
  most: scalar(y.reduce("max")),
  both: x.add(y),
}));

const wrapped = (value: bigint): bigint => BigInt.asIntN(64, value);

test("sums of two columns with nulls, cut differently, are those of plain loops", async () => {
  const program = overColumns(runtime, sums);
  const numbers = plans(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
  await fc.assert(
    fc.asyncProperty(numbers, fc.array(fc.nat(70)), async (x, cuts) => {
      const y = { items: x.items.map((item, i) => (i % 5 === 2 ? null : item)).reverse(), cuts, margin: 3 };
      const got = await program.run({ x: vectorOf(x, new Int64()), y: vectorOf(y, new Int64()) });
      let sum = 0n;
      let most = -(2n ** 63n);
      const want = { before: [] as unknown[], sums: [] as unknown[], both: [] as unknown[] };
      for (const [i, item] of x.items.entries()) {
        const other = y.items[i] ?? null;
        want.before.push(sum);
        sum = wrapped(sum + (item ?? 0n));
        want.sums.push(sum);
        if (other !== null && other > most) most = other;
        want.both.push(item === null || other === null ? null : wrapped(item + other));
      }
      expect(listOf(got.before)).toEqual(want.before);
      expect(listOf(got.sums)).toEqual(want.sums);
      expect(listOf(got.both)).toEqual(want.both);
      expect(got.most).toBe(most);
    }),
    { numRuns: 60 },
  );
});

test("chunked columns have the bits of one array, for floats too, and results have the same chunks", async () => {
  const mean = pipeline("running", { x: f64 }, ({ x }) => ({
    sums: x.scanInclusive("add"),
    total: x.reduce("add"),
  }));
  const program = overColumns(runtime, mean);
  const items = Array.from({ length: 1000 }, (_, i) =>
    i % 7 === 3 ? null : 1e10 / (i + 1) - 1 / 3 ** (i % 40),
  );
  const whole = await program.run({ x: vectorOf({ items, cuts: [], margin: 0 }, new Float64()) });
  const cut = await program.run({ x: vectorOf({ items, cuts: [3, 3, 511, 514], margin: 5 }, new Float64()) });
  expect(cut.sums.data.map(({ length }) => length)).toEqual([3, 508, 3, 486]);
  const bits = (vector: Vector<Float64>): unknown[] => [
    ...new BigUint64Array(vector.toArray().slice().buffer),
  ];
  expect(bits(cut.sums)).toEqual(bits(whole.sums));
  expect(bits(cut.total)).toEqual(bits(whole.total));
});

test("a pipeline that cannot be carried over chunks returns the same result in one piece", async () => {
  const program = overColumns(
    runtime,
    pipeline("segments", { x: u32, shop: u32 }, ({ x, shop }) => ({
      total: x.reduce("add", { keys: shop }),
    })),
  );
  const items = [5, null, 7, 1, 2, null];
  const shops = [1, 1, 2, 2, 2, 3];
  const x = vectorOf({ items, cuts: [1, 2, 4], margin: 9 }, new Uint32());
  const { total } = await program.run({ x, shop: Uint32Array.from(shops) });
  expect(listOf(total)).toEqual([5, 5, 10, 10, 10, 0]);
});

test("on request, outputs are null where an input is null, as in cumulative_sum", async () => {
  const program = overColumns(runtime, sums);
  for (const cuts of [[], [2, 5]]) {
    const x = vectorOf({ items: [1n, null, 3n, 4n, null, 6n], cuts, margin: 3 }, new Int64());
    const y = vectorOf({ items: [1n, 2n, null, 4n, 5n, 6n], cuts: [], margin: 0 }, new Int64());
    const got = await program.run({ x, y }, { nullWhere: { sums: "x", both: "y" } });
    expect(listOf(got.sums)).toEqual([1n, null, 4n, 8n, null, 14n]);
    expect(listOf(got.both)).toEqual([2n, null, null, 8n, null, 12n]);
    expect(listOf(got.before)).toEqual([0n, 1n, 1n, 4n, 8n, 8n]);
    const table = tableFromIPC(tableToIPC(new Table({ sums: got.sums, both: got.both })));
    expect(listOf(table.getChild("sums") as Vector)).toEqual(listOf(got.sums));
    expect(listOf(table.getChild("both") as Vector)).toEqual(listOf(got.both));
  }
});

test("columns without items have results without items", async () => {
  const program = overColumns(runtime, sums);
  const none = vectorFromArray([], new Int64());
  const got = await program.run({ x: none, y: new Vector([...none.data, ...none.data]) });
  expect([got.before.length, got.sums.length, got.most]).toEqual([0, 0, -(2n ** 63n)]);
});
