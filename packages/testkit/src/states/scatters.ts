/** Scatters whose slots count items: a chunk returns the elements that its items write. */
import type { HostArray, Runtime } from "@groupwise/core";
import { stepper, stream } from "@groupwise/core/state";
import { f32, i64, pipeline, u8 } from "@groupwise/dsl";
import { expect } from "vitest";

const PICKED = pipeline("picked", { x: f32, text: u8 }, ({ x, text }, { index }) => {
  const where = text.lt(90);
  const to = where.toU32().scanExclusive("add");
  const length = where.toU32().reduce("add");
  return {
    numbers: index().scatter({ to, where, length }),
    bytes: u8(text).scatter({ to, where, length }),
    // Sums over the range, which devices compute in aligned pieces of a chunk.
    sums: x.scanInclusive("add").scatter({ to, where, length }),
    length,
  };
});

/** The slots are inclusive counts, less one. */
const POSITIVE = pipeline("positive", { x: f32, wide: i64 }, ({ x, wide }) => {
  const where = x.gt(0);
  const counted = where.toU32();
  const last = { to: counted.scanInclusive("add").sub(1), where, length: counted.reduce("add") };
  return { positive: x.scatter(last), widths: wide.scatter(last), places: last.to };
});

type Values = { x: Float32Array; wide: BigInt64Array; text: Uint8Array };

function valuesOf(n: number): Values {
  let seed = 7;
  const next = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 8;
  };
  return {
    x: Float32Array.from({ length: n }, () => (next() - 2 ** 23) / 1e5),
    wide: BigInt64Array.from({ length: n }, () => BigInt(next()) * 2n ** 40n - 3n),
    text: Uint8Array.from({ length: n }, () => next() & 0xff),
  };
}

const cut = ({ x, wide, text }: Values, from: number, to: number): Values => ({
  x: x.subarray(from, to),
  wide: wide.subarray(from, to),
  text: text.subarray(from, to),
});

/** Plain loops; `sums` are those of the runtime over the whole range, because their order is not that of a loop. */
function wanted({ x, wide, text }: Values, sums: Float32Array): Readonly<Record<string, readonly unknown[]>> {
  const items = [...text.keys()];
  const picked = items.filter((i) => (text[i] as number) < 90);
  const positive = items.filter((i) => (x[i] as number) > 0);
  return {
    numbers: picked,
    bytes: picked.map((i) => text[i]),
    sums: picked.map((i) => sums[i]),
    length: [picked.length],
    positive: positive.map((i) => x[i]),
    widths: positive.map((i) => wide[i]),
    places: items.map((i) => (positive.filter((at) => at <= i).length - 1) >>> 0),
  };
}

const SUMS = pipeline("sums", { x: f32 }, ({ x }) => ({ sums: x.scanInclusive("add") }));

/** Lengths of chunks: none, one, an odd number, a power of two from an odd position. */
const LENGTHS = [0, 1, 6, 1, 256, 0, 333];

/** The elements of all chunks in a row are those of the whole range, and a chunk without elements has empty arrays. */
export async function compareScatters(runtime: Runtime, n: number = 1500): Promise<void> {
  const values = valuesOf(n);
  const whole = await (await runtime.compile(SUMS)).run({ x: values.x });
  const got: Record<string, unknown[]> = {};
  const ends = LENGTHS.map((_, i) => LENGTHS.slice(0, i + 1).reduce((a, b) => a + b, 0));
  const chunks = [...ends, n].map((to, i) => cut(values, ends[i - 1] ?? 0, to));
  const add = (outputs: Readonly<Record<string, HostArray>>): void => {
    for (const [name, array] of Object.entries(outputs))
      got[name] = name === "length" ? [...array] : [...(got[name] ?? []), ...array];
  };
  const picks = chunks.map(({ x, text }) => ({ x, text }));
  for await (const { outputs } of stream(runtime, PICKED, picks)) add(outputs);
  const signs = chunks.map(({ x, wide }) => ({ x, wide }));
  for await (const { outputs } of stream(runtime, POSITIVE, signs)) add(outputs);
  expect(got).toEqual(wanted(values, whole.sums));
}

/** A part side by side with others has a state, and continues from the states before it. */
export async function compareScatteredParts(runtime: Runtime): Promise<void> {
  const n = 700;
  const values = valuesOf(n);
  const steps = await stepper(runtime, PICKED);
  const picked = (from: number, to: number): Pick<Values, "x" | "text"> => {
    const { x, text } = cut(values, from, to);
    return { x, text };
  };
  const whole = await steps.step(picked(0, n));
  const state = await steps.stateOf(picked(0, 301), { from: 0n });
  const { outputs } = await steps.step(picked(301, n), { state });
  const before = values.text.subarray(0, 301).filter((byte) => byte < 90).length;
  expect([...outputs.numbers]).toEqual([...whole.outputs.numbers].slice(before));
  expect([...outputs.sums]).toEqual([...whole.outputs.sums].slice(before));
  steps.dispose();
}
