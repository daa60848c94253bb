/** Numbers of items around boundaries. */
import type { Capabilities } from "@groupwise/core";
import type { Effort } from "./subject.ts";

const MOST: Readonly<Record<Effort, number>> = { quick: 5000, normal: 20_000, full: 140_000 };

/** Items of a tile of device-wide collectives. */
export function tileOf({ tile }: Capabilities): number {
  return tile.workGroupSize * tile.itemsPerWorkItem;
}

/** Around the work-group, around the tile, primes, several of both; smallest first. */
export function sizesOf(
  capabilities: Capabilities,
  workGroupSize: number,
  effort: Effort,
): readonly number[] {
  const w = workGroupSize;
  const t = tileOf(capabilities);
  const sizes = {
    quick: [0, 1, w - 1, w, w + 1, 257, t + 1],
    normal: [0, 1, 2, 3, w - 1, w, w + 1, 31, 3 * w + 5, 127, 257, 1009, t - 1, t, t + 1, 3 * t + 7],
    full: [65_537, 2 * t, 7 * t - 1, 64 * t + 1],
  };
  const list = effort === "full" ? [...sizes.normal, ...sizes.full] : sizes[effort];
  return [...new Set(list)].filter((n) => n >= 0 && n <= MOST[effort]).sort((a, b) => a - b);
}

/** Sizes for every kind of data: slightly more than one work-group, and several tiles. */
export function thoroughSizes(
  capabilities: Capabilities,
  workGroupSize: number,
  effort: Effort,
): ReadonlySet<number> {
  return new Set(effort === "quick" ? [257] : [workGroupSize + 1, 257, tileOf(capabilities) + 1]);
}

/** Work-group sizes: the least, odd ones, and common ones. */
export const WORK_GROUP_SIZES: Readonly<Record<Effort, readonly number[]>> = {
  quick: [7, 64],
  normal: [1, 7, 64, 100, 256],
  full: [1, 2, 7, 33, 64, 100, 127, 256, 1000],
};
