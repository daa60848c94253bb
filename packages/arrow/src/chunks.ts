/** Columns in chunks that end at the same items, and columns in one piece. */
import type { HostArray } from "@groupwise/core";
import { type BitmapSlice, joinBits, onesOf } from "./bits.ts";
import type { Column, ColumnSpan } from "./column.ts";

/** The same items of every column. */
export interface RecordChunk {
  readonly length: number;
  /** By the name of the column. */
  readonly spans: ReadonlyMap<string, ColumnSpan>;
}

const EMPTY: ColumnSpan = { length: 0 };

/** A part of a span; nothing is copied. */
function partOf({ values, bits, valid }: ColumnSpan, from: number, to: number): ColumnSpan {
  return {
    length: to - from,
    ...(values && { values: values.subarray(from, to) as HostArray }),
    ...(bits && { bits: { ...bits, from: bits.from + from } }),
    ...(valid && { valid: { ...valid, from: valid.from + from } }),
  };
}

/** The ends of the spans of a column. */
function endsOf({ spans }: Column): number[] {
  let end = 0;
  return spans.map(({ length }) => (end += length));
}

/**
 * Columns of one length, cut at every item where one of them is cut. No values are copied. There is at least one chunk.
 * @param columns of one length
 */
export function chunksOf(columns: readonly Column[]): readonly RecordChunk[] {
  const ends = [...new Set(columns.flatMap(endsOf))].sort((a, b) => a - b);
  const cursors = columns.map(() => ({ span: 0, start: 0 }));
  let from = 0;
  const chunks = ends.map((to): RecordChunk => {
    const spans = columns.map((column, i): [string, ColumnSpan] => {
      const cursor = cursors[i] as { span: number; start: number };
      const span = column.spans[cursor.span] as ColumnSpan;
      const part = partOf(span, from - cursor.start, to - cursor.start);
      if (to === cursor.start + span.length) Object.assign(cursor, { span: cursor.span + 1, start: to });
      return [column.name, part];
    });
    const length = to - from;
    from = to;
    return { length, spans: new Map(spans) };
  });
  const none = { length: 0, spans: new Map(columns.map(({ name }) => [name, EMPTY])) };
  return chunks.length > 0 ? chunks : [none];
}

/** The column in one span: a copy if it has several. */
export function joined({ spans, length }: Column): ColumnSpan {
  const [only = EMPTY, ...more] = spans;
  if (more.length === 0) return only;
  const bitsIn = (of: (span: ColumnSpan) => BitmapSlice): BitmapSlice =>
    joinBits(spans.map((span) => ({ ...of(span), length: span.length })));
  const hasNulls = spans.some(({ valid }) => valid);
  return {
    length,
    ...(only.values && { values: concatenated(spans, length) }),
    ...(only.bits && { bits: bitsIn(({ bits }) => bits as BitmapSlice) }),
    ...(hasNulls && { valid: bitsIn((span) => span.valid ?? onesOf(span.length)) }),
  };
}

function concatenated(spans: readonly ColumnSpan[], length: number): HostArray {
  const first = spans[0]?.values as HostArray;
  const all = new (first.constructor as new (length: number) => HostArray)(length);
  let at = 0;
  for (const { values, length: own } of spans) {
    all.set(values as never, at);
    at += own;
  }
  return all;
}
