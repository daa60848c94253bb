/** Sizes of tiles that replace those of the capabilities. No size changes a result. */
import { errorOf } from "../../ir/base/errors.ts";
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
}
const power = (least: number, most: number): Range => ({ least, most, isPower: true });

/** The sizes that lowerings accept, before the limits of the device. */
export const TILE_RANGES: Readonly<Record<keyof TileSize, Range>> = {
  workGroupSize: power(1, 1024),
  itemsPerWorkItem: power(1, 64),
  reducedPerWorkItem: power(1, 64),
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

/** A range in words. */
export const rangeText = ({ least, most, isPower }: Range): string =>
  `${isPower ? "a power of two" : "a whole number"} from ${least} to ${most}`;

function checkSizes(sizes: Readonly<Record<string, unknown>>, ranges: Readonly<Record<string, Range>>): void {
  for (const [name, value] of Object.entries(sizes)) {
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    const got = typeof value === "number" ? String(value) : typeof value;
    if (!range)
      throw errorOf("bad-argument", {
        what: "a size of tiles",
        want: Object.keys(ranges).join(", "),
        got: name,
      });
    if (value !== undefined && !isIn(value, range))
      throw errorOf("bad-argument", { what: `the tile size ${name}`, want: rangeText(range), got });
  }
}

/**
 * The capabilities with the sizes.
 * @throws GroupwiseError `bad-argument`, `work-group-too-large`
 */
export function withTiles(capabilities: Capabilities, { tile, lookBack }: Tiles): Capabilities {
  if (capabilities.execution !== "simt") return capabilities;
  const limit = capabilities.maxWorkGroupSize;
  const hasLookBack = !("unsupported" in capabilities.lookBack);
  for (const size of [tile?.workGroupSize, hasLookBack ? lookBack?.workGroupSize : undefined])
    if (size !== undefined && size > limit) throw errorOf("work-group-too-large", { size, limit });
  if (tile) checkSizes({ ...tile }, TILE_RANGES);
  if (lookBack) checkSizes({ ...lookBack }, LOOK_BACK_RANGES);
  return {
    ...capabilities,
    ...(tile && { tile }),
    ...(lookBack && hasLookBack && { lookBack: { ...(capabilities.lookBack as LookBack), ...lookBack } }),
  };
}
