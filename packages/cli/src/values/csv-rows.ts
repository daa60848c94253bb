/** The rows of a table of text, by Papa Parse: records of as many cells as the first one has. */
import Papa from "papaparse";
import { badFile } from "../base/problem.ts";
import { notUtf8 } from "./text.ts";

/** Characters of the longest record. A quote that nothing closes makes one of the rest of a file. */
const LONGEST_RECORD = 2 ** 26;
/** A record that is longer and has no end yet is parsed again when it is twice as long, not for each piece. */
const SHORT_RECORD = 2 ** 16;

/** The texts of a record. Those that were written without quotes have the spaces around them. */
export type Cells = readonly string[];

/** Thrown for text that is no record. */
class RecordError extends Error {}

const STRAY = "a quote is within a cell; write such a cell in quotes, and its own ones twice";
const REASONS: Readonly<Record<string, string>> = {
  MissingQuotes: "the quote of a cell is not closed",
  InvalidQuotes: "characters follow the closing quote of a cell",
};

/** Whether a line has nothing but spaces, or is an empty cell in quotes. */
export const isBlank = (record: Cells): boolean => record.length === 1 && record[0]?.trim() === "";

/** The parts of cells in quotes, of which a quote in a cell begins another one, and the spaces before them. */
function quotedParts(delimiter: string): RegExp {
  const code = `\\x${delimiter.charCodeAt(0).toString(16).padStart(2, "0")}`;
  return new RegExp(`(^|[${code}\\r\\n])(?:(?!${code})[ \\t])*("[^"]*"?)|(?<=")("[^"]*"?)`, "g");
}

const hasQuote = (text: string): boolean => text.includes('"');

/** Cuts the bytes of a file into rows. */
export class CsvRows {
  private readonly path: string;
  private readonly isTsv: boolean;
  private readonly take: (record: Cells) => void;
  private readonly decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  private delimiter: string;
  private newline: "\n" | "\r" | undefined;
  /** The beginning of a record, and how long it is before it is parsed again. */
  private text = "";
  private due = 0;
  /** Cells of a row; 0 before the first one. */
  private width = 0;
  private row = 0;
  /** Blank lines before the first row. */
  private blanks = 0;

  /** @param take is called with each row */
  constructor(path: string, isTsv: boolean, take: (record: Cells) => void) {
    this.path = path;
    this.isTsv = isTsv;
    this.delimiter = isTsv ? "\t" : ",";
    this.take = take;
  }

  /** @throws GroupwiseError `bad-file` */
  push(piece: Uint8Array): void {
    this.text += this.decoded(piece);
    if (this.text.length >= this.due) this.parse(false);
  }

  /** @throws GroupwiseError `bad-file` */
  end(): void {
    this.text += this.decoded();
    this.parse(true);
    if (this.text !== "") this.recorded(() => this.records(true));
    for (; this.width === 0 && this.blanks > 0; this.blanks--) this.take([""]);
  }

  private decoded(piece?: Uint8Array): string {
    try {
      return this.decoder.decode(piece, { stream: piece !== undefined });
    } catch (error) {
      throw notUtf8(this.path, error);
    }
  }

  private parse(isEnd: boolean): void {
    this.prepare();
    if (this.newline || this.begin(isEnd)) this.recorded(() => this.records(false));
    const { length } = this.text;
    this.due = length > SHORT_RECORD ? Math.min(2 * length, LONGEST_RECORD) : 0;
  }

  /** Papa Parse drops a byte order mark before any text, and takes a quote after spaces for a character. */
  private prepare(): void {
    if (this.text.startsWith("\ufeff")) this.text = this.text.slice(1);
    if (/[ \t]"/.test(this.text)) this.text = this.text.replace(quotedParts(this.delimiter), "$1$2$3");
  }

  /** Reads how lines end, and Excel's own line, `sep=;`, which is no record. False if the first line is not known. */
  private begin(isEnd: boolean): boolean {
    const { text } = this;
    const [lf, cr] = [this.firstEnd("\n"), this.firstEnd("\r")];
    if (Math.min(lf, cr) === text.length && !isEnd) return false;
    // The CR of CRLF is a space before LF.
    this.newline = cr < lf && text[cr] !== "\n" ? "\r" : "\n";
    const [line = "", named = this.delimiter] = /^sep=([\t -~])\r?\n/.exec(text) ?? [];
    this.text = text.slice(line.length);
    this.delimiter = named;
    this.prepare();
    return true;
  }

  /** Where the first record ends; the end of the text if it has none. */
  private firstEnd(newline: "\n" | "\r"): number {
    const { delimiter } = this;
    return Papa.parse(this.text, { delimiter, newline, fastMode: false, preview: 1 }).meta.cursor;
  }

  /** Takes the records of the text; at the end of a file also one without a line break. */
  private records(isEnd: boolean): void {
    const { delimiter, newline = "\n" } = this;
    const text = isEnd ? this.text + newline : this.text;
    const mayStray = !this.isTsv && hasQuote(text);
    let start = 0;
    const pass = ({ data, errors: [error], meta: { cursor } }: Papa.ParseStepResult<string[]>): void => {
      if (error) throw new RecordError(REASONS[error.code]);
      if (
        mayStray &&
        data.some(hasQuote) &&
        hasQuote(text.slice(start, cursor).replace(quotedParts(delimiter), ""))
      )
        throw new RecordError(STRAY);
      this.rowOf(data);
      start = cursor;
    };
    let last: Papa.ParseStepResult<string[]> | undefined;
    const step = (result: Papa.ParseStepResult<string[]>): void => {
      if (last) pass(last);
      last = result;
    };
    Papa.parse(text, { delimiter, newline, fastMode: false, step });
    // The last one has no line break: it is empty, or cut.
    if (isEnd && last && start < text.length) pass(last);
    this.text = text.slice(start);
    if (this.text.length > LONGEST_RECORD)
      throw new RecordError(`it has more than ${LONGEST_RECORD} characters; a quote may not be closed`);
  }

  private rowOf(record: Cells): void {
    if (this.width !== 1 && isBlank(record)) {
      // Between rows of several cells it is none.
      if (this.width === 0) this.blanks++;
      return;
    }
    if (this.width === 0) {
      this.width = record.length;
      for (; this.width === 1 && this.blanks > 0; this.blanks--) this.passOn([""]);
    }
    this.passOn(record);
  }

  private passOn(record: Cells): void {
    if (record.length !== this.width)
      throw new RecordError(`it has ${record.length} cells, but the first record has ${this.width}`);
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
}
