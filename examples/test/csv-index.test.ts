/** The index of texts that are not in the example's data: quotes in quotes, line breaks in quotes, an empty text. */
import { checkLaws } from "@groupwise/core/laws";
import { jsRuntime } from "@groupwise/target-js/runtime";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldAt, type Index, indexOf, reader, width } from "../csv-index.ts";
import { rowsOf } from "./support.ts";

const runtime = jsRuntime();
const indexed = (text: string): Promise<Index> => indexOf(runtime, new TextEncoder().encode(text));
const fieldsOf = (index: Index): string[][] =>
  Array.from(index.rows, (_, row) =>
    Array.from({ length: width(index, row) }, (_, column) => fieldAt(index, row, column)),
  );

const QUOTED = /[",\r\n]/;
const written = (field: string): string => (QUOTED.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
const field = fc.string({ unit: fc.constantFrom("a", "ä", ",", '"', "\n", " "), maxLength: 6 });
// A row of one empty field is an empty line, which parsers treat differently.
const row = fc.array(field, { minLength: 2, maxLength: 5 });

test("the fields of written CSV are found, and are equal to those of a parser", async () => {
  const table = fc.array(row, { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.constantFrom("\n", "\r\n"),
      fc.boolean(),
      async (rows, lineBreak, isClosed) => {
        const text = rows.map((fields) => fields.map(written).join(",")).join(lineBreak);
        const whole = isClosed && rows.length > 0 ? text + lineBreak : text;
        const index = await indexed(whole);
        expect(fieldsOf(index)).toEqual(rows);
        expect(fieldsOf(index)).toEqual(rowsOf(whole));
        expect(index.isOpen).toBe(false);
      },
    ),
    { numRuns: 150 },
  );
});

test("a quote inside a field without quotes is a character like any other", async () => {
  expect(fieldsOf(await indexed('5" pipe,3\n'))).toEqual([['5" pipe', "3"]]);
});

test("a byte order mark is no part of the first field, which may be quoted", async () => {
  expect(fieldsOf(await indexed('\ufeff"name, first","age"\r\n"x","1"\r\n'))).toEqual([
    ["name, first", "age"],
    ["x", "1"],
  ]);
});

test("a text that ends within quotes is reported", async () => {
  expect((await indexed('a,"b\nc')).isOpen).toBe(true);
});

test("the operator is associative on any functions, and not commutative", () => {
  const functions = Array.from({ length: 256 }, (_, bits) => [bits]);
  const held = Object.fromEntries(
    checkLaws(reader.ir, { operands: functions }).map((law) => [law.law, law.held]),
  );
  expect(held).toEqual({
    associative: true,
    commutative: false,
    "identity-left": true,
    "identity-right": true,
  });
});
