/** Compactions in parts side by side: the elements of all parts in a row are those of one runtime, and of plain loops. */
import { check, type Executable, type HostArray, type Pipeline, type Runtime } from "@groupwise/core";
import type { AcrossExecutable, AcrossRuntimes, SplitArray } from "@groupwise/core/state";
import { type BoolValue, bool, f32, f64, i64, pipeline, type U32Value, u8, u16 } from "@groupwise/dsl";
import { expect } from "vitest";
import { numbers, rounding } from "../data/random.ts";

const lowOf = (text: U32Value): { to: U32Value; where: BoolValue; length: U32Value } => {
  const where = text.lt(90);
  const counted = where.toU32();
  return { to: counted.scanInclusive("add").sub(1), where, length: counted.reduce("add") };
};

/** Two conditions; one slot is an inclusive count, less one. */
export const PICKED: { readonly ir: Pipeline } = pipeline(
  "picked",
  { x: f32, keep: bool, text: u8 },
  ({ x, keep, text }, { index }) => {
    const { before, total } = keep.toU32().scanWithTotal("add");
    const kept = { to: before, where: keep, length: total };
    return {
      sums: x.scanInclusive("add").scatter(kept),
      places: index().scatter(kept),
      bytes: u8(text).scatter(lowOf(text)),
      total: x.reduce("add"),
      count: total,
    };
  },
);

/** Narrow elements, beside an output of items. Those of neighbouring parts would share words of one array. */
const NARROW = pipeline("narrow", { x: f32, text: u8 }, ({ x, text }) => ({
  flags: text.lt(40).scatter(lowOf(text)),
  halves: u16(text.mul(251)).scatter(lowOf(text)),
  running: x.scanInclusive("add"),
}));

/** Types of two words, emulated where devices lack them. No output has the number of elements. */
export const WIDE: { readonly ir: Pipeline } = pipeline("wide", { d: f64, l: i64 }, ({ d, l }) => {
  const where = d.lt(0);
  const to = where.toU32().scanExclusive("add");
  const length = where.toU32().reduce("add");
  return {
    doubles: d.scanInclusive("add").scatter({ to, where, length }),
    longs: l.scatter({ to, where, length }),
    most: l.reduce("max"),
  };
});

/** No element and no item needs a scan, so that parts are independent. */
const PLAIN = pipeline("plain", { keep: bool, text: u8 }, ({ keep, text }, { index }) => {
  const { before, total } = keep.toU32().scanWithTotal("add");
  return {
    places: index().scatter({ to: before, where: keep, length: total }),
    bytes: u8(text).scatter(lowOf(text)),
    tripled: text.mul(3),
    highest: text.reduce("max"),
    share: total.toF32().mul(0.1),
  };
});

/** The states are totals, but elements need those of earlier items. */
const RUNNING = pipeline("running", { keep: bool, text: u8 }, ({ keep, text }) => {
  const { before, total } = keep.toU32().scanWithTotal("add");
  const kept = { to: before, where: keep, length: total };
  return { totals: text.scanInclusive("add").scatter(kept), slots: before.scatter(kept) };
});

const SOURCES = [PICKED, NARROW, WIDE, PLAIN, RUNNING];

/** Which items write. */
export type Density = "none" | "some" | "all";

export interface Values {
  readonly x: Float32Array;
  readonly keep: Uint8Array;
  readonly text: Uint8Array;
  readonly d: Float64Array;
  readonly l: BigInt64Array;
}

/** Inputs by their names. */
export function valuesOf(n: number, density: Density): Values {
  const next = numbers(n + 11);
  const writes = { none: () => false, some: () => next() < 0.4, all: () => true }[density];
  const made = Array.from({ length: n }, () => ({ first: writes(), second: writes() }));
  return {
    x: Float32Array.from(made, () => rounding(next)),
    keep: Uint8Array.from(made, ({ first }) => Number(first)),
    text: Uint8Array.from(made, ({ second }) => (second ? next() * 90 : 90 + next() * 166)),
    d: Float64Array.from(made, ({ first }) => (first ? -1 : 1) * (Math.abs(rounding(next)) + 2 ** -30)),
    l: BigInt64Array.from(made, () => BigInt(Math.floor(next() * 2 ** 32)) * 2n ** 30n - 2n ** 61n),
  };
}

/** Plain loops. The values of float sums are not those of a loop, whose order is another one. */
function looped({ x, keep, text, d, l }: Values): Readonly<Record<string, readonly unknown[]>> {
  const found: Record<"places" | "flags" | "bytes" | "halves" | "longs" | "doubles", unknown[]> = {
    ...{ places: [], flags: [], bytes: [], halves: [], longs: [], doubles: [] },
  };
  for (let i = 0; i < x.length; i++) {
    const byte = text[i] as number;
    if (keep[i]) found.places.push(i);
    if (byte < 90) found.flags.push(byte < 40 ? 1 : 0);
    if (byte < 90) found.bytes.push(byte);
    if (byte < 90) found.halves.push((byte * 251) % 65536);
    if ((d[i] as number) < 0) found.longs.push(l[i]);
    if ((d[i] as number) < 0) found.doubles.push(d[i]);
  }
  return found;
}

type Results = Readonly<Record<string, HostArray>>;

export function requireLoops(results: Results, values: Values): void {
  const want = looped(values);
  for (const [name, array] of Object.entries(results)) {
    const elements = want[name];
    if (name === "count") expect([...array]).toEqual([want.places?.length]);
    else if (name === "sums" || name === "doubles")
      expect(array.length).toBe((name === "sums" ? want.places : want.doubles)?.length);
    else if (elements) expect([...array]).toEqual(elements);
  }
}

/** Compares a pipeline on several runtimes, by `run` and over arrays that stay, with one runtime and with loops. */
async function compareOne(
  across: AcrossRuntimes,
  one: Runtime,
  source: (typeof SOURCES)[number],
  { lengths, densities }: Compared,
): Promise<void> {
  const whole = await one.compile({ ir: source.ir });
  const parts = await across.compile({ ir: source.ir });
  for (const density of densities)
    for (const n of lengths) await compareRun(across, whole, parts, valuesOf(n, density));
  for (const executable of [whole, parts]) executable.dispose();
}

/** The runs to compare. */
export interface Compared {
  readonly lengths: readonly number[];
  readonly densities: readonly Density[];
}

async function compareRun(
  across: AcrossRuntimes,
  whole: Executable,
  parts: AcrossExecutable,
  values: Values,
): Promise<void> {
  const n = values.x.length;
  const inputs = whole.manifest.bindings.filter(({ role }) => role === "input");
  const given = Object.fromEntries(inputs.map(({ name }) => [name, values[name as keyof Values]]));
  const want = (await whole.run(given)) as Results;
  const joined = (await parts.run(given)) as Results;
  expect(joined).toEqual(want);
  requireLoops(joined, values);
  const outputs = whole.manifest.bindings.filter(({ role, hidden }) => role === "output" && !hidden);
  const isOne = (uniformity: unknown): boolean => uniformity === "uniform";
  const arrays: Record<string, SplitArray> = {};
  for (const { name, type } of inputs) arrays[name] = across.array(type, given[name] as never);
  for (const { name, type, uniformity } of outputs)
    arrays[name] = across.array(type, isOne(uniformity) ? 1 : n);
  await across
    .record()
    .run(parts, arrays as never)
    .submit();
  const read = outputs.map(async ({ name }) => [name, (await arrays[name]?.read()) as HostArray] as const);
  const stayed = Object.fromEntries(await Promise.all(read));
  expect(stayed).toEqual(want);
  for (const { name, lengthFrom } of outputs)
    if (lengthFrom !== undefined)
      expect((await arrays[name]?.counts())?.reduce((a, b) => a + b)).toBe(want[name]?.length);
  for (const array of Object.values(arrays)) array.dispose();
}

/** Compares compactions of narrow and of wide types. */
export async function compareCompactions(
  across: AcrossRuntimes,
  one: Runtime,
  compared: Compared,
): Promise<void> {
  for (const source of SOURCES) await compareOne(across, one, source, compared);
}

/** The inputs of a pipeline from an item to another. */
export const inputsOf = (ir: Pipeline, values: Values, from?: number, to?: number): Results =>
  Object.fromEntries(
    check(ir).inputs.map(({ name }) => [name, values[name as keyof Values].subarray(from, to)]),
  );

/** Compactions with values, for runtimes of one device. */
export function compactionRuns(
  n: number,
  density: Density,
): readonly { readonly ir: Pipeline; readonly values: Results }[] {
  const values = valuesOf(n, density);
  return SOURCES.map(({ ir }) => ({ ir, values: inputsOf(ir, values) }));
}
