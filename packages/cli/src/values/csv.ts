/** Columns of .csv and .tsv files, read as streams: only the column's values are stored. */
import { createReadStream } from "node:fs";
import { extname, resolve } from "node:path";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec, errorOf } from "@groupwise/core/target";
import { CsvError, parse } from "csv-parse";
import { badFile, badUsage, isGroupwiseError } from "../base/problem.ts";
import { reasonOf } from "../base/reasons.ts";
import { oneOf } from "../base/suggest.ts";
import { Growing } from "./growing.ts";
import { parseElement } from "./scalar.ts";
import { notUtf8 } from "./text.ts";

/** Bytes of one read. */
const PIECE = 2 ** 20;

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
  const parser = parse({
    bom: true,
    trim: true,
    skip_empty_lines: true,
    delimiter: extname(path).toLowerCase() === ".tsv" ? "\t" : ",",
    // The parser passes on no records: the values are read here.
    on_record: (record: readonly string[]) => {
      take(record);
      return undefined;
    },
  });
  const ended = finished(parser.resume());
  ended.catch(() => {}); // the error of a write is the same one
  try {
    const bytes = utf8(path)(createReadStream(resolve(cwd, path), { highWaterMark: PIECE }));
    for await (const piece of bytes) {
      await new Promise<void>((done, fail) => parser.write(piece, (error) => (error ? fail(error) : done())));
      yield;
    }
    parser.end();
    await ended;
  } catch (error) {
    if (isGroupwiseError(error)) throw error;
    if (error instanceof CsvError) throw badFile(path, error.message, error);
    throw errorOf("missing-file", { path, reason: reasonOf(error) }, path, error);
  } finally {
    parser.destroy();
  }
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

/** One column of a file. */
export class Column {
  private readonly isNumber: boolean;
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
    return this.isNumber ? this.row : Math.max(this.row - 1, 0);
  }

  /** After the last record. @throws GroupwiseError `bad-usage` */
  end(): void {
    this.at ??= this.placeIn([]);
  }

  private placeIn(first: readonly string[]): number {
    const { path, column } = this;
    if (column !== undefined && !this.isNumber) {
      const at = first.indexOf(column);
      if (at < 0) throw badUsage(`${path} has no column ${JSON.stringify(column)}`, oneOf(column, first));
      return at;
    }
    const at = Number(column ?? 0);
    const width = first.length || at + 1;
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
    const heading =
      this.isNumber && row === 1 ? " (if the first line has headings, name the column by its heading)" : "";
    throw badFile(
      this.path,
      `record ${row}, column ${this.at}: ${JSON.stringify(cell.slice(0, 40))} is not a value of ${type}${heading}`,
    );
  }
}
