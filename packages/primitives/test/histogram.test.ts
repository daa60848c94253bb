import { f16, f32, i32, i64, pipeline, u8, u64 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { isFullRun } from "@groupwise/testkit/conformance";
import { expect, test } from "vitest";
import { histogram, histogramEdges } from "../src/index.ts";
import { onDevices } from "./on-devices.ts";

const runtime = jsRuntime();

test("NaN, items outside and the upper edge are decided, and counted apart, inside another pipeline too", async () => {
  const shares = histogram(f32, { from: 0, to: 1, bins: 10 });
  const x = Float32Array.of(Number.NaN, -0.3, Number.NEGATIVE_INFINITY, -0, 0.05, 0.95, 1, 1.0000001);
  const want = {
    counts: Uint32Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 2),
    ...{ below: Uint32Array.of(2), above: Uint32Array.of(1), nans: Uint32Array.of(1) },
  };
  expect(await (await runtime.compile(shares)).run({ x })).toEqual(want);
  const halved = pipeline("halved", { x: f32 }, ({ x }) => shares({ x: x.mul(0.5) }));
  expect(await (await runtime.compile(halved)).run({ x: x.map((one) => one * 2) })).toEqual(want);
});

test("items at multiples of the width are in the bin that begins there", async () => {
  for (const [from, to, bins] of [
    [0, 1, 10],
    [-1, 1, 8],
    [0, 100, 7],
    [2, 3, 64],
  ] as const) {
    const edges = Array.from({ length: bins }, (_, i) => from + (i * (to - from)) / bins);
    const { counts } = await (await runtime.compile(histogram(f32, { from, to, bins }))).run({
      x: Float32Array.from(edges),
    });
    expect([...counts]).toEqual(edges.map(() => 1));
  }
});

test("a range that is empty, or not of the type, is an error", () => {
  const refused = [
    ...[
      { from: 1, to: 1 },
      { from: 1, to: 0 },
      { from: 0, to: Number.NaN },
      { from: 0, to: Number.POSITIVE_INFINITY },
      { from: -3e38, to: 3e38 },
      { from: 0, to: 1e-45 },
      { from: 1, to: 1 + 2 ** -30 },
      { from: 0n, to: 1n },
    ].map((range) => () => histogram(f32, { ...range, bins: 4 } as never)),
    () => histogram(i32, { from: 0.5, to: 3, bins: 4 }),
    () => histogram(i32, { from: 0, to: 2 ** 31, bins: 4 }),
    () => histogram(u8, { from: -1, to: 3, bins: 4 }),
    () => histogram(u64, { from: -1n, to: 3n, bins: 4 }),
    () => histogram(i64, { from: 0.5, to: 3, bins: 4 } as never),
    () => histogram(f32, { from: 0, to: 1, bins: 4, of: 3 } as never),
  ];
  for (const make of refused) expect(make).toThrow(expect.objectContaining({ code: "bad-usage" }));
  const wrong = [
    () => histogram(f32, { from: 0, to: 1, bins: 0 }),
    () => histogram(f32, { from: 0, to: 1, bins: 65_536 }),
    () => histogram(f32, { from: 0, to: 1 } as never),
    () => histogram(f16, { from: "0", to: 1, bins: 4 } as never),
    () => histogram(i32, { from: 0, to: Symbol("1"), bins: 4 } as never),
    () => histogramEdges(f32, 0),
  ];
  for (const make of wrong) expect(make).toThrow(expect.objectContaining({ code: "bad-argument" }));
});

const bitsOf = (x: number): number => new Uint32Array(Float32Array.of(x).buffer)[0] as number;
const ofBits = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0] as number;
/** The floats with the bits of another, less and more by up to two. */
const near = (x: number): number[] => [-2, -1, 0, 1, 2].map((by) => ofBits(bitsOf(x) + by));

// Edges are zeros of either sign, of both signs, subnormal, and with a scale that is subnormal.
onDevices(
  "items beside each edge, zeros, NaNs, infinities and subnormal numbers",
  async (runtime, device) => {
    const ranges = [
      [0, 1, 10],
      [-3, 1, 7],
      [-1e-40, 1e-37, 9],
      [-0, 3e38, 2],
    ] as const;
    // Outside of full runs each range is compiled for JavaScript, and one, whose edges are subnormal too, for the others.
    const some = isFullRun() || device === "JavaScript" ? ranges : ranges.slice(2, 3);
    for (const [from, to, bins] of some) {
      const [first, last] = [Math.fround(from), Math.fround(to)];
      const edges = Array.from({ length: bins + 1 }, (_, i) => first + (i * (last - first)) / bins);
      const NANS = [0x7fc00000, 0x7f800001, 0xffc00000, 0xffffffff].map(ofBits);
      const ends = [0, -0, 2 ** -149, -(2 ** -149), 2 ** -126, Infinity, -Infinity, 3.4e38, -3.4e38];
      const x = Float32Array.from([...[...edges, ...ends, last].flatMap(near), ...NANS]);
      const want = { counts: new Uint32Array(bins), below: [0], above: [0], nans: [0] };
      const scale = Math.fround(bins / Math.fround(last - first));
      for (const one of x) {
        const bin = Math.floor(Math.fround(Math.fround(one - first) * scale));
        const list = Number.isNaN(one)
          ? want.nans
          : one < first
            ? want.below
            : one > last
              ? want.above
              : undefined;
        if (list) (list[0] as number)++;
        else (want.counts[Math.min(bin, bins - 1)] as number)++;
      }
      const got = await (await runtime.compile(histogram(f32, { from, to, bins }))).run({ x });
      expect(Object.entries(got).map(([name, counts]) => [name, ...counts])).toEqual(
        Object.entries(want).map(([name, counts]) => [name, ...counts]),
      );
    }
  },
);
