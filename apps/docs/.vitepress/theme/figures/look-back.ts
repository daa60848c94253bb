/** Which published aggregates a tile of a look-back scan reads. */

/** An aggregate that is published: of `radix ** level` tiles, from tile `index * radix ** level` on. */
export interface Slot {
  readonly level: number;
  readonly index: number;
}

/**
 * The slots that make the prefix of a tile, the earliest tiles first: on each level at most `radix - 1`.
 * @param radix tiles of a block; look-back uses 32
 */
export function readsOf(tile: number, radix: number): readonly Slot[] {
  const reads: Slot[] = [];
  for (let [level, number] = [0, tile]; number > 0; level++, number = Math.floor(number / radix)) {
    const first = number - (number % radix);
    reads.unshift(...Array.from({ length: number % radix }, (_, i) => ({ level, index: first + i })));
  }
  return reads;
}

/** All slots of a number of tiles, whole blocks only. The last tile of a block publishes the aggregate of the block. */
export function slotsOf(tiles: number, radix: number): readonly Slot[] {
  const slots: Slot[] = [];
  for (let [level, count] = [0, tiles]; count > 0; level++, count = Math.floor(count / radix))
    slots.push(...Array.from({ length: count }, (_, index) => ({ level, index })));
  return slots;
}
