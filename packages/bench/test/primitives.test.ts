import { expect, test } from "vitest";
import { primitives, sizesUpTo } from "../src/primitives.ts";
import { printPrimitives } from "../src/report.ts";

test("primitives are checked by plain loops, and timed", async () => {
  const result = await primitives({ n: 1500, target: "js", device: "JavaScript", busyMs: 0, recordings: 2 });
  expect(result.rows.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
  expect(new Set(result.rows.map(({ n }) => n))).toEqual(new Set([1024, 1500]));
  expect(printPrimitives(result, false)).toContain("run-length encode");
});

test("sizes rise by powers of four", () => {
  expect(sizesUpTo(2 ** 14)).toEqual([2 ** 10, 2 ** 12, 2 ** 14]);
  expect(sizesUpTo(100)).toEqual([100]);
});
