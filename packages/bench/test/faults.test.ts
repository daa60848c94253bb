/** The table of faults: ids differ, and the test files exist. `npm run test:faults` inserts the faults. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FAULTS } from "../../testkit/src/faults/table.ts";

const isMissing = (file: string): boolean =>
  !existsSync(fileURLToPath(new URL(`../../../${file}`, import.meta.url)));

test("faults have ids of their own, and name a test", () => {
  expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
  expect(FAULTS.filter(({ expects }) => expects === "")).toEqual([]);
});

test("the test files of each fault exist", () => {
  expect(FAULTS.flatMap(({ tests }) => tests).filter(isMissing)).toEqual([]);
});
