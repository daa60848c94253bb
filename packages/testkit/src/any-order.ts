/** The guarantee of `order: "any"`: results within a bound of the exact ones, and no other change. */
import { check, type HostArray, type Runtime, type Scalar } from "@groupwise/core";
import { halfToNumber, isSupported, numberToHalf, pipelineOf } from "@groupwise/core/target";
import { f16, f32, f64, pipeline, u32 } from "@groupwise/dsl";
import { describe, expect } from "vitest";
import { difference } from "./data/arrays.ts";
import { mixedData } from "./data/data.ts";
import { expected } from "./data/oracle.ts";
import { randomOf } from "./data/random.ts";
import { deviceTest, type Probe, sharedRuntime } from "./devices/require-device.ts";

type Float = "f16" | "f32" | "f64";

/** Bits of a significand, and the exponent that makes every value a whole number. */
const FLOATS: Readonly<Record<Float, { readonly bits: number; readonly least: number }>> = {
  f16: { bits: 11, least: 24 },
  f32: { bits: 24, least: 149 },
  f64: { bits: 53, least: 1074 },
};

/** A finite float as a whole number of the least positive one. */
function whole(type: Float, x: number): bigint {
  let value = x;
  let left = FLOATS[type].least;
  for (; !Number.isInteger(value); left--) value *= 2;
  return BigInt(value) << BigInt(left);
}
const absolute = (x: bigint): bigint => (x < 0n ? -x : x);

/**
 * Number of additions on the longest path from an element to a result of `n` elements. One thread adds them in order; other
 * implementations compute block totals in at most log2(n) steps, and combine them in as many.
 */
const longestWay = (execution: string, n: number): number =>
  execution === "sequential" ? Math.max(0, n - 1) : 2 * Math.ceil(Math.log2(Math.max(1, n))) + 3;

/** Whether a sum is within gamma_k of the exact one, k additions: |error| (1 - k u) <= k u sum |x|. */
function isNear(type: Float, got: number, sum: bigint, ofSizes: bigint, k: number): boolean {
  const unit = 2n ** BigInt(FLOATS[type].bits);
  return absolute(whole(type, got) - sum) * (unit - BigInt(k)) <= BigInt(k) * ofSizes;
}

const TYPES = { f16, f32, f64 } as const;
const any = { order: "any" } as const;
const group = { scope: "work-group" } as const;
const GROUP = 100;

const sumsOf = (type: Float) =>
  pipeline(
    `any-${type}`,
    { x: TYPES[type] as typeof f32 },
    ({ x }) => ({
      inclusive: x.scanInclusive("add", any),
      exclusive: x.scanExclusive("add", any),
      total: x.reduce("add", any),
      group_inclusive: x.scanInclusive("add", { ...any, ...group }),
      group_total: x.reduce("add", { ...any, ...group }),
    }),
    { workGroupSize: GROUP },
  );
const beside = pipeline("beside", { x: f32, k: u32 }, ({ x, k }) => ({
  fixed: x.scanInclusive("add"),
  fixed_total: x.reduce("add"),
  loose: x.scanInclusive("add", any),
  loose_total: x.reduce("add", any),
  least: x.scanInclusive("min", any),
  most: x.reduce("max", any),
  counts: k.scanInclusive("add"),
}));
const product = pipeline("product", { x: f32 }, ({ x }) => ({ y: x.reduce("mul", any) }));

/** Numbers of both signs and of magnitudes that are far apart. */
function numbers(type: Float, n: number): number[] {
  const random = randomOf("any order", type, n);
  const spread = type === "f16" ? 4 : 20;
  return Array.from({ length: n }, () => {
    const x = (random.unit() - 0.4) * 2 ** random.int(-spread / 2, spread / 2);
    return type === "f32" ? Math.fround(x) : type === "f16" ? halfToNumber(numberToHalf(x)) : x;
  });
}
const toHost = (type: Float, list: readonly number[]): HostArray =>
  type === "f16"
    ? Uint16Array.from(list, numberToHalf)
    : type === "f32"
      ? Float32Array.from(list)
      : Float64Array.from(list);
const toNumbers = (type: Float, array: HostArray): number[] =>
  Array.from(array as Float64Array, (x) => (type === "f16" ? halfToNumber(x) : x));

/** Tests of a runtime: sums of types within the bound, a product, and what stands beside such sums. */
export function anyOrder(
  title: string,
  probe: Probe<Runtime>,
  types: readonly Float[] = ["f16", "f32", "f64"],
): void {
  describe(`${title} adds in any order`, () => {
    const open = sharedRuntime(probe);
    const on = (name: string, body: (runtime: Runtime) => Promise<void>): void =>
      deviceTest(name, open, body);

    for (const type of types) on(`within the bound: ${type}`, (runtime) => withinBound(runtime, type));
    on("a product, relative to itself", productNear);
    on("sums in the fixed order beside it keep their bits, and so does what has no order", besideFixed);
  });
}

async function withinBound(runtime: Runtime, type: Float): Promise<void> {
  const { scalars, execution } = runtime.capabilities;
  if (!isSupported(scalars[type])) return;
  const program = await runtime.compile(pipelineOf(sumsOf(type)));
  // Sums of halves stay within their range, and k below 2^11.
  const sizes = type === "f16" ? [0, 1, 2, 99, 101, 500] : [0, 1, 2, 99, 100, 101, 2047, 2049, 5003];
  for (const n of sizes) {
    const x = numbers(type, n);
    const got = await program.run({ x: toHost(type, x) }, { n });
    const outputs = new Map(Object.entries(got).map(([name, array]) => [name, toNumbers(type, array)]));
    const wrong = wantedSums(type, x).flatMap(({ name, at, sum, sizes: magnitudes, terms }) => {
      const value = outputs.get(name)?.[at] as number;
      const isRight = isNear(type, value, sum, magnitudes, longestWay(execution, terms));
      return isRight ? [] : [`${name}[${at}] of ${n}: ${value}`];
    });
    expect(wrong).toEqual([]);
  }
  program.dispose();
}

/** The exact sum of some items, and of their magnitudes. */
interface Sum {
  readonly sum: bigint;
  readonly sizes: bigint;
}
/** The expected value of an output element: a sum of a number of terms. */
interface WantedSum extends Sum {
  readonly name: string;
  readonly at: number;
  readonly terms: number;
}

const NOTHING: Sum = { sum: 0n, sizes: 0n };

function prefixesOf(type: Float, x: readonly number[]): readonly Sum[] {
  let { sum, sizes } = NOTHING;
  return x.map((v) => {
    sum += whole(type, v);
    sizes += absolute(whole(type, v));
    return { sum, sizes };
  });
}

/** The expected values of every output of the sums, in units of the least number. */
function wantedSums(type: Float, x: readonly number[]): readonly WantedSum[] {
  const all = prefixesOf(type, x);
  const starts = Array.from({ length: Math.ceil(x.length / GROUP) }, (_, group) => group * GROUP);
  return [
    ...all.map((sum, at) => ({ ...sum, name: "inclusive", at, terms: at + 1 })),
    ...all.map((_, at) => ({ ...(all[at - 1] ?? NOTHING), name: "exclusive", at, terms: at })),
    { ...(all.at(-1) ?? NOTHING), name: "total", at: 0, terms: x.length },
    ...starts.flatMap((start, at) => {
      const own = prefixesOf(type, x.slice(start, start + GROUP));
      return [
        ...own.map((sum, i) => ({ ...sum, name: "group_inclusive", at: start + i, terms: i + 1 })),
        { ...(own.at(-1) ?? NOTHING), name: "group_total", at, terms: own.length },
      ];
    }),
  ];
}

async function productNear(runtime: Runtime): Promise<void> {
  const program = await runtime.compile(product);
  for (const n of [1, 2, 255, 600]) {
    const x = Float32Array.from({ length: n }, (_, i) =>
      i % 2 === 0 ? 1 + (i % 97) / 128 : 1 / (1 + (i % 89) / 128),
    );
    const got = (await program.run({ x })).y as Float32Array;
    const exact = [...x].reduce((sum, v) => sum * whole("f32", v), 1n);
    const scale = 2n ** BigInt(149 * (n - 1));
    const k = BigInt(Math.max(0, n - 1));
    const error = absolute(whole("f32", got[0] as number) * scale - exact);
    expect(error * (2n ** 24n - k) <= k * exact).toBe(true);
  }
  program.dispose();
}

async function besideFixed(runtime: Runtime): Promise<void> {
  const checked = check(pipelineOf(beside));
  const program = await runtime.compile(pipelineOf(beside));
  for (const n of [0, 1, 63, 2049, 4801]) {
    const values = { x: mixedData("f32", n, "x"), k: mixedData("u32", n, "k") };
    const [want, got] = [expected(checked, values, { n }), await program.run(values, { n })];
    for (const { name, id } of checked.sinks.filter((sink) => !sink.name.startsWith("loose"))) {
      const wrong = difference(checked.types[id] as Scalar, got[name], want[name] as HostArray);
      expect(wrong, `${name} of ${n}`).toBeUndefined();
    }
  }
  program.dispose();
}
