import { expect, test } from "vitest";
import { MOST_SPANS, spansOf } from "../.vitepress/theme/engine/spans.ts";

test("few values have a span each, and those that are not finite leave a gap", () => {
  expect(spansOf("f32", Float32Array.of(1, Number.NaN, -2))).toEqual([
    { from: 0, low: 1, high: 1 },
    { from: 1, low: Number.NaN, high: Number.NaN },
    { from: 2, low: -2, high: -2 },
  ]);
  expect(spansOf("i64", BigInt64Array.of(-3n))).toEqual([{ from: 0, low: -3, high: -3 }]);
  expect(spansOf("u32", new Uint32Array(0))).toEqual([]);
});

test("of many values each span has the extremes", () => {
  const values = Float32Array.from({ length: 10 * MOST_SPANS - 3 }, (_, i) => (i === 1234 ? 1e9 : i % 7));
  const spans = spansOf("f32", values);
  expect(spans.length).toBe(MOST_SPANS);
  expect(spans.filter(({ high }) => high === 1e9)).toEqual([{ from: 1230, low: 0, high: 1e9 }]);
});
