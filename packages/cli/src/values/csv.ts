/** Columns of .csv and .tsv files. */
import { type HostArray, SCALARS, type Scalar } from "@groupwise/core";
import { CsvError, parse } from "csv-parse/sync";
import { badFile, badUsage } from "../problem.ts";
import { oneOf } from "../suggest.ts";
import { parseScalar } from "./scalar.ts";

/**
 * @param column a heading of the first line, or a number from 0 for files without headings; a file with
 *   one column and no heading needs none
 * @throws GroupwiseError `bad-file`, `bad-usage`
 */
export function readCsv(text: string, type: Scalar, path: string, column: string | undefined): HostArray {
  const rows = parseRows(text, path);
  const isNumber = column === undefined || /^\d+$/.test(column);
  const at = isNumber ? Number(column ?? 0) : headingAt(rows, path, column);
  const width = rows[0]?.length ?? at + 1;
  if (column === undefined && width > 1) {
    throw badUsage(
      `${path} has ${width} columns`,
      `name one: ${path}:heading, or ${path}:0 where the first line is data`,
    );
  }
  if (at >= width) throw badUsage(`${path} has no column ${at}`, `there are ${width}, counted from 0`);
  const first = isNumber ? 0 : 1;
  const { array, toHost } = SCALARS[type];
  const values = new array(rows.length - first);
  for (let row = first; row < rows.length; row++) {
    const cell = rows[row]?.[at] ?? "";
    const value = parseScalar(type, cell);
    if (value === undefined) {
      const heading =
        isNumber && row === 0 ? " (if the first line has headings, name the column by its heading)" : "";
      throw badFile(
        path,
        `record ${row + 1}, column ${at}: ${JSON.stringify(cell.slice(0, 40))} is no value of ${type}${heading}`,
      );
    }
    values[row - first] = toHost(value) as never;
  }
  return values;
}

function headingAt(rows: readonly (readonly string[])[], path: string, column: string): number {
  const headings = rows[0] ?? [];
  const at = headings.indexOf(column);
  if (at < 0) throw badUsage(`${path} has no column ${JSON.stringify(column)}`, oneOf(column, headings));
  return at;
}

function parseRows(text: string, path: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      trim: true,
      skip_empty_lines: true,
      delimiter: path.endsWith(".tsv") ? "\t" : ",",
    });
  } catch (error) {
    if (error instanceof CsvError) throw badFile(path, error.message, error);
    throw error;
  }
}
