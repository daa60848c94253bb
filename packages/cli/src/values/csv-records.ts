/** The records of delimited text: RFC 4180, also with spaces around cells, and lines that end with CR, LF or both. */

const [TAB, LF, CR, SPACE, QUOTE] = [9, 10, 13, 32, 34] as const;

/** Bytes of the longest record. A quote that nothing closes makes one of the rest of a file. */
const LONGEST_RECORD = 2 ** 26;

/** The cells of a record. */
export interface Cells {
  readonly bytes: Uint8Array;
  /** Number of cells; a line without any has one, which is empty. */
  readonly count: number;
  /** Whether a line has nothing but spaces. */
  readonly isBlank: boolean;
  /** Where the bytes of a cell begin and end, without quotes and the spaces around it. */
  from(cell: number): number;
  to(cell: number): number;
  text(cell: number): string;
}

/** Where a scan is: before a cell, in one, in one with quotes, or after its closing quote. */
type State = "before" | "plain" | "quoted" | "closed";

/** Thrown for text that is no record. */
export class RecordError extends Error {}

/** Cuts text into records, from any pieces of it. */
export class Records implements Cells {
  bytes: Buffer = Buffer.alloc(0);
  count = 0;
  isBlank = false;
  private froms = new Int32Array(64);
  private tos = new Int32Array(64);
  private readonly delimiter: number;
  private readonly isRelaxed: boolean;
  private readonly take: (record: Cells) => void;
  private state: State = "before";
  /** Where the record and the cell begin, the closing quote, and the next byte. */
  private first = 0;
  private start = 0;
  private close = 0;
  private at = 0;
  private isAfterCr = false;

  /**
   * @param delimiter a byte
   * @param isRelaxed a quote within a cell is a character
   * @param take is called with each record, which is valid until it returns
   */
  constructor(delimiter: number, isRelaxed: boolean, take: (record: Cells) => void) {
    this.delimiter = delimiter;
    this.isRelaxed = isRelaxed;
    this.take = take;
  }

  from(cell: number): number {
    return this.froms[cell] as number;
  }

  to(cell: number): number {
    return this.tos[cell] as number;
  }

  text(cell: number): string {
    const from = this.from(cell);
    const text = this.bytes.toString("utf8", from, this.to(cell));
    return this.bytes[from - 1] === QUOTE && text.includes('"') ? text.replaceAll('""', '"') : text;
  }

  /** @throws RecordError */
  push(piece: Uint8Array): void {
    const { first } = this;
    const rest = this.bytes.subarray(first);
    if (rest.length > LONGEST_RECORD)
      throw new RecordError(`it has more than ${LONGEST_RECORD} bytes; a quote may not be closed`);
    this.bytes = Buffer.concat([rest, piece]);
    this.at -= first;
    this.start -= first;
    this.close -= first;
    for (let i = 0; i < this.count; i++) {
      this.froms[i] = this.from(i) - first;
      this.tos[i] = this.to(i) - first;
    }
    this.first = 0;
    this.scan();
  }

  /** The last line needs no line break. @throws RecordError */
  end(): void {
    if (this.state === "quoted") throw new RecordError("the quote of a cell is not closed");
    if (this.count > 0 || this.state !== "before") this.endRecord(this.bytes.length);
  }

  private scan(): void {
    const { bytes, delimiter } = this;
    // Most bytes are digits, points and signs, which are beyond all that end a cell.
    const last = Math.max(delimiter, QUOTE);
    for (; this.at < bytes.length; this.at++) {
      if (this.state === "quoted") this.toClosing();
      else if (this.state === "plain") {
        let { at } = this;
        while ((bytes[at] as number) > last) at++;
        this.at = at;
      }
      if (this.at === bytes.length) return;
      this.step(bytes[this.at] as number);
    }
  }

  /** Goes to the next quote. */
  private toClosing(): void {
    const found = this.bytes.indexOf(QUOTE, this.at);
    this.at = found < 0 ? this.bytes.length : found;
  }

  private step(byte: number): void {
    const { state, at } = this;
    if (byte === LF && this.isAfterCr && this.first === at) this.first = at + 1;
    else if (state === "quoted") {
      this.state = "closed";
      this.close = at;
    } else if (byte === this.delimiter) this.endCell(at);
    else if (byte === LF || byte === CR) this.endRecord(at);
    else if (byte === QUOTE && state === "before") this.begin("quoted", at + 1);
    else if (byte === QUOTE && state === "closed" && this.close === at - 1) this.state = "quoted";
    else if (byte === QUOTE || (byte !== SPACE && byte !== TAB)) this.character(byte, at);
    this.isAfterCr = byte === CR;
  }

  private begin(state: State, start: number): void {
    this.state = state;
    this.start = start;
  }

  private character(byte: number, at: number): void {
    const { state, isRelaxed } = this;
    if (state === "before") this.begin("plain", at);
    else if (state === "closed" && isRelaxed) this.begin("plain", this.start - 1);
    else if (state === "closed") throw new RecordError("characters follow the closing quote of a cell");
    else if (byte === QUOTE && !isRelaxed)
      throw new RecordError("a quote is within a cell; write such a cell in quotes, and its own ones twice");
  }

  private endCell(at: number): void {
    const { bytes, count, state } = this;
    if (count === this.froms.length) this.grow();
    let to = state === "closed" ? this.close : at;
    const from = state === "before" ? at : this.start;
    if (state === "plain") while (bytes[to - 1] === SPACE || bytes[to - 1] === TAB) to--;
    this.froms[count] = from;
    this.tos[count] = to;
    this.count = count + 1;
    this.state = "before";
  }

  private endRecord(at: number): void {
    this.isBlank = this.count === 0 && this.state === "before";
    this.endCell(at);
    this.take(this);
    this.count = 0;
    this.first = at + 1;
  }

  private grow(): void {
    const longer = (of: Int32Array): Int32Array<ArrayBuffer> => {
      const all = new Int32Array(2 * of.length);
      all.set(of);
      return all;
    };
    this.froms = longer(this.froms);
    this.tos = longer(this.tos);
  }
}

/** The record of a line without a cell. */
export const BLANK: Cells = {
  bytes: new Uint8Array(),
  count: 1,
  isBlank: true,
  from: () => 0,
  to: () => 0,
  text: () => "",
};
