/**
 * A bit for each item, which is 1 where a segment begins: one word of 32 items and its neighbours say where the segment of an item begins
 * and ends, if it has at most 32 items, and which items belong to longer segments.
 */
import type { PipelineSource } from "@groupwise/core";
import {
  type BoolValue,
  bits,
  compaction,
  param,
  pipeline,
  type Table,
  type TableType,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";

/** Items of a word, and the most items of a segment that its neighbours show. */
export const WORD = 32;

/** The bits of starts, and the offsets of segments, of which the first and the last are read. */
export interface Starts {
  readonly starts: Table<"u32">;
  readonly offsets: Table<"u32">;
}
export const STARTS: { readonly starts: TableType<"u32">; readonly offsets: TableType<"u32"> } = {
  starts: /*@__PURE__*/ table(u32),
  offsets: /*@__PURE__*/ table(u32),
};

/** A bit where each segment begins; an empty one has none. */
export const mark: PipelineSource = /*@__PURE__*/ pipeline(
  "sort-segments-mark",
  { offsets: table(u32), items: param(u32) },
  ({ offsets, items }, { index }) => {
    const [from, to] = [offsets.at(index()), offsets.at(index().add(1))];
    const where = from.lt(to);
    return { starts: bits(where).scatter({ to: from, where, capacity: items }) };
  },
);

/** Ones in the low bits: `count` of at most 32. */
export const lowBits = (count: U32Value): U32Value =>
  count.ge(WORD).select(0xffff_ffff, u32(1).shl(count.and(31)).sub(1));

/** The first item of all segments, and the one after the last. */
const rangeOf = ({ offsets }: Starts): readonly [U32Value, U32Value] => [
  offsets.at(0),
  offsets.at(offsets.length.max(1).sub(1)),
];

/** The words before, at and after a place; 0 outside. */
function wordsAt({ starts }: Starts, word: U32Value): readonly [U32Value, U32Value, U32Value] {
  const after = word.add(1);
  return [
    word.eq(0).select(u32(0), starts.at(word.max(1).sub(1))),
    starts.at(word),
    after.lt(starts.length).select(starts.at(after), 0),
  ];
}

/** The segment of an item. */
export interface Segment {
  readonly isInside: BoolValue;
  readonly from: U32Value;
  /** Of a segment of more than {@link WORD} items: more than that, but not always its length. */
  readonly length: U32Value;
}

/** The segment of an item. */
export function segmentOf(given: Starts, index: U32Value): Segment {
  const [word, bit] = [index.shr(5), index.and(31)];
  const [before, own, after] = wordsAt(given, word);
  const [first, end] = rangeOf(given);
  const base = word.mul(WORD);
  const upTo = own.and(lowBits(bit.add(1)));
  const next = own.shr(bit).shr(1);
  const from = upTo.ne(0).select(base.add(31).sub(upTo.clz()), base.sub(1).sub(before.clz()));
  const to = next.ne(0).select(index.add(1).add(next.ctz()), base.add(WORD).add(after.ctz()));
  return { isInside: index.ge(first).and(index.lt(end)), from, length: to.min(end).sub(from) };
}

/** Whether an item belongs to a segment of more than 32 items. */
export function isInLong(given: Starts, index: U32Value): BoolValue {
  const { isInside, length } = segmentOf(given, index);
  return isInside.and(length.gt(WORD));
}

/** The items of a word that belong to segments of more than 32 items, and whether such a one begins in it: at most one does. */
function longIn(given: Starts, word: U32Value): { readonly items: U32Value; readonly begins: BoolValue } {
  const [before, own, after] = wordsAt(given, word);
  const [first, end] = rangeOf(given);
  const base = word.mul(WORD);
  const afterEnd = base.add(WORD).add(after.ctz()).min(end);
  // The segment of the items before the first that begins here, and the last that does.
  const head = own.ctz();
  const headFrom = base.sub(1).sub(before.clz());
  const headEnd = own.eq(0).select(afterEnd, base.add(head).min(end));
  const isHeadLong = before.eq(0).or(headEnd.sub(headFrom).gt(WORD));
  const last = u32(31).sub(own.clz().min(31));
  const begins = own.ne(0).and(afterEnd.sub(base.add(last)).gt(WORD));
  const inside = lowBits(end.max(base).sub(base).min(WORD)).and(
    lowBits(first.max(base).sub(base).min(WORD)).not(),
  );
  const heads = isHeadLong.select(lowBits(head), 0);
  const tails = begins.select(lowBits(last).not(), 0);
  return { items: heads.or(tails).and(inside), begins };
}

/**
 * For each word: the items of long segments up to its end, and the long segments that begin up to there. `any`: all items if there are such
 * items up to the word's end, otherwise 0. The last elements are those of all words, without a pass of their own.
 */
export const findLong: PipelineSource = /*@__PURE__*/ pipeline(
  "sort-segments-find",
  { ...STARTS, items: param(u32) },
  (given, { index }) => {
    const { items, begins } = longIn(given, index());
    const counts = items.popcount().scanInclusive("add");
    return {
      counts,
      numbers: begins.toU32().scanInclusive("add"),
      any: counts.eq(0).select(u32(0), given.items),
    };
  },
);

/** Whether the segment of an item begins in its word. */
const isHere = ({ starts }: Pick<Starts, "starts">, index: U32Value): BoolValue =>
  starts
    .at(index.shr(5))
    .and(lowBits(index.and(31).add(1)))
    .ne(0);

/** The place of an item of a long segment among all such items: such a segment is the last that begins in a word, and the first in the next one. */
export function longPlace(given: Starts & { readonly counts: Table<"u32"> }, index: U32Value): U32Value {
  const [word, bit] = [index.shr(5), index.and(31)];
  const [, end] = rangeOf(given);
  const here = isHere(given, index);
  const later = end.sub(word.mul(WORD)).min(WORD).sub(bit);
  const count = given.counts.at(here.select(word, word.max(1).sub(1)));
  return here.select(count.sub(later), count.add(bit));
}

/** The items of long segments. Unlike a scatter to their places, a compaction clears nothing where there are none. */
export const listLong: PipelineSource = /*@__PURE__*/ pipeline(
  "sort-segments-list",
  STARTS,
  (given, { index }) => ({ order: index().scatter(compaction(isInLong(given, index()))) }),
);

/** The number of an item's segment among long ones. */
export function numberOf(
  given: { readonly [K in "starts" | "numbers"]: Table<"u32"> },
  index: U32Value,
): U32Value {
  const word = index.shr(5);
  return given.numbers.at(isHere(given, index).select(word, word.max(1).sub(1))).sub(1);
}
