/**
 * Where the fields and rows of a CSV file begin, found by all items at once.
 *
 *   npm run example -- csv-index                      # a week of earthquakes
 *   npm run example -- csv-index FILE --target wgsl   # any file, on a GPU
 *
 * Why a scan: a comma ends a field only outside quotes, and whether it is outside depends on every byte before it. A parser
 * is a small state machine: a byte changes its state. A byte is therefore a function from states to states, and the
 * composition of two such functions is such a function again. Composition is associative, and not commutative. The exclusive
 * scan returns for every byte the state of the parser before it.
 *
 * Shapes: in, `text`, its bytes. Out, `ends`, one for each field, the index of the comma or line break
 * after it; `rows`, one for each row, the number of fields up to its end; and one of each: `fields`, `lines`,
 * and `open`, whether the text ends within quotes.
 *
 * Look at: a place such as "9 km E of Pāhala, Hawaii" is one field, including its comma, and every row has 22 fields.
 *
 * Source: Ladner, Fischer, "Parallel prefix computation" (1980), for the scan over the functions of a machine; Stehle,
 * Jacobsen, "ParPaRaw: massively parallel parsing of delimiter-separated raw data" (2020), for CSV. Quotes as in RFC 4180.
 */
import { operator, pipeline, select, u8, u32 } from "@groupwise/dsl";
import { oneLine, run, type Session } from "./support/program.ts";

const [QUOTE, COMMA, BREAK] = [0x22, 0x2c, 0x0a];

/** At the start of a field; in one without quotes; within quotes; after a quote that ends them, or is one of a pair. */
const [START, PLAIN, QUOTED, BEHIND] = [0, 1, 2, 3];
const STATES = [START, PLAIN, QUOTED, BEHIND] as const;

/** A function from states to states as one number: two bits for each state hold the next state. */
const leads = (...to: readonly number[]): number => to.reduce((bits, next, i) => bits | (next << (2 * i)), 0);

/** Functions of the machine, one after the other. */
export const reader = operator("csv_reader", u32, {
  identity: leads(START, PLAIN, QUOTED, BEHIND),
  combine: (first, then) =>
    STATES.map((state) => {
      const between = first.shr(2 * state).and(3);
      return then
        .shr(between.mul(2))
        .and(3)
        .shl(2 * state);
    }).reduce((bits, part) => bits.or(part)),
});

const csvIndex = pipeline("csv-index", { text: u8 }, ({ text }, { index }) => {
  const isBreak = text.eq(BREAK);
  const isSeparator = text.eq(COMMA).or(isBreak);
  // From:                     START   PLAIN   QUOTED  BEHIND
  const atQuote = u32(leads(QUOTED, PLAIN, BEHIND, QUOTED));
  const atSeparator = leads(START, START, QUOTED, START);
  const atOther = leads(PLAIN, PLAIN, QUOTED, PLAIN);
  const step = select(text.eq(QUOTE), atQuote, select(isSeparator, u32(atSeparator), atOther));

  // Every text begins at START, whose two bits are the lowest.
  const state = reader.scanExclusive(step).and(3);
  const isOutside = state.ne(QUOTED);
  const endsField = isSeparator.and(isOutside);
  const endsRow = isBreak.and(isOutside);

  const field = endsField.toU32().scanWithTotal("add");
  const row = endsRow.toU32().scanWithTotal("add");
  return {
    ends: index().scatter({ to: field.before, where: endsField, length: field.total }),
    rows: field.scan.scatter({ to: row.before, where: endsRow, length: row.total }),
    fields: field.total,
    lines: row.total,
    open: reader.reduce(step).and(3).eq(QUOTED),
  };
});
export default csvIndex;

/** The mark that Excel writes before UTF-8: before a quote it would begin a field without quotes. */
const MARK = [0xef, 0xbb, 0xbf];

/** The bytes of a text without a byte order mark, with a line break after the last row. */
export function elements(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = file.subarray(MARK.every((byte, i) => file[i] === byte) ? MARK.length : 0);
  const isClosed = bytes.length === 0 || bytes.at(-1) === BREAK;
  const text = new Uint8Array(bytes.length + (isClosed ? 0 : 1)).fill(BREAK);
  text.set(bytes);
  return text;
}

/** A text with its index: `rows` and `ends` as the pipeline returns them. */
export interface Index {
  readonly text: Uint8Array;
  readonly ends: Uint32Array;
  readonly rows: Uint32Array;
  readonly isOpen: boolean;
}

export async function indexOf(runtime: Session["runtime"], bytes: Uint8Array): Promise<Index> {
  const text = elements(bytes);
  const { ends, rows, fields, lines, open } = await run(runtime, csvIndex, { text });
  return { text, ends: ends.subarray(0, fields[0]), rows: rows.subarray(0, lines[0]), isOpen: open[0] === 1 };
}

/** The number of fields of a row. */
export const width = ({ rows }: Index, row: number): number => (rows[row] ?? 0) - (rows[row - 1] ?? 0);

/** The text of a field without its quotes. */
export function fieldAt({ text, ends, rows }: Index, row: number, column: number): string {
  const field = (rows[row - 1] ?? 0) + column;
  const raw = text.subarray(field === 0 ? 0 : (ends[field - 1] ?? 0) + 1, ends[field]);
  const content = new TextDecoder("utf-8", { ignoreBOM: field > 0 }).decode(raw).replace(/\r$/, "");
  return content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content;
}

export const source = "data/earthquakes.csv";

export async function main({ runtime, bytes, print }: Session): Promise<Index> {
  const index = await indexOf(runtime, bytes);
  const { text, ends, rows, isOpen } = index;
  const widths = new Set(Array.from(rows, (_, row) => width(index, row)));
  const commas = text.reduce((count, byte) => count + (byte === COMMA ? 1 : 0), 0);
  const separating = ends.length - rows.length;
  print(
    `${bytes.length} bytes: ${rows.length} rows, ${ends.length} fields, ${[...widths].join(" or ")} in a row`,
  );
  print(`${commas} commas: ${separating} end a field, ${commas - separating} stand within quotes`);
  if (isOpen) print("the text ends within quotes: something is missing, or a quote is one too many");
  for (let row = 0; row < Math.min(4, rows.length); row++) {
    const fields = Array.from({ length: Math.min(width(index, row), 16) }, (_, i) => fieldAt(index, row, i));
    print(`  row ${row}: ${oneLine(fields)}`);
  }
  return index;
}
