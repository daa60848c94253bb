/** Columns of CSV files, read through the index that `csv-index.ts` builds. */
import { fieldAt, type Index, indexOf, width } from "../csv-index.ts";
import { oneLine, type Session } from "./program.ts";

/** A table whose first row contains headings. */
export interface Columns {
  /** The headings. */
  readonly names: readonly string[];
  /** The rows below the headings. */
  readonly length: number;
  /** @throws Error where no column has the name */
  texts(name: string): readonly string[];
  /** @throws Error where no column has the name, or a field is no number */
  numbers(name: string): Float32Array<ArrayBuffer>;
  /** A row as one line. */
  row(index: number): string;
}

export async function columnsOf({ runtime, bytes }: Session): Promise<Columns> {
  const index: Index = await indexOf(runtime, bytes);
  const fields = (row: number): string[] =>
    Array.from({ length: width(index, row) }, (_, i) => fieldAt(index, row, i));
  const headings = fields(0);
  const length = Math.max(index.rows.length - 1, 0);
  const texts = (name: string): string[] => {
    const column = headings.indexOf(name);
    if (column < 0) throw new Error(`there is no column ${name}; there are: ${headings.join(", ")}`);
    return Array.from({ length }, (_, row) => fieldAt(index, row + 1, column));
  };
  return {
    names: headings,
    length,
    texts,
    numbers: (name) =>
      Float32Array.from(texts(name), (text, row) => {
        const value = Number(text);
        if (text.trim() !== "" && !Number.isNaN(value)) return value;
        throw new Error(`row ${row + 1}: ${JSON.stringify(text)} in the column ${name} is not a number`);
      }),
    row: (row) => oneLine(fields(row + 1)),
  };
}
