import { f16, f32, i32, i64, pipeline, u8, u64 } from "@groupwise/dsl";
import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { histogram, histogramEdges } from "../src/index.ts";

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
