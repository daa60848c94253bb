/** Columns of .csv and .tsv files, read as streams: only the column's values are stored. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf } from "@groupwise/core/target";
import { CsvError, type Parser, parse } from "csv-parse";
import { STDIN, takeStdin } from "../base/files.ts";
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

/** A .csv or .tsv file, or the text of one from stdin (`-`). */
export interface Table {
  readonly path: string;
  readonly cwd: string;
  readonly isTsv: boolean;
}

/** The column that an input takes. */
export interface Wanted {
  /** The name of the input. */
  readonly name: string;
  readonly type: ArrayType;
  /**
   * A heading of the first line, or a number from 0 for files without headings. Where it is absent, the heading is the name of the input;
   * a file with one column may have no heading.
   */
  readonly column: string | undefined;
}

/**
 * Some columns of a table, which is read once.
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function readColumns(table: Table, wanted: readonly Wanted[]): Promise<HostArray[]> {
  const columns = wanted.map((one) => ({
    reader: new Column(table.path, one),
    values: new Growing(one.type),
  }));
  const take = (record: readonly string[]): void => {
    for (const { reader, values } of columns) reader.read(record, values);
  };
  for await (const _ of csvPieces(table, take));
  return columns.map(({ reader, values }) => {
    reader.end();
    return values.take(values.count);
  });
}

const bytesOf = ({ path, cwd }: Table): Readable => {
  if (path !== STDIN) return createReadStream(resolve(cwd, path), { highWaterMark: PIECE });
  takeStdin();
  return process.stdin;
};

/**
 * Parses a table piece by piece.
 * @param take is called with each record; after each piece, the caller has its turn
 * @throws GroupwiseError `missing-file`, `bad-file`; what `take` throws
 */
export async function* csvPieces(
  table: Table,
  take: (record: readonly string[]) => void,
): AsyncGenerator<void, void, undefined> {
  const { path } = table;
  let parser: Parser | undefined;
  let ended: Promise<void> | undefined;
  try {
    const bytes = utf8(path)(bytesOf(table));
    for await (const piece of bytes) {
      if (!parser) {
        parser = parserOf(formOf(table, piece), take);
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

function formOf({ isTsv }: Table, first: Uint8Array): Form {
  const text = new TextDecoder().decode(first.subarray(0, LONGEST_LINE));
  const named = /^sep=(.)\r?\n/.exec(text)?.[1];
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

/** One column of a table. */
export class Column {
  private readonly path: string;
  private readonly wanted: Wanted;
  /** Those of the first record as errors list them; undefined if it has none. */
  private headings: readonly string[] | undefined;
  private at: number | undefined;
  private row = 0;

  constructor(path: string, wanted: Wanted) {
    this.path = path;
    this.wanted = wanted;
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
    return this.headings ? Math.max(this.row - 1, 0) : this.row;
  }

  /** After the last record. @throws GroupwiseError `bad-usage` */
  end(): void {
    this.at ??= this.placeIn([]);
  }

  private placeIn(first: readonly string[]): number {
    const { name, column } = this.wanted;
    if (column === undefined) {
      if (first.includes(name) || first.length > 1) return this.headed(name, first);
      return 0;
    }
    if (!/^\d+$/.test(column) || isHeading(column, first)) return this.headed(column, first);
    return this.numbered(Number(column), first);
  }

  private headed(heading: string, first: readonly string[]): number {
    const { path, wanted } = this;
    this.headings = first
      .filter((one) => one !== "")
      .map((one) => (one.includes(",") ? JSON.stringify(one) : one));
    const at = first.indexOf(heading);
    if (at < 0) {
      const form = `${wanted.name}=${path}${path === STDIN ? ":csv" : ""}`;
      const others = `for another one write ${form}:HEADING, or ${form}:0 for the first column of a file without headings`;
      throw badUsage(
        `${path} has no column ${JSON.stringify(heading)}`,
        `${oneOf(heading, this.headings)}; ${others}`,
      );
    }
    if (first.lastIndexOf(heading) === at) return at;
    throw badUsage(
      `${path} has several columns ${JSON.stringify(heading)}`,
      `rename all but one of them in the first line; ${this.listed()}`,
    );
  }

  private numbered(at: number, first: readonly string[]): number {
    const { path } = this;
    if (isUnclear(first))
      throw badUsage(
        `${path}: the first line, ${first.join(",").slice(0, 40)}, may be headings, as pandas writes them, or data`,
        "delete it if it has headings, or put a line of other headings before it and name the column by its heading",
      );
    const width = first.length || at + 1;
    if (at >= width) throw badUsage(`${path} has no column ${at}`, `there are ${width}, counted from 0`);
    return at;
  }

  private listed(): string {
    return `there are: ${this.headings?.join(", ")}`;
  }

  private valueOf(cell: string): number | bigint {
    const { row, at, headings, wanted } = this;
    const { type, column, name } = wanted;
    const value = parseElement(type, cell);
    if (value !== undefined) return arraySpec(type).toHost(value);
    const where = `record ${row}, column ${headings ? JSON.stringify(column ?? name) : at}`;
    if (cell === "") throw badFile(this.path, `${where}: the cell is empty`, undefined, EMPTY);
    const hint = headings
      ? `the input ${name} takes ${type}: name a column of such values; ${this.listed()}`
      : row === 1
        ? `if the first line has headings, name the column by its heading: ${name}=${this.path}:HEADING`
        : undefined;
    const what = `${where}: ${JSON.stringify(cell.slice(0, 40))} is not a value of ${type}`;
    throw badFile(this.path, what, undefined, hint);
  }
}
