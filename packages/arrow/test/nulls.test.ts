import {
  argmax,
  bool,
  f32,
  f64,
  i32,
  moments,
  param,
  pipeline,
  scalar,
  select,
  table,
  u8,
  u32,
  welford,
} from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { Bool, Float32, Float64, Int32, Uint32, vectorFromArray } from "apache-arrow";
import { expect, test } from "vitest";
import { overColumns } from "../src/index.ts";
import { listOf, vectorOf } from "./support.ts";

const runtime = jsRuntime();
const ints = (items: (number | null)[], cuts: number[] = []) =>
  vectorOf({ items, cuts, margin: 3 }, new Int32());

test("a null is the identity of every collective, not 0", async () => {
  const built = pipeline("collectives", { x: i32, p: bool }, ({ x, p }) => ({
    least: scalar(x.reduce("min")),
    product: scalar(x.reduce("mul")),
    bits: scalar(x.reduce("and")),
    all: scalar(p.all()),
    any: scalar(p.any()),
    count: scalar(x.eq(x).toU32().reduce("add")),
    backwards: x.scanExclusive("mul", { reverse: true, seed: 2 }),
    fromZero: x.scanInclusive("max"),
  }));
  const program = overColumns(runtime, built);
  const p = vectorFromArray([true, null, true, null], new Bool());
  const got = await program.run({ x: ints([null, 5, -3, null]), p });
  expect(got).toMatchObject({ least: -3, product: -15, bits: 5 & -3, all: true, any: true, count: 2 });
  expect(listOf(got.backwards)).toEqual([-30, -6, 2, 2]);
  expect(listOf(got.fromZero)).toEqual([-(2 ** 31), 5, 5, 5]);
  const none = await program.run({ x: ints([null]), p: vectorFromArray([null], new Bool()) });
  expect(none).toMatchObject({ least: 2 ** 31 - 1, product: 1, bits: -1, all: true, any: false, count: 0 });
});

test("records are identities where a field is null", async () => {
  const built = pipeline("records", { x: f32 }, ({ x }, { index }) => {
    const best = argmax(f32).scanInclusive({ value: x, index: index() });
    const { count, mean } = welford(f32).reduce(moments(x));
    return { best: best.index, count: scalar(count), mean: scalar(mean) };
  });
  const x = vectorFromArray([null, null, 4, null, 8], new Float32());
  const got = await overColumns(runtime, built).run({ x });
  expect(listOf(got.best)).toEqual([0xffffffff, 0xffffffff, 2, 2, 4]);
  expect(got).toMatchObject({ count: 2, mean: 6 });
});

test("a null does not hide where its segment begins", async () => {
  const built = pipeline("marked", { x: i32, first: bool }, ({ x, first }) => ({
    sums: x.scanInclusive("add", { segments: first }),
    before: x.scanExclusive("max", { segments: first, reverse: true }),
  }));
  const first = Uint8Array.of(1, 0, 1, 0, 0, 1);
  const { sums, before } = await overColumns(runtime, built).run({
    x: ints([1, 2, null, 4, 5, null]),
    first,
  });
  expect(listOf(sums)).toEqual([1, 3, 0, 4, 9, 0]);
  expect(listOf(before)).toEqual([2, -(2 ** 31), 5, 5, -(2 ** 31), -(2 ** 31)]);
});

test("nulls that decide where segments begin are refused", async () => {
  const built = pipeline("keyed", { x: i32, key: i32 }, ({ x, key }) => ({
    sums: x.scanInclusive("add", { keys: key }),
  }));
  const run = overColumns(runtime, built).run({ x: ints([1, 2]), key: ints([1, null]) });
  await expect(run).rejects.toMatchObject({ code: "unsupported", what: expect.stringContaining("nulls") });
});

test("an element-wise result is null if an operand is null, a select if the chosen value is null", async () => {
  const built = pipeline("maps", { a: i32, b: i32, p: bool, s: param(i32) }, ({ a, b, p, s }) => ({
    sum: a.add(s),
    chosen: select(p, a, b),
    root: a.toF64().sqrt(),
    narrow: u8(a.toU32()),
    same: a,
    less: a.lt(b),
  }));
  const a = [1, null, 300, null, 25];
  const b = [7, 7, null, null, 7];
  const p = [true, false, null, true, false];
  const program = overColumns(runtime, built);
  for (const cuts of [[], [2, 3]]) {
    const got = await program.run({
      a: ints(a, cuts),
      b: ints(b),
      p: vectorOf({ items: p, cuts: [1], margin: 5 }, new Bool()),
      s: 10,
    });
    expect(listOf(got.sum)).toEqual([11, null, 310, null, 35]);
    expect(listOf(got.chosen)).toEqual([1, 7, null, null, 7]);
    expect(listOf(got.root)).toEqual([1, null, Math.sqrt(300), null, 5]);
    expect(listOf(got.narrow)).toEqual([1, null, 44, null, 25]);
    expect(listOf(got.same)).toEqual(a);
    expect(listOf(got.less)).toEqual([true, null, null, null, false]);
  }
});

test("a gather and a broadcast are null if the item that they read is null", async () => {
  const built = pipeline("reads", { x: i32, at: u32, t: table(f64) }, ({ x, at, t }) => ({
    other: x.at(at),
    fromTable: t.at(at),
    first: scalar(x.broadcast(u32(0))),
    shifted: x.sub(x.broadcast(u32(1))),
  }));
  const values = {
    x: ints([null, 10, 20, null]),
    at: vectorFromArray([2, 3, null, 9], new Uint32()),
    t: vectorOf({ items: [0.5, null, 2.5], cuts: [1], margin: 2 }, new Float64()),
  };
  const got = await overColumns(runtime, built).run(values);
  expect(listOf(got.other)).toEqual([20, null, null, null]);
  expect(listOf(got.fromTable)).toEqual([2.5, 2.5, null, 2.5]);
  expect(got.first).toBeNull();
  expect(listOf(got.shifted)).toEqual([null, 0, 10, null]);
  const short = { ...values, t: vectorFromArray([1, null], new Float64()) };
  const clamped = await overColumns(runtime, built).run(short);
  expect(listOf(clamped.fromTable)).toEqual([null, null, null, null]);
});

test("scatters: null slots write nothing, null values are written as nulls, combining ignores nulls", async () => {
  const built = pipeline("scatters", { x: i32, to: u32 }, ({ x, to }) => ({
    moved: x.scatter({ to }),
    bins: x.scatter({ to: to.rem(2), combine: "add", capacity: u32(2) }),
  }));
  const to = vectorFromArray([3, 1, null, 0], new Uint32());
  const got = await overColumns(runtime, built).run({ x: ints([5, null, 6, 7]), to });
  expect(listOf(got.moved)).toEqual([7, null, 0, 5]);
  expect(listOf(got.bins)).toEqual([7, 5]);
});

test("elements of scatters are null where their values are, and 0 where no item writes", async () => {
  const built = pipeline("reads", { x: i32, to: u32, ask: u32 }, ({ x, to, ask }) => {
    const moved = x.scatter({ to });
    return { moved, own: moved.at(ask), total: moved.at(ask).scanInclusive("add") };
  });
  const to = vectorFromArray([3, 1, null, 0], new Uint32());
  const ask = vectorFromArray([0, 1, 2, 9], new Uint32());
  const x = ints([5, null, 6, 7]);
  const got = await overColumns(runtime, built).run({ x, to, ask });
  expect(listOf(got.own)).toEqual([7, null, 0, 5]);
  expect(listOf(got.total)).toEqual([7, 7, 7, 12]);
  const asked = vectorFromArray([null, 1, 3, 0], new Uint32());
  const other = await overColumns(runtime, built).run({ x: ints([5, 2, 6, 7]), to, ask: asked });
  expect(listOf(other.own)).toEqual([null, 2, 5, 7]);
});
