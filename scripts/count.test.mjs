import { expect, it } from "vitest";
import { countTests, formatCount } from "./count.mjs";

const file = (status, ...tests) => ({
  name: "a.test.ts",
  status,
  assertionResults: tests.map((s) => ({ status: s })),
});
const report = (passed, failed, pending, ...testResults) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: 0,
  testResults,
});

it.each([
  ["all passed", report(3, 0, 0, file("passed", "passed")), 0, "3 passed, 0 failed"],
  ["skipped ones are named", report(3, 0, 2, file("passed", "passed")), 0, "3 passed, 0 failed, 2 skipped"],
  ["failed tests", report(3, 2, 0, file("failed", "failed", "passed")), 1, "3 passed, 2 failed"],
  ["a file that did not load", report(3, 0, 0, file("failed")), 1, "3 passed, 1 failed"],
  ["an error outside of any test", report(3, 0, 0, file("passed", "passed")), 1, "3 passed, 1 failed"],
  ["no test at all", report(0, 0, 0), 0, "0 passed, 1 failed"],
  ["no report", undefined, 1, "0 passed, 1 failed"],
])("counts: %s", (_, json, status, line) => {
  expect(formatCount(countTests([json], { status }))).toBe(line);
});

it("adds failures before the run, and names the tests that were not run again", () => {
  const one = report(3, 0, 2, file("passed", "passed"));
  const reports = [
    { ...one, startTime: 1 },
    { ...one, startTime: 9 },
  ];
  expect(formatCount(countTests(reports, { failed: 1, begun: 5 }))).toBe(
    "3 passed, 1 failed, 4 skipped, 3 unchanged",
  );
});
