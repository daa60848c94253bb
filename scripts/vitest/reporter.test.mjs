import { expect, it } from "vitest";
import { lineOf, tally } from "./reporter.mjs";

const test = (state, note) => ({ result: () => ({ state, note }) });

it("counts tests by their results, and skipped ones by their reasons", () => {
  const tests = [
    test("passed"),
    test("passed"),
    test("failed"),
    test("skipped", "no device"),
    test("skipped"),
    test("pending"),
  ];
  const { count, reasons } = tally(tests);
  expect(count).toEqual({ passed: 2, failed: 1, skipped: 2 });
  expect([...reasons]).toEqual([
    ["no device", 1],
    ["no reason given", 1],
  ]);
});

it("has a line for a file, with the counts that are not zero", () => {
  expect(lineOf(12_345, "a/b.test.ts", { passed: 2, failed: 0, skipped: 1 })).toBe(
    "   12.3 s  a/b.test.ts  2 passed, 1 skipped",
  );
  expect(lineOf(0, "a.test.ts", { passed: 0, failed: 0, skipped: 0 })).toBe("    0.0 s  a.test.ts  no tests");
});
