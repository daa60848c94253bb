/** Columns of .csv and .tsv files, read as streams: only the column's values are stored. */
import { createReadStream, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { HostArray } from "@groupwise/core";
import { STDIN, takeStdin } from "../base/files.ts";
import { isGroupwiseError } from "../base/problem.ts";
import { CsvColumn, type WantedColumn } from "./csv-column.ts";
import { type Cells, CsvRows } from "./csv-rows.ts";
import { formatOf } from "./file-name.ts";
import { Growing } from "./growing.ts";
import { gunzipped, unreadable } from "./gzip.ts";
import type { Reading } from "./reading.ts";

/** Bytes of one read. */
const PIECE = 2 ** 16;

/** A .csv or .tsv file, also compressed, or the text of one from stdin (`-`). */
export interface CsvTable extends Pick<Reading, "cwd" | "null"> {
  readonly path: string;
  readonly isTsv: boolean;
}

/**
 * Some columns of a table, which is read once.
 * @throws GroupwiseError `missing-file`, `bad-file`, `bad-usage`
 */
export async function readColumns(table: CsvTable, wanted: readonly WantedColumn[]): Promise<HostArray[]> {
  const columns = wanted.map((one) => ({ reader: columnOf(table, one), values: new Growing(one.type) }));
  const take = (record: Cells): void => {
    for (const { reader, values } of columns) reader.read(record, values);
  };
  let pieces = 0;
  for await (const _ of csvPieces(table, take)) {
    if (++pieces > 1) continue;
    // Rows are about as long as the first ones.
    for (const { values } of columns) values.reserve(Math.ceil(values.count * piecesOf(table) * 1.05));
  }
  return columns.map(({ reader, values }) => {
    reader.end(values);
    return values.all();
  });
}

/** About the number of pieces of a table; 1 if that is unknown. */
function piecesOf({ path, cwd }: CsvTable): number {
  if (path === STDIN || formatOf(path).isGzip) return 1;
  return (statSync(resolve(cwd, path), { throwIfNoEntry: false })?.size ?? 0) / PIECE;
}

/** The reader of a column. */
export const columnOf = ({ path, null: absent }: CsvTable, wanted: WantedColumn): CsvColumn =>
  new CsvColumn({ path, absent }, wanted);

function bytesOf({ path, cwd }: CsvTable): Readable {
  if (path === STDIN) {
    takeStdin();
    return process.stdin;
  }
  const file = createReadStream(resolve(cwd, path), { highWaterMark: PIECE });
  if (!formatOf(path).isGzip) return file;
  return gunzipped(file, PIECE);
}

/**
 * Parses a table piece by piece.
 * @param take is called with each record; after each piece, the caller has its turn
 * @throws GroupwiseError `missing-file`, `bad-file`; what `take` throws
 */
export async function* csvPieces(
  table: CsvTable,
  take: (record: Cells) => void,
): AsyncGenerator<void, void, undefined> {
  const { path, isTsv } = table;
  const rows = new CsvRows(path, isTsv, take);
  try {
    for await (const piece of bytesOf(table) as AsyncIterable<Uint8Array>) {
      rows.push(piece);
      yield;
    }
    rows.end();
  } catch (error) {
    if (isGroupwiseError(error)) throw error;
    throw unreadable(path, error);
  }
}
