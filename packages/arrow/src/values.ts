/** The arguments of a run of a document with bitmaps: views of the columns' buffers. */
import type { Checked, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import { type BitmapSlice, bitAt, onesOf, trimmed } from "./bits.ts";
import type { RecordChunk } from "./chunks.ts";
import type { ColumnSpan } from "./column.ts";
import type { Masked } from "./masked.ts";

/** A chunk of the range, with the tables of all chunks. */
interface Piece extends RecordChunk {
  readonly fixed: ReadonlyMap<string, ColumnSpan>;
  /** The number of its first item. */
  readonly first: number;
}

const WORD = 2 ** 32;
const NONE: BitmapSlice = { bytes: new Uint8Array(0), from: 0 };

/** Arrays of inputs and tables, bitmaps, and the first bit of each bitmap. */
export function valuesOf(
  masked: Masked,
  { inputs, tables }: Checked,
  { spans, fixed, first }: Piece,
): Readonly<Record<string, HostArray | number>> {
  const values: Record<string, HostArray | number> = {};
  const bitmaps = new Set(masked.bitmaps.map(({ table }) => table));
  for (const { name, type } of inputs) values[name] = arrayOf(spans.get(name), type);
  for (const { name, type } of tables) if (!bitmaps.has(name)) values[name] = arrayOf(fixed.get(name), type);
  for (const { of, holds, table, from } of masked.bitmaps) {
    const span = spans.get(of) ?? (fixed.get(of) as ColumnSpan);
    const own =
      (holds === "values" ? span.bits : span.valid) ?? (span.length > 0 ? onesOf(span.length) : NONE);
    const bits = trimmed(own, span.length);
    values[table] = bits.bytes;
    // Items count from the first of the whole range; the elements of a table count from 0.
    values[from] = spans.has(of) ? (bits.from + WORD - (first % WORD)) % WORD : bits.from;
  }
  return values;
}

/** The values of a span; those of a bool table, which are bits, as bytes. */
function arrayOf(span: ColumnSpan | undefined, type: Checked["inputs"][number]["type"]): HostArray {
  const { array } = arraySpec(type);
  if (span?.values) return span.values;
  const bytes = new array(span?.bits ? span.length : 0);
  const { bits } = span ?? {};
  if (bits) for (let i = 0; i < bytes.length; i++) bytes[i] = Number(bitAt(bits, i));
  return bytes;
}
