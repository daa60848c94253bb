import { expect, test } from "vitest";
import { FUNCTION_JOBS } from "../src/primitives/function-jobs.ts";
import { JOBS } from "../src/primitives/jobs.ts";
import { primitives, sizesUpTo } from "../src/primitives.ts";
import { printPrimitives } from "../src/report.ts";

// The results count here, not the times.
const ON_JS = {
  target: "js",
  device: "JavaScript",
  recordings: 2,
  stopRule: { leastRuns: 2, mostRuns: 2, spread: 1, limitMs: 0 },
} as const;

test("primitives are checked by plain loops, and timed", async () => {
  const only = JOBS.map(({ name }) => name).filter((name) => !name.startsWith("math:"));
  const result = await primitives({ ...ON_JS, n: 1500, only });
  expect(result.rows.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(new Set(result.rows.map(({ n }) => n))).toEqual(new Set([1024, 1500]));
  expect(printPrimitives(result, false)).toContain("run-length encode");
});

test("elementary functions and softmax are checked by doubles, exact and fast", async () => {
  const { rows } = await primitives({ ...ON_JS, n: 100, only: ["math:"] });
  expect(rows.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(rows.map(({ primitive }) => primitive)).toContain("math: softmax, fast");
});

test("shares of another power are found", async () => {
  const job = FUNCTION_JOBS.find(({ name }) => name === "math: softmax");
  const even = Float32Array.from({ length: 100 }, () => 0.01) as unknown as Uint32Array;
  expect(await job?.check(100, async () => even)).toMatch(/^y\[0\] is 0\.00999/);
});

test("sizes rise by powers of four", () => {
  expect(sizesUpTo(2 ** 14)).toEqual([2 ** 10, 2 ** 12, 2 ** 14]);
  expect(sizesUpTo(100)).toEqual([100]);
});
