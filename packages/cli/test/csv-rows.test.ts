/** Delimited text in any pieces is the cells that were written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { CsvRows } from "../src/values/csv-rows.ts";

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
  const rows = new CsvRows("x.csv", false, (record) => {
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
    { numRuns: process.env.GROUPWISE_FULL ? 150 : 50 },
  );
});

test.each([
  ["a quote within a cell", 'a,b\n1,2\n3,x"y\n4,5\n', /record 3: a quote is within a cell/],
  ["two quotes within a cell", 'a,b\n1,x""y\n', /record 2: a quote is within a cell/],
  ["characters after a quote", 'a,b\n1,"2" x\n3,"4"\n', /record 2: characters follow the closing quote/],
  ["a quote that is not closed", 'a,b\n1,2\n3, "4\n5,6\n', /record 3: the quote of a cell is not closed/],
  ["too few cells", "a,b\n1,2\n3\n", /record 3: it has 1 cells/],
  ["too many cells", 'a,b\n1,"2",3\n', /record 2: it has 3 cells/],
])("%s is an error that names the record, whatever the pieces", (_, text, what) => {
  for (const length of [1, 3, 100])
    expect(() => cellsOf(text, [length])).toThrow(
      expect.objectContaining({ what: expect.stringMatching(what) }),
    );
});

test("a record is refused before the rest of a file is in memory", () => {
  const rows = new CsvRows("x.csv", false, () => {});
  rows.push(Buffer.from('a,b\n1,"'));
  const piece = Buffer.alloc(2 ** 20, "2\n");
  const whole = (): void => {
    for (let i = 0; i < 65; i++) rows.push(piece);
  };
  expect(whole).toThrow(/record 2: .*a quote may not be closed/);
});
