/** Where arrays lie in memory. */

/** Sums of an index and a smaller number than this are constant offsets, so that the index may wrap to so far below 0. */
export const NEAR = 32;
/** The first byte that is used: the address of an index that wrapped, of elements of at most 8 bytes, is not below 0. */
export const FIRST: number = 8 * NEAR;

/** Arrays begin at multiples of it. */
const ALIGNMENT = 16;
/** Bytes from the place of an array to that of the next one. No array is as long, so that one without elements has an address. */
export const roomFor = (bytes: number): number => ALIGNMENT * Math.ceil((bytes + 1) / ALIGNMENT);
