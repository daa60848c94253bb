/** Lengths at which an item takes longer than at a shorter one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type GrowthLine, growthOf, printGrowth, RISE, risesOf } from "../src/growth.ts";
import { growthCurves } from "../src/plots.ts";
import { primitives } from "../src/primitives.ts";

const lineOf = (times: readonly number[]): GrowthLine => ({
  name: "scan",
  points: times.map((ns, i) => ({ n: 2 ** (10 + i), ns })),
});

test("a rise is above the least time of every shorter length, and nothing else is one", () => {
  const times = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 });
  fc.assert(
    fc.property(times, (list) => {
      const rises = new Map(risesOf([lineOf(list)]).map(({ n, ratio }) => [n, ratio]));
      for (const [i, ns] of list.entries()) {
        const least = Math.min(...list.slice(0, i));
        expect(rises.get(2 ** (10 + i))).toBe(ns > RISE * least ? ns / least : undefined);
      }
    }),
  );
});

test("a primitive ends after a length that takes too long; tables and plots mark the rises", async () => {
  const result = await primitives({
    ...{ target: "js", device: "JavaScript", n: 2 ** 14, only: ["scan add u32"], untilMs: 0, recordings: 2 },
    stopRule: { leastRuns: 2, mostRuns: 2, spread: 1, limitMs: 0 },
  });
  const growth = growthOf(result);
  expect(growth.lines.map(({ points, end }) => [points.length, end])).toEqual([
    [1, "2^12: it takes too long"],
    [1, "2^12: it takes too long"],
  ]);
  const lines = [lineOf([4, 2, 2.1, 3]), { ...lineOf([5, 6]), name: "sort" }];
  expect(risesOf(lines).map(({ name, n, least }) => [name, n, least])).toEqual([
    ["scan", 2 ** 13, 2 ** 11],
    ["sort", 2 ** 11, 2 ** 10],
  ]);
  expect(printGrowth({ ...growth, lines }, false)).toContain("3.00 ×1.50");
  expect(growthCurves(lines).match(/<circle/g)).toHaveLength(2);
});
