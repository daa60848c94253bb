/** Pipelines that hosts run, each with arguments: together they have every role and form of array and scalar that a manifest has. */
import type { Pipeline, RunOptions } from "@groupwise/core";
import {
  argmax,
  bf16,
  bits as bitmap,
  bool,
  f16,
  f32,
  f64,
  i8,
  i16,
  i32,
  i64,
  param,
  pipeline,
  table,
  u8,
  u16,
  u32,
  u64,
} from "@groupwise/dsl";

/** A run. */
export interface HostJob {
  readonly source: { readonly ir: Pipeline };
  readonly values: Readonly<Record<string, unknown>>;
  readonly options?: RunOptions;
  /** Types of arrays if they are not those of the declaration. */
  readonly types?: Readonly<Record<string, string>>;
}

/** More items than a tile has, and no multiple of one. */
const N = 2500;
const numbers = (count: number, spread: number): number[] =>
  Array.from({ length: count }, (_, i) => ((i * 7919 + 13) % 10007) % spread);
const centred = (count: number, spread: number): number[] =>
  numbers(count, spread).map((x) => x - Math.floor(spread / 2));
const bits = (count: number): Uint8Array => Uint8Array.from(numbers(count, 3), (x) => Number(x === 0));
const floats = (count: number): Float32Array => Float32Array.from(centred(count, 1001), (x) => x / 7);

export const JOBS: readonly HostJob[] = [
  {
    source: pipeline("line-index", { text: u8 }, ({ text }, { index }) => {
      const line = text.eq(10).toU32().scanExclusive("add");
      const starts = index()
        .add(1)
        .scatter({ to: line, where: text.eq(10) });
      return { line, starts, lines: text.eq(10).toU32().reduce("add") };
    }),
    values: { text: Uint8Array.from(numbers(N, 40)) },
  },
  {
    source: pipeline("weighted", { x: f32, w: f32, scale: param(f32) }, ({ x, w, scale }) => ({
      sums: x.mul(w).mul(scale).scanInclusive("add"),
      most: x.reduce("max"),
      share: w.div(w.reduce("add")),
    })),
    values: { x: floats(N), w: floats(N).map(Math.abs), scale: Math.fround(0.3) },
  },
  {
    source: pipeline(
      "masks",
      { flag: bool, turn: param(bool), masks: table(bool), none: table(u32) },
      ({ flag, turn, masks, none }, { index }) => ({
        turned: flag.xor(turn),
        some: flag.any(),
        masked: masks.at(index()).and(flag),
        missing: none.at(index()),
      }),
    ),
    values: { flag: bits(N), turn: true, masks: bits(1000), none: new Uint32Array() },
  },
  {
    source: pipeline("longs", { x: i64, y: u64, by: param(i64), and: param(u64) }, ({ x, y, by, and }) => ({
      sums: x.mul(by).scanInclusive("add"),
      bits: y.and(and).reduce("xor"),
    })),
    values: {
      x: BigInt64Array.from(centred(N, 9999), (x) => BigInt(x) * 10n ** 14n),
      y: BigUint64Array.from(numbers(N, 9999), (x) => BigInt(x) ** 4n),
      ...{ by: -(2n ** 40n) - 5n, and: 2n ** 63n + 2n ** 33n - 1n },
    },
  },
  {
    source: pipeline("doubles", { x: f64, by: param(f64) }, ({ x, by }) => ({
      sum: x.mul(by).reduce("add"),
    })),
    values: { x: Float64Array.from(centred(700, 997), (x) => x / 3), by: Math.PI },
  },
  {
    source: pipeline("halves", { x: f16, y: bf16, by: param(f16) }, ({ x, y, by }) => ({
      scaled: x.mul(by),
      most: x.reduce("max"),
      wide: y.add(x.toF32()),
      doubled: bf16(y.mul(2)),
    })),
    values: {
      x: Uint16Array.from(numbers(1001, 500), (x) => 0x3800 + x),
      y: Uint16Array.from(numbers(1001, 60), (x) => 0x3f80 + x),
      by: 0.75,
    },
  },
  {
    source: pipeline(
      "tiles",
      { x: i32 },
      ({ x }, { globalId, groupId }) => ({
        sums: x.reduce("add", { scope: "work-group" }),
        place: globalId(0).add(globalId(1).mul(1000)),
        group: groupId(1),
      }),
      { workGroupSize: [8, 4] },
    ),
    values: { x: Int32Array.from(centred(30 * 21, 77)) },
    options: { globalSize: [30, 21], globalOffset: [5, 7] },
  },
  {
    source: pipeline("kept", { x: i16, most: param(u32) }, ({ x, most }, { index }) => {
      const keep = x.gt(100);
      const to = keep.toU32().scanExclusive("add");
      const length = keep.toU32().reduce("add");
      return { kept: x.scatter({ to, where: keep, length, capacity: most }), last: index().reduce("max") };
    }),
    values: { x: Int16Array.from(centred(N, 900)), most: 2000 },
  },
  {
    source: pipeline("rows", { x: i32, width: param(u32, { divides: true }) }, ({ x, width }, { index }) => ({
      column: index().rem(width),
      sums: x.scanInclusive("add", { segments: index().rem(width).eq(0) }),
      // In WGSL this array has two slots.
      next: x.at(index().add(3)),
    })),
    values: { x: Int32Array.from(centred(N, 901)), width: 50 },
  },
  {
    source: pipeline("narrow", { a: i8, b: u16, k: table(i8) }, ({ a, b, k }) => ({
      sum: a.reduce("add"),
      looked: k.at(b),
      most: b.reduce("max"),
    })),
    values: {
      a: Int8Array.from(centred(1003, 255)),
      b: Uint16Array.from(numbers(1003, 300)),
      k: Int8Array.from(centred(301, 200)),
    },
  },
  {
    source: pipeline("greatest", { x: f32 }, ({ x }, { index }) => {
      const { value, index: at } = argmax(f32).reduce({ value: x, index: index() });
      return { value, at };
    }),
    values: { x: floats(N) },
  },
  {
    source: pipeline("bitmap", { mask: bitmap }, ({ mask }) => ({
      turned: bitmap(mask.not()),
      count: mask.toU32().reduce("add"),
    })),
    values: { mask: Uint32Array.of(0xdeadbeef, 0x12345678, 0xffffffff) },
    options: { n: 70 },
  },
  {
    source: pipeline("counts", { x: u32, bins: param(u32) }, ({ x, bins }) => ({
      counts: x
        .eq(x)
        .toU32()
        .scatter({ to: x.rem(bins), combine: "add", capacity: bins }),
      first: x.broadcast(0),
    })),
    values: { x: Uint32Array.from(numbers(N, 5000)), bins: 17 },
  },
];

const named = (
  name: string,
  change: Partial<HostJob>,
  message: string,
): { job: HostJob; message: string } => {
  const job = JOBS.find(({ source }) => source.ir.name === name) as HostJob;
  return { job: { ...job, ...change, values: { ...job.values, ...change.values } }, message };
};

/** The job over another number of items. */
export function withItems(job: HostJob, n: number): HostJob {
  const inputs = job.source.ir.nodes.flatMap((node) => (node.kind === "input" ? [node.name] : []));
  const repeated = (array: Uint8Array): unknown =>
    Reflect.construct(array.constructor, [Array.from({ length: n }, (_, i) => array[i % array.length])]);
  const values = Object.entries(job.values).map(([name, value]) =>
    inputs.includes(name) ? [name, repeated(value as Uint8Array)] : [name, name === "width" ? 1 : value],
  );
  return { ...job, values: Object.fromEntries(values) };
}

/** Runs that a host refuses, and what its message contains; `python` if Python itself refuses the arguments. */
export const REFUSED: readonly {
  readonly job: HostJob;
  readonly message: string;
  readonly python?: string;
}[] = [
  {
    ...named("line-index", {}, "text is missing"),
    ...{ job: { ...(JOBS[0] as HostJob), values: {} }, python: "'text'" },
  },
  { ...named("line-index", { values: { word: new Uint32Array(3) } }, "there is no word"), python: "'word'" },
  named("line-index", { types: { text: "i8" } }, "text must be "),
  { ...named("line-index", { options: { n: 7 } }, "text has 2500 elements for 7 items"), python: "'size'" },
  named("weighted", { values: { w: floats(9) } }, " elements for "),
  named("rows", { values: { width: 7 } }, "width is 7, which does not divide 2500 items"),
  named("rows", { values: { width: 0 } }, "width is 0, which does not divide 2500 items"),
  named("kept", { values: { most: 10 } }, "an item was written outside of kept"),
  named("counts", { values: { bins: 4294967295 } }, "counts cannot have this capacity"),
  named("counts", { values: { x: new Uint32Array() } }, "first needs an item, but the range is empty"),
  named("tiles", { options: { globalSize: [630] } }, "size "),
  named("tiles", { options: { globalSize: [30, 21], globalOffset: [2 ** 32 - 5, 0] } }, "past 2^32"),
];
