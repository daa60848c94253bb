/** The rows of a table of text: records of as many cells as the first one has. */
import { isUtf8 } from "node:buffer";
import { badFile } from "../base/problem.ts";
import { BLANK, type Cells, RecordError, Records } from "./csv-records.ts";
import { notUtf8 } from "./text.ts";

const MARK = "\ufeff";
/** Bytes of a byte order mark and of a line that names the delimiter. */
const HEAD = 16;

/** Cuts the bytes of a file into rows. */
export class Rows {
  private readonly path: string;
  private readonly isTsv: boolean;
  private readonly take: (record: Cells) => void;
  private records: Records | undefined;
  private head: Buffer = Buffer.alloc(0);
  /** Bytes of a character that the next piece continues. */
  private cut: Buffer = Buffer.alloc(0);
  /** Cells of a row; 0 before the first one. */
  private width = 0;
  private row = 0;
  /** Blank lines before the first row. */
  private blanks = 0;

  /** @param take is called with each row */
  constructor(path: string, isTsv: boolean, take: (record: Cells) => void) {
    this.path = path;
    this.isTsv = isTsv;
    this.take = take;
  }

  /** @throws GroupwiseError `bad-file` */
  push(piece: Uint8Array): void {
    this.requireUtf8(piece);
    const { records } = this;
    if (!records) {
      this.head = Buffer.concat([this.head, piece]);
      if (this.head.length >= HEAD) this.begin();
    } else this.recorded(() => records.push(piece));
  }

  /** @throws GroupwiseError `bad-file` */
  end(): void {
    if (this.cut.length > 0) throw notUtf8(this.path);
    if (!this.records) this.begin();
    this.recorded(() => this.records?.end());
    for (; this.width === 0 && this.blanks > 0; this.blanks--) this.take(BLANK);
  }

  /** Reads the byte order mark and Excel's own line, `sep=;`, which are no record. */
  private begin(): void {
    const text = this.head.toString("utf8", 0, HEAD);
    const mark = text.startsWith(MARK) ? 3 : 0;
    const [line = "", named] = /^sep=([\t -~])\r?\n/.exec(text.slice(mark > 0 ? 1 : 0)) ?? [];
    const delimiter = named ?? (this.isTsv ? "\t" : ",");
    this.records = new Records(delimiter.charCodeAt(0), this.isTsv, (record) => this.rowOf(record));
    this.recorded(() => this.records?.push(this.head.subarray(mark + line.length)));
    this.head = Buffer.alloc(0);
  }

  private rowOf(record: Cells): void {
    if (record.isBlank && this.width !== 1) {
      // Between rows of several cells it is none.
      if (this.width === 0) this.blanks++;
      return;
    }
    if (this.width === 0) {
      this.width = record.count;
      for (; this.width === 1 && this.blanks > 0; this.blanks--) this.passOn(BLANK);
    }
    this.passOn(record);
  }

  private passOn(record: Cells): void {
    if (record.count !== this.width)
      throw new RecordError(`it has ${record.count} cells, but the first record has ${this.width}`);
    this.row++;
    this.take(record);
  }

  /** Adds the number of the record to its errors. */
  private recorded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      throw badFile(this.path, `record ${this.row + 1}: ${error.message}`, error);
    }
  }

  private requireUtf8(piece: Uint8Array): void {
    const all =
      this.cut.length > 0
        ? Buffer.concat([this.cut, piece])
        : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    let end = all.length;
    // A character has at most three bytes after its first.
    for (let back = 1; back <= Math.min(3, all.length); back++) {
      const byte = all[all.length - back] as number;
      if (byte < 0x80) break;
      if (byte >= 0xc0) {
        const bytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        if (bytes > back) end = all.length - back;
        break;
      }
    }
    this.cut = all.subarray(end);
    if (!isUtf8(all.subarray(0, end))) throw notUtf8(this.path);
  }
}
