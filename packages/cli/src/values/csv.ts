/** Columns of .csv and .tsv files, read as streams: only the column's values are stored. */
import { createReadStream } from "node:fs";
import { extname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf } from "@groupwise/core/target";
import { CsvError, type Parser, parse } from "csv-parse";
import { badFile, badUsage, isGroupwiseError } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { oneOf } from "../base/suggest.ts";
import { Growing } from "./growing.ts";
import { parseElement } from "./scalar.ts";
import { notUtf8 } from "./text.ts";

/** Bytes of one read. */
const PIECE = 2 ** 20;

/** Bytes of the first lines that tell the form of a file. */
const LONGEST_LINE = 2 ** 16;

/**
 * @param column a heading of the first line, or a number from 0 for files without headings; a file with
 *   one column and no heading needs none
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function readCsv(
  path: string,
  cwd: string,
  type: ArrayType,
  column: string | undefined,
): Promise<HostArray> {
  const values = new Growing(type);
  const reader = new Column(path, type, column);
  for await (const _ of csvPieces(path, cwd, (record) => reader.read(record, values)));
  reader.end();
  return values.take(values.count);
}

/**
 * Parses a file piece by piece.
 * @param take is called with each record; after each piece, the caller has its turn
 * @throws GroupwiseError `missing-file`, `bad-file`; what `take` throws
 */
export async function* csvPieces(
  path: string,
  cwd: string,
  take: (record: readonly string[]) => void,
): AsyncGenerator<void, void, undefined> {
  let parser: Parser | undefined;
  let ended: Promise<void> | undefined;
  try {
    const bytes = utf8(path)(createReadStream(resolve(cwd, path), { highWaterMark: PIECE }));
    for await (const piece of bytes) {
      if (!parser) {
        parser = parserOf(formOf(path, piece), take);
        ended = finished(parser.resume());
        ended.catch(() => {}); // the error of a write is the same one
      }
      const open = parser;
      await new Promise<void>((done, fail) => open.write(piece, (error) => (error ? fail(error) : done())));
      yield;
    }
    parser?.end();
    await ended;
  } catch (error) {
    if (isGroupwiseError(error)) throw error;
    if (error instanceof CsvError) throw badFile(path, error.message, error);
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  } finally {
    parser?.destroy();
  }
}

/** What the first bytes of a file say. */
interface Form {
  readonly delimiter: string;
  /** Excel's own line, `sep=;`, is no record. */
  readonly isNamed: boolean;
  /** A line without a cell is an empty cell, unless it is at an end of the file. */
  readonly isOneColumn: boolean;
  readonly isTsv: boolean;
}

function formOf(path: string, first: Uint8Array): Form {
  const text = new TextDecoder().decode(first.subarray(0, LONGEST_LINE));
  const named = /^sep=(.)\r?\n/.exec(text)?.[1];
  const isTsv = extname(path).toLowerCase() === ".tsv";
  const delimiter = named ?? (isTsv ? "\t" : ",");
  const line = text.split(/\r?\n/).find((one) => one.trim() !== "") ?? "";
  return { delimiter, isNamed: named !== undefined, isOneColumn: !line.includes(delimiter), isTsv };
}

function parserOf(
  { delimiter, isNamed, isOneColumn, isTsv }: Form,
  take: (record: readonly string[]) => void,
): Parser {
  let count = 0;
  let blanks = 0;
  return parse({
    bom: true,
    trim: true,
    skip_empty_lines: !isOneColumn,
    // In a .tsv file a quote within a cell is a character.
    relax_quotes: isTsv,
    from_line: isNamed ? 2 : 1,
    delimiter,
    // The parser passes on no records: the values are read here.
    on_record: (record: readonly string[]) => {
      if (isOneColumn && record.length === 1 && record[0] === "") {
        if (count > 0) blanks++;
        return undefined;
      }
      for (; blanks > 0; blanks--) take([""]);
      count++;
      take(record);
      return undefined;
    },
  });
}

/** Passes bytes on, and throws if they are not UTF-8 text. */
function utf8(path: string): (source: Readable) => AsyncGenerator<Uint8Array> {
  return async function* (source) {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    const read = (bytes?: Uint8Array): void => {
      try {
        decoder.decode(bytes, { stream: bytes !== undefined });
      } catch (error) {
        throw notUtf8(path, error);
      }
    };
    for await (const bytes of source as AsyncIterable<Uint8Array>) {
      read(bytes);
      yield bytes;
    }
    read();
  };
}

const EMPTY = "there is no missing value: write one into the file, for example 0, or nan for a float";

/** Whether a number is a heading, because it is no number of a column. */
const isHeading = (column: string, first: readonly string[]): boolean =>
  Number(column) >= first.length && first.includes(column);

/** Whether a first line is 0,1,2, …: pandas writes it above columns without names, and data may begin so. */
const isUnclear = (first: readonly string[]): boolean =>
  first.length > 1 && first.every((heading, i) => heading === String(i));

/** One column of a file. */
export class Column {
  private readonly isNumber: boolean;
  /** Whether the first record has headings. */
  private isHeaded: boolean;
  private at: number | undefined;
  private row = 0;
  private readonly path: string;
  private readonly type: ArrayType;
  private readonly column: string | undefined;

  constructor(path: string, type: ArrayType, column: string | undefined) {
    this.path = path;
    this.type = type;
    this.column = column;
    this.isNumber = column === undefined || /^\d+$/.test(column);
    this.isHeaded = !this.isNumber;
  }

  /**
   * Adds the value of a record. The first record may be the headings, which have no value.
   * @param skip values that are skipped unread, from the first
   * @throws GroupwiseError `bad-file`, `bad-usage`
   */
  read(record: readonly string[], values: Growing, skip: number = 0): void {
    this.at ??= this.placeIn(record);
    this.row++;
    if (this.items > skip) values.push(this.valueOf(record[this.at] ?? ""));
  }

  /** Number of values that were read or skipped. */
  get items(): number {
    return this.isHeaded ? Math.max(this.row - 1, 0) : this.row;
  }

  /** After the last record. @throws GroupwiseError `bad-usage` */
  end(): void {
    this.at ??= this.placeIn([]);
  }

  private placeIn(first: readonly string[]): number {
    const { path, column } = this;
    if (column !== undefined && (!this.isNumber || isHeading(column, first))) {
      this.isHeaded = true;
      const at = first.indexOf(column);
      const named = first.filter((heading) => heading !== "");
      if (at < 0) throw badUsage(`${path} has no column ${JSON.stringify(column)}`, oneOf(column, named));
      if (first.lastIndexOf(column) === at) return at;
      const reason = `${path} has several columns ${JSON.stringify(column)}`;
      throw badUsage(reason, "rename all but one of them: the headings are in the first line");
    }
    const at = Number(column ?? 0);
    const width = first.length || at + 1;
    if (column !== undefined && isUnclear(first))
      throw badUsage(
        `${path}: the first line, ${first.join(",").slice(0, 40)}, may be headings, as pandas writes them, or data`,
        "delete it if it has headings, or put a line of other headings before it and name the column by its heading",
      );
    if (column === undefined && width > 1) {
      throw badUsage(
        `${path} has ${width} columns`,
        `choose one: ${path}:heading, or ${path}:0 if the first line is data`,
      );
    }
    if (at >= width) throw badUsage(`${path} has no column ${at}`, `there are ${width}, counted from 0`);
    return at;
  }

  private valueOf(cell: string): number | bigint {
    const { type, row } = this;
    const value = parseElement(type, cell);
    if (value !== undefined) return arraySpec(type).toHost(value);
    const where = `record ${row}, column ${this.at}`;
    if (cell === "") throw badFile(this.path, `${where}: the cell is empty`, undefined, EMPTY);
    const heading =
      !this.isHeaded && row === 1 ? " (if the first line has headings, name the column by its heading)" : "";
    throw badFile(
      this.path,
      `${where}: ${JSON.stringify(cell.slice(0, 40))} is not a value of ${type}${heading}`,
    );
  }
}
