import { GroupwiseError, type Runtime } from "@groupwise/core";
import { affine, f32, u8, u32 } from "@groupwise/dsl";
import { along, axisArgmax, axisArgmin, axisReduce, axisScan, axisSort } from "@groupwise/primitives";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { randomOf } from "@groupwise/testkit";
import { describe, expect, test } from "vitest";
import { compiledOn } from "../../bench/src/subjects/index.ts";
import { prefixes } from "../../ir/test/fenwick.ts";
import { onDevices } from "./on-devices.ts";
import { sorted } from "./sorting.ts";

const js = jsRuntime();

/** The rows along an axis of `[outer, length, inner]`: the indexes of their items. */
function rowsOf(outer: number, length: number, inner: number): number[][] {
  const rows: number[][] = [];
  for (let o = 0; o < outer; o++)
    for (let k = 0; k < inner; k++) rows.push(Array.from({ length }, (_, j) => (o * length + j) * inner + k));
  return rows;
}

/** Sums of these depend on the order; zeros of both signs, NaN and infinities are rare among them. */
function floats(n: number, seed: string): Float32Array {
  const random = randomOf(seed);
  const rare = [0, -0, Number.NaN, Number.POSITIVE_INFINITY];
  return Float32Array.from({ length: n }, () =>
    random.chance(0.001) ? random.pick(rare) : (random.unit() - 0.5) * 2 ** random.int(-8, 8),
  );
}

const SHAPES = [
  [0, 8, 1],
  [300, 1, 1],
  [1, 1, 1],
  [100, 8, 1],
  [40, 100, 1],
  [7, 33, 5],
  [1, 12, 50],
  [3, 10_000, 1],
  [1, 40_001, 1],
] as const;

/** A product of maps, in f32: neither commutative nor exactly associative. */
const maps = affine(f32);
const joined = ([a, b]: readonly number[], [c, d]: readonly number[]): number[] => {
  const [p, q, r, s] = [a, b, c, d] as [number, number, number, number];
  return [Math.fround(r * p), Math.fround(Math.fround(r * q) + s)];
};
const sum = (a: number, b: number): number => Math.fround(a + b);

const SCANS = { inclusive: axisScan("add", f32), exclusive: axisScan("add", f32, "exclusive") };
const SUMS = axisReduce("add", f32);
const LEAST = axisReduce("min", f32);
const WHOLE = axisScan("add", u32);
const MAPS = axisReduce(maps);
const MAP_SCANS = axisScan(maps, "exclusive");

type Shape = readonly [number, number, number];

async function sums(runtime: Runtime, shape: Shape): Promise<void> {
  const [x, rows] = [floats(shape[0] * shape[1] * shape[2], String(shape)), rowsOf(...shape)];
  const all = rows.map((row) =>
    prefixes(
      row.map((i) => x[i] as number),
      0,
      sum,
    ),
  );
  const want = { inclusive: new Float32Array(x.length), exclusive: new Float32Array(x.length) };
  rows.forEach((row, r) => {
    row.forEach((i, j) => {
      want.exclusive[i] = all[r]?.[j] as number;
      want.inclusive[i] = all[r]?.[j + 1] as number;
    });
  });
  const where = along(shape, 1);
  for (const form of ["inclusive", "exclusive"] as const)
    expect((await SCANS[form].runOn(runtime, { x }, where)).sums).toEqual(want[form]);
  const { results } = await SUMS.runOn(runtime, { x }, where);
  expect(results).toEqual(Float32Array.from(all, (row) => row.at(-1) as number));
}

async function records(runtime: Runtime, shape: Shape): Promise<void> {
  const n = shape[0] * shape[1] * shape[2];
  const [a, b, rows] = [floats(n, `a ${shape}`), floats(n, `b ${shape}`), rowsOf(...shape)];
  const items = rows.map((row) => row.map((i) => [a[i] as number, b[i] as number]));
  const all = items.map((row) => prefixes(row, [1, 0], joined));
  const where = along(shape, 1);
  const found = await MAPS.runOn(runtime, { x_a: a, x_b: b }, where);
  expect(found.results_a).toEqual(Float32Array.from(all, (row) => row.at(-1)?.[0] as number));
  expect(found.results_b).toEqual(Float32Array.from(all, (row) => row.at(-1)?.[1] as number));
  const scans = await MAP_SCANS.runOn(runtime, { x_a: a, x_b: b }, where);
  const want = new Float32Array(n);
  rows.forEach((row, r) => {
    row.forEach((i, j) => {
      want[i] = all[r]?.[j]?.[1] as number;
    });
  });
  expect(scans.sums_b).toEqual(want);
}

async function integers(runtime: Runtime, shape: Shape): Promise<void> {
  const random = randomOf(String(shape));
  const x = Uint32Array.from({ length: shape[0] * shape[1] * shape[2] }, () => random.bits());
  const want = new Uint32Array(x.length);
  for (const row of rowsOf(...shape)) {
    let all = 0;
    for (const i of row) {
      all = (all + (x[i] as number)) >>> 0;
      want[i] = all;
    }
  }
  expect((await WHOLE.runOn(runtime, { x }, along(shape, 1))).sums).toEqual(want);
}

const NAMED = { f32: { max: axisArgmax(f32), min: axisArgmin(f32) } };

async function extremes(runtime: Runtime, shape: Shape): Promise<void> {
  const random = randomOf(String(shape));
  const pool = [0, -0, 1, 1, 2, -3, 5, ...(random.chance(0.5) ? [Number.NaN] : [])];
  const x = Float32Array.from({ length: shape[0] * shape[1] * shape[2] }, () => random.pick(pool));
  const rows = rowsOf(...shape).map((row) => row.map((i) => x[i] as number));
  // As NumPy: the first NaN, or else the first of the greatest, -0 being equal to +0.
  const placeOf = (row: readonly number[], most: (...all: number[]) => number): number => {
    const none = row.findIndex(Number.isNaN);
    return none >= 0 ? none : row.indexOf(row.reduce((a, b) => most(a, b)));
  };
  const where = along(shape, 1);
  for (const kind of ["max", "min"] as const) {
    const got = await NAMED.f32[kind].runOn(runtime, { x }, where);
    const places = rows.map((row) => placeOf(row, Math[kind]));
    expect(got.results_index).toEqual(Uint32Array.from(places));
    expect(got.results_value).toEqual(
      Float32Array.from(rows, (row, r) => row[places[r] as number] as number),
    );
  }
}

const SORTS = { up: axisSort(f32), down: axisSort(f32, { descending: true }) };

async function sorts(runtime: Runtime, shape: Shape): Promise<void> {
  const x = floats(shape[0] * shape[1] * shape[2], `${shape}`).map((one, i) =>
    i % 3 ? Math.round(one) : one,
  );
  for (const direction of ["up", "down"] as const) {
    const [want, places] = [new Float32Array(x.length), new Uint32Array(x.length)];
    for (const row of rowsOf(...shape)) {
      const { keys, from } = sorted(
        "f32",
        Float32Array.from(row, (i) => x[i] as number),
        direction === "down",
      );
      row.forEach((i, j) => {
        want[i] = keys[j] as number;
        places[i] = from[j] as number;
      });
    }
    const got = await SORTS[direction].runOn(runtime, { keys: x }, along(shape, 1));
    expect(got.sorted).toEqual(want);
    expect(got.from).toEqual(places);
  }
}

const BYTES = axisSort(u8);

/** Elements of 8 bits; of one row, no step sorts by its number. */
async function bytes(runtime: Runtime, shape: Shape): Promise<void> {
  const x = Uint8Array.from({ length: shape[0] * shape[1] * shape[2] }, (_, i) => (i * 37) % 251);
  const want = new Uint8Array(x.length);
  for (const row of rowsOf(...shape)) {
    const keys = Uint8Array.from(row, (i) => x[i] as number).sort();
    row.forEach((i, j) => {
      want[i] = keys[j] as number;
    });
  }
  expect((await BYTES.runOn(runtime, { keys: x }, along(shape, 1))).sorted).toEqual(want);
}

/** What is tried, and what it runs. */
const ALL = {
  sums: [sums, SCANS.inclusive, SCANS.exclusive, SUMS],
  records: [records, MAPS, MAP_SCANS],
  integers: [integers, WHOLE],
  extremes: [extremes, NAMED.f32.max, NAMED.f32.min],
  sorts: [sorts, SORTS.up, SORTS.down],
  bytes: [bytes, BYTES],
} as const;
type Tried = keyof typeof ALL;

/** All shapes with steps that are compiled once. */
async function agree(runtime: Runtime, name: Tried, shapes: readonly Shape[]): Promise<void> {
  const [agrees, ...used] = ALL[name];
  const kept = await Promise.all(used.map((what) => compiledOn(runtime, { what })));
  for (const shape of shapes) await agrees(runtime, shape);
  for (const one of kept) one.dispose();
}
const linesOf = (rows: number, lengths: readonly number[]): Shape[] =>
  lengths.map((length) => [rows, length, 1]);

describe("each row along an axis is combined as it is alone, bit for bit", () => {
  for (const name of Object.keys(ALL) as Tried[])
    test(`${name} in JavaScript`, () => agree(js, name, SHAPES));

  // In full runs: `devices.test.ts` has the steps of which these are made.
  onDevices(
    "short and long rows",
    async (runtime) => {
      await agree(runtime, "sums", [
        [40, 100, 1],
        [3, 7, 5],
      ]);
      await agree(runtime, "extremes", [[5, 33, 2]]);
    },
    [],
  );
});

/** Where rows begin to take more lanes, more subgroups, or no single work-group. */
const LIMITS = [1, 2, 3, 4, 5, 31, 32, 33, 127, 128, 129, 255, 256, 257];

onDevices(
  "sums of rows about the limits",
  async (runtime) => {
    // Of the longer ones one tile of a row after the other.
    await agree(runtime, "sums", [...linesOf(7, LIMITS), ...linesOf(64, [300, 1025])]);
  },
  ["JavaScript"],
);

// Integers, which llvmpipe compiles in a quarter of the time of floats.
onDevices(
  "integers of short and long rows",
  async (runtime) => {
    await agree(runtime, "integers", linesOf(5, [33, 300]));
  },
  ["lavapipe"],
);

onDevices(
  "records, integers and places of rows about the limits",
  async (runtime) => {
    for (const name of ["integers", "records", "extremes"] as const)
      await agree(runtime, name, [...linesOf(5, LIMITS), ...linesOf(64, [300])]);
  },
  // C has the loops of JavaScript.
  ["JavaScript"],
);

test("a row has the bits of the collective over it alone", async () => {
  const x = floats(3 * 1001, "alone");
  const { sums: all } = await SCANS.inclusive.runOn(js, { x }, { length: 1001 });
  for (let r = 0; r < 3; r++) {
    const row = x.slice(r * 1001, (r + 1) * 1001);
    const { sums: alone } = await SCANS.inclusive.runOn(js, { x: row }, { length: 1001 });
    expect(all.slice(r * 1001, (r + 1) * 1001)).toEqual(alone);
  }
});

test("rows without items have the identity", async () => {
  const x = new Float32Array(0);
  expect((await LEAST.runOn(js, { x }, along([2, 0, 3], 1))).results).toEqual(
    new Float32Array(6).fill(Infinity),
  );
  const found = await MAPS.runOn(js, { x_a: x, x_b: x }, along([2, 0], -1));
  expect(found).toEqual({ results_a: Float32Array.of(1, 1), results_b: Float32Array.of(0, 0) });
  expect((await SUMS.runOn(js, { x }, along([0, 4], 1))).results).toEqual(new Float32Array(0));
  expect((await SUMS.runOn(js, { x }, along([4, 0], 0))).results).toEqual(new Float32Array(0));
});

test("along gives the sides around an axis", () => {
  expect(along([2, 3, 4, 5], 1)).toEqual({ outer: 2, length: 3, inner: 20 });
  expect(along([2, 3, 4, 5], -1)).toEqual({ outer: 24, length: 5, inner: 1 });
  expect(along([7], 0)).toEqual({ outer: 1, length: 7, inner: 1 });
});

test("sizes that do not fit are refused", async () => {
  const code = (act: () => unknown): Promise<string> =>
    Promise.resolve()
      .then(act)
      .then(
        () => "nothing",
        (error: unknown) => (error instanceof GroupwiseError ? error.code : String(error)),
      );
  const x = new Float32Array(12);
  expect(await code(() => SUMS.runOn(js, { x }, { length: 5 }))).toBe("bad-divisor");
  expect(await code(() => SUMS.runOn(js, { x }, { length: 0 }))).toBe("bad-divisor");
  expect(await code(() => SUMS.runOn(js, { x }, { length: 3, inner: 3 }))).toBe("bad-divisor");
  expect(await code(() => SUMS.runOn(js, { x }, along([2, 5], 1)))).toBe("bad-usage");
  expect(await code(() => SORTS.up.runOn(js, { keys: x }, { length: 5 }))).toBe("bad-divisor");
  expect(await code(() => SUMS.runOn(js, { x }, { length: 1.5 }))).toBe("bad-argument");
  expect(await code(() => SUMS.runOn(js, { x }, { length: 3, inner: 0 }))).toBe("bad-divisor");
  expect(await code(() => SUMS.runOn(js, { x }, { width: 3 } as never))).toBe("bad-usage");
  expect(await code(() => SUMS.runOn(js, { x }, {} as never))).toBe("bad-argument");
  expect(await code(() => along([2, 3], 2))).toBe("bad-argument");
  expect(await code(() => along([2, 3], -3))).toBe("bad-argument");
  expect(await code(() => along([2, 3], Symbol("1") as never))).toBe("bad-argument");
  expect(await code(() => along([], 0))).toBe("bad-argument");
  expect(await code(() => along([2, -3], 0))).toBe("bad-argument");
  expect(await code(() => axisArgmax("f32" as never))).toBe("bad-argument");
  expect(await code(() => axisSort(f32, { up: true } as never))).toBe("bad-usage");
  const count = js.array("u32", Uint32Array.of(12));
  const array = js.array("f32", x);
  expect(await code(() => SUMS.run(js, { x: array }, { n: { count, max: 12 }, length: 3 }))).toBe(
    "bad-usage",
  );
});
