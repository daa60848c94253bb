/** The sizes that tuning tries, those next to the default ones first. */
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import { LOOK_BACK_RANGES, TILE_RANGES, type Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import type { TunedKind } from "../tuning/tuning.ts";

/** The number of work-items below which a work-group leaves most of a GPU idle. */
const LEAST_GROUP = 64;
/** Items of a work-item: with more, none is known to be fast. */
const MOST_ITEMS = 32;
const MOST_ROWS = 16;
/** Numbers of work-groups, as shares of the default one; 33 / 32 of 512 is four work-groups for each of 132 cores. */
const GROUP_SHARES = [0.25, 0.5, 33 / 32, 2, 4] as const;

const powers = (least: number, most: number): number[] =>
  most < least ? [] : [least, ...powers(2 * least, most)];

/** The pairs, by the sum of the doublings between a pair and the first one. */
function near(
  sizes: readonly number[],
  counts: readonly number[],
  from: readonly [number, number],
): [number, number][] {
  const distance = ([size, count]: readonly [number, number]): number =>
    Math.abs(Math.log2(size / from[0])) + Math.abs(Math.log2(count / from[1]));
  const pairs = sizes.flatMap((size) => counts.map((count): [number, number] => [size, count]));
  return pairs.toSorted((a, b) => distance(a) - distance(b));
}

/** Sizes of the tiles of a kind of pipelines on a device. */
export function candidatesOf(capabilities: Capabilities, kind: TunedKind): readonly Tiles[] {
  const { maxWorkGroupSize, lookBack, tile } = capabilities;
  if (kind === "scan" && !("unsupported" in lookBack)) {
    const { workGroupSize, rows, groups } = lookBack;
    const most = Math.min(maxWorkGroupSize, LOOK_BACK_RANGES.workGroupSize.most);
    return near(powers(LEAST_GROUP, most), powers(1, MOST_ROWS), [workGroupSize, rows]).map(
      ([size, count]) => ({
        lookBack: { workGroupSize: size, rows: count, groups },
      }),
    );
  }
  const most = Math.min(maxWorkGroupSize, TILE_RANGES.workGroupSize.most);
  const items =
    kind === "reduce" ? (tile.reducedPerWorkItem ?? tile.itemsPerWorkItem) : tile.itemsPerWorkItem;
  const sizes = powers(Math.min(LEAST_GROUP, most), most);
  return near(sizes, powers(1, MOST_ITEMS), [tile.workGroupSize, items]).map(([workGroupSize, count]) => ({
    tile: { workGroupSize, itemsPerWorkItem: count, ...(kind === "reduce" && { reducedPerWorkItem: count }) },
  }));
}

/** More sizes, once the best of the others is known: numbers of work-groups of look-back. */
export function refinementsOf({ lookBack }: Tiles): readonly Tiles[] {
  if (!lookBack) return [];
  const { most } = LOOK_BACK_RANGES.groups;
  return GROUP_SHARES.map((share) => Math.min(most, Math.round(lookBack.groups * share)))
    .filter((groups) => groups > 0)
    .map((groups) => ({ lookBack: { ...lookBack, groups } }));
}
