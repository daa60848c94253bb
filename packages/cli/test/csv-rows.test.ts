/** Delimited text in any pieces is the cells that were written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Rows } from "../src/values/csv-rows.ts";

const cell = fc.string({
  unit: fc.constantFrom("1", "x", "é", "𝛑", " ", "\t", ",", '"', "\n", "\r"),
  maxLength: 6,
});

/** As RFC 4180 writes a cell, or without quotes where it needs none, with spaces around it. */
const written = (text: string, spaces: string): string =>
  /^[1xé𝛑]+$/u.test(text) ? `${spaces}${text}${spaces}` : `${spaces}"${text.replaceAll('"', '""')}"${spaces}`;

const trimmed = (row: readonly string[]): string[] => row.map((one) => one.trim());

/** The cells of a text that comes in pieces of some lengths. */
function cellsOf(text: string, lengths: readonly number[]): string[][] {
  const found: string[][] = [];
  const rows = new Rows("x.csv", false, (record) => {
    found.push([...record]);
  });
  const bytes = Buffer.from(text);
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length] ?? 1;
    rows.push(bytes.subarray(at, at + length));
    at += length;
  }
  rows.end();
  return found;
}

test("records are those that were written, whatever the pieces, line breaks and spaces", () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 70 })
        .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 })),
      fc.record({
        lines: fc.constantFrom("\n", "\r\n", "\r"),
        spaces: fc.constantFrom("", " ", "\t "),
        mark: fc.constantFrom("", "\ufeff"),
        last: fc.boolean(),
        lengths: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
      }),
      (table, { lines, spaces, mark, last, lengths }) => {
        const text = table.map((row) => row.map((one) => written(one, spaces)).join(",")).join(lines);
        expect(cellsOf(mark + text + (last && table.length > 0 ? lines : ""), lengths).map(trimmed)).toEqual(
          table.map(trimmed),
        );
      },
    ),
    { numRuns: 500 },
  );
});
