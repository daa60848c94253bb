/**
 * Covers: the maximal aligned power-of-two blocks of a range, in order, with the total of each. The total of a block is fixed by its
 * position (T of docs/decisions/float-order.md), so joining adjacent covers is exactly associative, even if the operator rounds.
 */
import type { ScalarValue } from "@groupwise/ir/tables/scalar.js";

/** One value for each field of the operator. */
export type Total = readonly ScalarValue[];
/** Combines the total of the earlier items with that of the later ones. */
export type Combine = (left: Total, right: Total) => Total;

/** The items from `start` to `start + 2^level`; the start is a multiple of that length. */
export interface Block {
  readonly start: bigint;
  readonly level: number;
  readonly total: Total;
}

/** A block without its total. */
export type BlockExtent = Pick<Block, "start" | "level">;

/** The first item after a block. */
export const endOf = ({ start, level }: BlockExtent): bigint => start + (1n << BigInt(level));

const areSiblings = (left: BlockExtent, right: BlockExtent): boolean =>
  left.level === right.level && ((left.start >> BigInt(left.level)) & 1n) === 0n;

/** Appends a block to a cover; two blocks that are halves of a larger one are combined. */
export function append(cover: readonly Block[], block: Block, combine: Combine): Block[] {
  const blocks = [...cover];
  let last = block;
  for (let before = blocks.at(-1); before && areSiblings(before, last); before = blocks.at(-1)) {
    blocks.pop();
    last = { start: before.start, level: before.level + 1, total: combine(before.total, last.total) };
  }
  blocks.push(last);
  return blocks;
}

/** The cover of two adjacent ranges. */
export function joinCovers(left: readonly Block[], right: readonly Block[], combine: Combine): Block[] {
  return right.reduce<Block[]>((cover, block) => append(cover, block, combine), [...left]);
}

/** The prefix that ends with a cover that begins at item 0: its totals from left to right; undefined over no items. */
export function foldCover(cover: readonly Block[], combine: Combine): Total | undefined {
  return cover.reduce<Total | undefined>(
    (sum, { total }) => (sum === undefined ? total : combine(sum, total)),
    undefined,
  );
}

/** The blocks of the cover of a range, without totals. */
export function extentsOf(from: bigint, to: bigint): BlockExtent[] {
  const extents: BlockExtent[] = [];
  for (let start = from; start < to; ) {
    let level = 0;
    while ((start & ((2n << BigInt(level)) - 1n)) === 0n && start + (2n << BigInt(level)) <= to) level++;
    extents.push({ start, level });
    start += 1n << BigInt(level);
  }
  return extents;
}
