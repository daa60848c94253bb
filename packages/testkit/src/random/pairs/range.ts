/** Ranges around the sides of a work-group, in one, two and three dimensions. */
import { itemsIn } from "@groupwise/core/target";
import type { Random } from "../../data/random.ts";

/** The sides of a work-group and of a range. */
export interface GroupedRange {
  readonly workGroupSize: readonly number[];
  readonly globalSize: readonly number[];
  readonly globalOffset?: readonly number[];
}
const GROUPS: readonly (readonly number[])[] = [
  ...[[1], [2], [3], [4], [5], [7], [8], [16], [32], [64]],
  ...[
    [4, 2],
    [2, 3],
    [1, 4],
    [4, 4],
    [3, 1],
  ],
  ...[
    [2, 2, 2],
    [3, 1, 2],
    [1, 1, 3],
    [4, 2, 1],
  ],
];
const LARGE = 130;
/**
 * A random work-group, and a range around multiples of it: empty, of one item, of a work-group with one item less or more.
 * @param long the part of ranges of one dimension that are longer
 */
export function shapeOf(random: Random, long: number = 0.03): GroupedRange {
  const workGroupSize = random.pick(GROUPS);
  const isLong = workGroupSize.length === 1 && random.chance(long);
  const side = (w: number): number =>
    random.pick([
      1,
      w - 1,
      w,
      w + 1,
      2 * w,
      2 * w + 1,
      3 * w,
      random.int(1, 13),
      random.chance(0.3) ? 0 : w + 2,
    ]);
  let globalSize = isLong ? [random.pick([257, 513, 1025, 2100])] : workGroupSize.map(side);
  while (!isLong && itemsIn(globalSize) > LARGE) globalSize = globalSize.map((x) => x >> 1);
  const offset = (x: number): number =>
    random.pick([0, 1, 7, 1000, 2 ** 32 - Math.max(1, x), random.int(0, 2 ** 31)]);
  const globalOffset = random.chance(0.3) ? { globalOffset: globalSize.map(offset) } : {};
  return { workGroupSize, globalSize, ...globalOffset };
}
