/**
 * Digit counts of work-groups. The counts of all 16 digits are in four words of 8-bit fields, so that four
 * work-group collectives replace sixteen. A field holds at most 255, the number of items before an item of a
 * work-group of 256, and the number of items besides its first.
 */
import { type BoolValue, type Context, type Table, type U32Value, u32 } from "@groupwise/dsl";

/** Bits of a digit: each round of a selection processes this many. */
export const DIGIT_BITS = 4;
/** The number of digits; a word of counts holds four. */
export const DIGITS: number = 2 ** DIGIT_BITS;
/** Work-items of a work-group: one more than the maximum of a packed count. */
export const GROUP_SIZE = 256;

const FIELD = 255;

const inGroup = { scope: "work-group" } as const;

/** Where a digit is counted. */
const wordOf = (digit: U32Value): U32Value => digit.shr(2);
const shiftOf = (digit: U32Value): U32Value => digit.and(3).mul(8);

/** An item's own part of the counts. */
const oneIn = (digit: U32Value, word: number, isIn?: BoolValue): U32Value => {
  const isHere = wordOf(digit).eq(word);
  return (isIn ? isHere.and(isIn) : isHere).select(u32(1).shl(shiftOf(digit)), 0);
};

/** A digit's count. */
const fieldOf = (words: readonly U32Value[], digit: U32Value): U32Value => {
  const word = words.reduce((found, other, w) => wordOf(digit).eq(w).select(other, found));
  return word.shr(shiftOf(digit)).and(FIELD);
};

/** A work-group's digits in five words. */
export type GroupCounts = {
  readonly count0: U32Value;
  readonly count1: U32Value;
  readonly count2: U32Value;
  readonly count3: U32Value;
  /** The first item's digit, which is not in the counts; `DIGITS` if it is not counted. */
  readonly first: U32Value;
};

/** Counts the digits of each work-group. @param isIn the counted items; default: all */
export function countByDigit(digit: U32Value, context: Context, isIn?: BoolValue): GroupCounts {
  const isFirst = context.localIndex().eq(0);
  const others = isIn ? isIn.and(isFirst.not()) : isFirst.not();
  const count = (word: number): U32Value => oneIn(digit, word, others).reduce("add", inGroup);
  const own = isIn ? isIn.select(digit, DIGITS) : digit;
  const [count0, count1, count2, count3] = [count(0), count(1), count(2), count(3)];
  return { count0, count1, count2, count3, first: isFirst.select(own, 0).reduce("add", inGroup) };
}

/** The number of items of a work-group with a digit. */
export function countOf(
  counts: { readonly [K in keyof GroupCounts]: Table<"u32"> },
  digit: U32Value,
  group: U32Value,
): U32Value {
  const { count0, count1, count2, count3, first } = counts;
  const words = [count0, count1, count2, count3].map((word) => word.at(group));
  return fieldOf(words, digit).add(first.at(group).eq(digit).toU32());
}
