/** Sizes of tiles that replace those of the capabilities. No size changes a result. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { textOf } from "@groupwise/ir/base/quote.js";
import type { Capabilities, LookBack, TileSize } from "./capabilities.ts";

/** The sizes of look-back that may be replaced. */
export type LookBackSize = Pick<LookBack, "workGroupSize" | "rows" | "groups">;

/** Sizes in the place of those of the capabilities. Implementations without work-groups ignore them. */
export interface Tiles {
  /** Of passes that do not look back. */
  readonly tile?: TileSize;
  /** Of look-back; ignored where the implementation has none. */
  readonly lookBack?: LookBackSize;
}

/** A size, its limits, and whether it is a power of two. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly isPower: boolean;
  readonly isOptional?: true;
}
const power = (least: number, most: number): Range => ({ least, most, isPower: true });

/** The sizes that lowerings accept, before the limits of the device. */
export const TILE_RANGES: Readonly<Record<keyof TileSize, Range>> = {
  workGroupSize: power(1, 1024),
  itemsPerWorkItem: power(1, 64),
  reducedPerWorkItem: { ...power(1, 64), isOptional: true },
};
/** The sizes of look-back that lowerings accept, before the limits of the device. */
export const LOOK_BACK_RANGES: Readonly<Record<keyof LookBackSize, Range>> = {
  workGroupSize: power(32, 1024),
  rows: power(1, 32),
  groups: { least: 1, most: 65535, isPower: false },
};

/** Whether a number is in a range of sizes. */
export const isIn = (value: unknown, { least, most, isPower }: Range): value is number =>
  Number.isInteger(value) &&
  (value as number) >= least &&
  (value as number) <= most &&
  (!isPower || Number.isInteger(Math.log2(value as number)));

/** The sizes that ranges name. */
function checked<T extends object>(sizes: T, ranges: Readonly<Record<string, Range>>): T {
  const read = Object.entries(ranges).map(([name, range]) => {
    const got = (sizes as Readonly<Record<string, unknown>>)[name];
    const { least, most, isPower, isOptional } = range;
    if (!isIn(got, range) && !(isOptional && got === undefined)) {
      const want = `a ${isPower ? "power of two" : "whole number"} from ${least} to ${most}`;
      throw errorOf("bad-argument", { what: `the tile size ${name}`, want, got: textOf(got) });
    }
    return [name, got];
  });
  return Object.fromEntries(read.filter(([, size]) => size !== undefined)) as T;
}

/** Measured sizes are those of a type, so they replace those of each kind too. */
function replaced({ kinds = {}, ...known }: LookBack, sizes: LookBackSize): LookBack {
  const { workGroupSize, rows } = sizes;
  const sized = Object.entries(kinds).map(([kind, tiles]) => [kind, { ...tiles, workGroupSize, rows }]);
  return { ...known, ...sizes, kinds: Object.fromEntries(sized) };
}

/**
 * The capabilities with the sizes.
 * @throws GroupwiseError `bad-argument`, `work-group-too-large`
 */
export function withTiles(capabilities: Capabilities, { tile, lookBack }: Tiles): Capabilities {
  if (capabilities.execution !== "simt") return capabilities;
  const { maxWorkGroupSize: limit, lookBack: known } = capabilities;
  const own = tile && { tile: checked(tile, TILE_RANGES) };
  const looking = lookBack && checked(lookBack, LOOK_BACK_RANGES);
  const found = looking && !("unsupported" in known) ? { lookBack: replaced(known, looking) } : undefined;
  const size = Math.max(own?.tile.workGroupSize ?? 0, found?.lookBack.workGroupSize ?? 0);
  if (size > limit) throw errorOf("work-group-too-large", { size, limit });
  return { ...capabilities, ...own, ...found };
}
