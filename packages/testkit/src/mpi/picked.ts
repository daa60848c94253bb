/** A pipeline of several compactions, and its results by plain loops. */
import type { HostArray, Pipeline } from "@groupwise/core";
import { f32, i64, pipeline, u8 } from "@groupwise/dsl";
import { numbers, rounding } from "../data/random.ts";
import { raw } from "./carried.ts";

/** Two conditions, slots that count before an item and up to it, values of scans, narrow elements and bools, beside reduces and a scan. */
export const picked: { readonly ir: Pipeline } = pipeline(
  "picked",
  { x: f32, byte: u8, wide: i64 },
  ({ x, byte, wide }, { index }) => {
    const isLow = byte.lt(90);
    const length = isLow.toU32().reduce("add");
    const low = { to: isLow.toU32().scanExclusive("add"), where: isLow, length };
    const isOdd = byte.rem(2).eq(1);
    const counted = isOdd.toU32();
    const odd = { to: counted.scanInclusive("add").sub(1), where: isOdd, length: counted.reduce("add") };
    return {
      sums: x.scanInclusive("add").scatter(low),
      numbers: index().scatter(low),
      bytes: u8(byte).scatter(low),
      signs: x.gt(0).scatter(odd),
      wides: wide.scatter(odd),
      total: x.reduce("add"),
      length,
      most: x.scanInclusive("max"),
    };
  },
);

/** Bytes for which items append elements: some items, none, all, and long runs of items with and without. */
const BYTES: Readonly<Record<string, (i: number, n: number, next: () => number) => number>> = {
  some: (_, __, next) => Math.floor(next() * 256),
  none: () => 100,
  all: () => 3,
  runs: (i, n, next) => (i < n / 3 || i > 0.9 * n ? 100 : Math.floor(next() * 256)),
};
export const SELECTIONS: readonly string[] = Object.keys(BYTES);

export interface PickedInputs {
  readonly x: Float32Array;
  readonly byte: Uint8Array;
  readonly wide: BigInt64Array;
}

/** Inputs of a selection; the sums of x depend on the grouping. */
export function pickedInputs(selection: string, n: number): PickedInputs {
  const next = numbers(17);
  const byteOf = BYTES[selection] as (typeof BYTES)[string];
  return {
    x: Float32Array.from({ length: n }, () => rounding(next)),
    byte: Uint8Array.from({ length: n }, (_, i) => byteOf(i, n, next)),
    wide: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) * 2n ** 40n - 3n),
  };
}

/** Inclusive sums: of the aligned power-of-two blocks before the end of an item, from the longest one on. */
function sumsOf(x: Float32Array): Float32Array {
  const totals = [x];
  for (let last = x; last.length > 1; totals.push(last)) {
    const halves = last;
    last = Float32Array.from(
      { length: halves.length >> 1 },
      (_, i) => (halves[2 * i] as number) + (halves[2 * i + 1] as number),
    );
  }
  return x.map((_, i) => {
    let sum: number | undefined;
    for (let level = totals.length, start = 0; level-- > 0; ) {
      if (((i + 1) >> level) % 2 === 0) continue;
      const total = totals[level]?.[start >> level] as number;
      sum = sum === undefined ? total : Math.fround(sum + total);
      start += 2 ** level;
    }
    return sum as number;
  });
}

/** The outputs over the whole range, by name, in the order of the arguments in C. */
export function pickedOutputs({ x, byte, wide }: PickedInputs): Readonly<Record<string, HostArray>> {
  const items = [...byte.keys()];
  const low = items.filter((i) => (byte[i] as number) < 90);
  const odd = items.filter((i) => (byte[i] as number) % 2 === 1);
  const sums = sumsOf(x);
  let most = Number.NEGATIVE_INFINITY;
  return {
    total: Float32Array.of(x.length > 0 ? (sums.at(-1) as number) : 0),
    length: Uint32Array.of(low.length),
    most: x.map((value) => (most = Math.max(most, value))),
    sums: Float32Array.from(low, (i) => sums[i] as number),
    numbers: Uint32Array.from(low),
    bytes: Uint8Array.from(low, (i) => byte[i] as number),
    signs: Uint8Array.from(odd, (i) => Number((x[i] as number) > 0)),
    wides: BigInt64Array.from(odd, (i) => wide[i] as bigint),
  };
}

/** The bytes of all outputs, one after the other. */
export const pickedBytes = (inputs: PickedInputs): Uint8Array[] =>
  Object.values(pickedOutputs(inputs)).map(raw);
