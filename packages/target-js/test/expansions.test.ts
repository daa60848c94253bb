/**
 * The functions that lowerings spell operations out in, where an implementation lacks them, against the
 * host's own arithmetic. Plain JavaScript runs both.
 */
import { plan, type RunOutputs } from "@groupwise/core";
import type { Expansion } from "@groupwise/core/target";
import { type F32Value, f32, f64, i32, outputs, pipeline, u32 } from "@groupwise/dsl";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { js } from "../src/index.ts";
import { jsRuntime } from "../src/runtime.ts";

const ALL: readonly Expansion[] = [
  ...(["float-min-max", "float-compare", "float-to-int", "int-to-float", "float-divide"] as const),
  ...(["float-constants", "guard-rounding", "guard-minus-zero"] as const),
  ...(["int-divide", "zero-minus", "popcount"] as const),
];
const PAIRS = process.env.GROUPWISE_FULL ? 8_000_000 : 1_000_000;

const floats = pipeline("floats", { x: f32, y: f32 }, ({ x, y }) => ({
  ...{ div: x.div(y), min: x.min(y), max: x.max(y), lt: x.lt(y), le: x.le(y), eq: x.eq(y), ne: x.ne(y) },
  ...{ truth: x.toBool(), signed: x.toI32(), unsigned: x.toU32() },
  fused: x.mul(y).add(x),
  opposite: f32(0).sub(x.abs()),
  constants: x.lt(Number.POSITIVE_INFINITY).select(f32(-0), f32(Number.NEGATIVE_INFINITY)),
}));
const integers = pipeline("integers", { x: i32, y: i32, u: u32, v: u32 }, ({ x, y, u, v }) => ({
  ...{ div: x.div(y), rem: x.rem(y), udiv: u.div(v), urem: u.rem(v), bits: u.popcount() },
  ...{ by0: x.div(0), rem0: x.rem(0), negated: x.div(-1), float: x.toF32(), ufloat: u.toF32() },
}));

const extremes = (x: F32Value, op: "min" | "max") => ({
  ...{ before: x.scanExclusive(op), upTo: x.scanInclusive(op), whole: x.reduce(op) },
});
const extrema = pipeline("extrema", { x: f32, y: f64 }, ({ x, y }) =>
  outputs({
    ...{ f32_min: extremes(x, "min"), f32_max: extremes(x, "max") },
    ...{ f64_min: extremes(y as never, "min"), f64_max: extremes(y as never, "max") },
  }),
);

const SPECIAL = [
  ...[0x00000000, 0x80000000, 1, 0x007fffff, 0x00800000, 0x00800001, 0x3f7fffff, 0x3f800000, 0x3f800001],
  ...[0x4b7fffff, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x7f7fffff, 0x7f800000, 0xff800000],
  ...[0x7fc00000, 0xcf000000, 0xcf000001],
  // Neighbours of both signs, below 2 and from there on.
  ...[0xbf800000, 0xbf800001, 0x40000000, 0x40000001, 0xc0000000, 0xc0000001],
];

/** Every pair of special values, then random bits, half of the pairs with exponents close to one another. */
function pairs(count: number): [Uint32Array, Uint32Array] {
  const [x, y] = [new Uint32Array(count), new Uint32Array(count)];
  let state = 0x9e3779b9;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let i = 0; i < count; i++) {
    if (i < SPECIAL.length ** 2) {
      x[i] = SPECIAL[Math.floor(i / SPECIAL.length)] as number;
      y[i] = SPECIAL[i % SPECIAL.length] as number;
    } else {
      x[i] = next();
      y[i] = i % 2 ? next() : ((x[i] as number) & 0x7f800000) ^ (next() & 0x80ffffff);
    }
  }
  return [x, y];
}

const expanded = () => jsRuntime({ capabilities: { ...js.capabilities, expand: ALL } });
const clamp = (x: number, low: number, high: number): number =>
  Number.isNaN(x) ? 0 : Math.max(low, Math.min(high, Math.trunc(x))) + 0;

const FLOAT: Record<string, (x: number, y: number) => number> = {
  div: (x, y) => Math.fround(x / y),
  min: Math.min,
  max: Math.max,
  lt: (x, y) => Number(x < y),
  le: (x, y) => Number(x <= y),
  eq: (x, y) => Number(x === y),
  ne: (x, y) => Number(x !== y),
  truth: (x) => Number(x !== 0),
  signed: (x) => clamp(x, -(2 ** 31), 2 ** 31 - 1),
  unsigned: (x) => clamp(x, 0, 2 ** 32 - 1),
  fused: (x, y) => Math.fround(Math.fround(x * y) + x),
  constants: (x) => (x < Infinity ? -0 : -Infinity),
};

function expectAll(got: RunOutputs, want: Record<string, (i: number) => number>, count: number): void {
  for (const [name, value] of Object.entries(want)) {
    const array = got[name] as Float32Array;
    for (let i = 0; i < count; i++) {
      if (!Object.is(array[i], value(i))) expect.fail(`${name}[${i}] is ${array[i]}, not ${value(i)}`);
    }
  }
}

describe("expansions", () => {
  it(`agree with the host on ${PAIRS} pairs of floats`, async () => {
    const [xBits, yBits] = pairs(PAIRS);
    const [x, y] = [new Float32Array(xBits.buffer), new Float32Array(yBits.buffer)];
    const got = await (await expanded().compile(floats)).run({ x, y });
    const at = (f: (x: number, y: number) => number) => (i: number) => f(x[i] as number, y[i] as number);
    expectAll(got, Object.fromEntries(Object.entries(FLOAT).map(([name, f]) => [name, at(f)])), PAIRS);
  });

  it("agree with exact integers", async () => {
    const executable = await expanded().compile(integers);
    const edge = fc.constantFrom(0, 1, -1, 2, -2, 2 ** 31 - 1, -(2 ** 31));
    const int = fc.oneof(edge, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(int, int), { minLength: 1, maxLength: 50 }), async (list) => {
        const x = Int32Array.from(list, ([a]) => a);
        const y = Int32Array.from(list, ([, b]) => b);
        const [u, v] = [new Uint32Array(x), new Uint32Array(y)];
        const got = await executable.run({ x, y, u, v });
        const quotient = (a: number, b: number): number =>
          Number(b === 0 ? BigInt(a) : BigInt(a) / BigInt(b));
        const rest = (a: number, b: number): number => (b === 0 ? 0 : Number(BigInt(a) % BigInt(b)));
        const s = (f: (a: number, b: number) => number) => (i: number) =>
          f(x[i] as number, y[i] as number) | 0;
        const t = (f: (a: number, b: number) => number) => (i: number) =>
          f(u[i] as number, v[i] as number) >>> 0;
        const want = {
          div: s(quotient),
          rem: s(rest),
          udiv: t(quotient),
          urem: t(rest),
          bits: t((a) => a.toString(2).replaceAll("0", "").length),
          by0: s((a) => a),
          rem0: s(() => 0),
          negated: s((a) => -a),
          float: (i: number) => Math.fround(x[i] as number),
          ufloat: (i: number) => Math.fround(u[i] as number),
        };
        expectAll(got, want, list.length);
      }),
    );
  });

  it("compute the minima and maxima of prefixes, also of NaN, zeros, infinities and of an empty range", async () => {
    const executable = await expanded().compile(extrema);
    const special = [Number.NaN, 0, -0, Infinity, -Infinity, 5e-324, -5e-324, 2 ** -149, -(2 ** -149)];
    const float = fc.oneof(fc.constantFrom(...special), fc.float(), fc.double());
    await fc.assert(
      fc.asyncProperty(fc.array(float, { maxLength: 20 }), async (list) => {
        const given = { x: Float32Array.from(list), y: Float64Array.from(list) };
        const got = (await executable.run(given)) as Readonly<Record<string, Float32Array | Float64Array>>;
        for (const [type, array] of Object.entries({ f32: given.x, f64: given.y })) {
          for (const [op, combine] of Object.entries({ min: Math.min, max: Math.max })) {
            const before = [...array].map((_, i) => combine(...array.slice(0, i)));
            const upTo = [...array].map((_, i) => combine(...array.slice(0, i + 1)));
            expect([...(got[`${type}_${op}_before`] ?? [])]).toEqual(before);
            expect([...(got[`${type}_${op}_upTo`] ?? [])]).toEqual(upTo);
            expect([...(got[`${type}_${op}_whole`] ?? [])]).toEqual([combine(...array)]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("combine minima and maxima as integers", () => {
    const lowered = plan(extrema, js, { capabilities: { ...js.capabilities, expand: ALL } });
    const names = lowered.module.functions.map(({ name }) => name);
    expect(names).not.toContainEqual(expect.stringMatching(/min|max/));
  });
});
