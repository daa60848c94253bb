/**
 * For authors of primitives and importers: the places of rows along an axis.
 * @module
 */
import type { U32Value } from "./values/value.ts";

type Count = number | U32Value;

/** Rows of an array of shape `[outer, length, inner]`, row-major, that lie along the axis in the middle. */
export interface RowShape {
  /** The number of items of a row. */
  readonly length: Count;
  /** The number of items between two neighbours of a row; default: rows lie one after another. */
  readonly inner?: Count | undefined;
}

/**
 * The item at a place of a row.
 * @category Authors
 */
export const itemAt = (row: U32Value, column: U32Value, { length, inner }: RowShape): U32Value =>
  inner === undefined
    ? row.mul(length).add(column)
    : row.div(inner).mul(length).add(column).mul(inner).add(row.rem(inner));

/**
 * The row of an item.
 * @category Authors
 */
export const rowOf = (item: U32Value, { length, inner }: RowShape): U32Value =>
  inner === undefined ? item.div(length) : item.div(inner).div(length).mul(inner).add(item.rem(inner));

/**
 * The place of an item in its row.
 * @category Authors
 */
export const columnOf = (item: U32Value, { length, inner }: RowShape): U32Value =>
  (inner === undefined ? item : item.div(inner)).rem(length);

/**
 * The logarithm of the lanes from row to row in a range of several. The order of floats is that of aligned blocks of 2^k items, so a row
 * that begins at a multiple of the next power of two combines as it does alone. Places are found by shifts.
 * @category Authors
 */
export const pitchOf = (length: number): number => Math.ceil(Math.log2(length));

/**
 * The row of a lane, of which each begins at a multiple of 2^pitch, and the place in it.
 * @category Authors
 */
export function placeOf(lane: U32Value, pitch: Count): { readonly row: U32Value; readonly column: U32Value } {
  const row = lane.shr(pitch);
  return { row, column: lane.sub(row.shl(pitch)) };
}
