import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { faulty, sampleOf } from "./faults/fault.mjs";
import { FAULTS } from "./faults/table.mjs";

const pathOf = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

describe("the table of faults", () => {
  test("has at least 40 rows, each with a name of its own", () => {
    expect(FAULTS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(FAULTS.map(({ id }) => id)).size).toBe(FAULTS.length);
  });

  test.each(FAULTS)("$id: the text to replace occurs once, and its tests exist", (row) => {
    const text = readFileSync(pathOf(row.file), "utf8");
    expect(faulty(row, text)).not.toBe(text);
    expect(row.tests.filter((file) => !existsSync(pathOf(file)))).toEqual([]);
  });
});

describe("a fault", () => {
  const row = { id: "f", file: "a.ts", find: "a + b", replace: "$& - b" };

  test("is inserted literally", () => {
    expect(faulty(row, "c(a + b)")).toBe("c($& - b)");
  });

  test("is refused if its text is absent or ambiguous", () => {
    expect(() => faulty(row, "a - b")).toThrow("0 occurrences");
    expect(() => faulty(row, "a + b; a + b")).toThrow("2 occurrences");
  });
});

test("a sample has as many rows as asked for, from all parts of the table", () => {
  const rows = Array.from({ length: 50 }, (_, i) => i);
  expect(sampleOf(rows, 5)).toEqual([0, 10, 20, 30, 40]);
  expect(sampleOf(rows, 12)).toHaveLength(12);
  expect(sampleOf(rows, 99)).toEqual(rows);
});
