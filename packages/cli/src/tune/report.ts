/** The report of `groupwise tune`. */
import type { Tiles } from "@groupwise/core/target";
import { type Excluded, gainOf, type TunedSize, type TuneReport } from "@groupwise/core/tuning";
import { table } from "../base/table.ts";

/** Sizes as words: `256 x 8`, work-items and items of each; of look-back `256 x 8 rows, 528 groups`. */
export function tilesText({ tile, lookBack }: Tiles): string {
  if (lookBack) return `${lookBack.workGroupSize} x ${lookBack.rows} rows, ${lookBack.groups} groups`;
  return tile ? `${tile.workGroupSize} x ${tile.reducedPerWorkItem ?? tile.itemsPerWorkItem}` : "default";
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const microseconds = (ms: number): string => (1000 * ms).toFixed(1);

const rowOf = ({ kind, type, n, default: usual, best, tiles, tried, left }: TunedSize): string[] => [
  kind,
  type,
  String(n),
  microseconds(usual.medianMs),
  microseconds(best.medianMs),
  tiles ? tilesText(tiles) : "default",
  tiles ? percent(gainOf(usual, best)) : "-",
  percent(Math.max(usual.spread, best.spread)),
  left > 0 ? `${tried} of ${tried + left}` : String(tried),
];

const HEADING = ["kind", "type", "items", "default µs", "best µs", "sizes", "gain", "spread", "tried"];

const excludedText = ({ kind, type, n }: TunedSize, { tiles, reason }: Excluded): string =>
  `excluded: ${tilesText(tiles)} for ${kind} of ${n} ${type}: ${reason}`;

/** Sizes that failed or whose results differ, types and lengths that the device does not support, and what there was no time for. */
export function notesOf({ sizes, skipped, leftOut }: TuneReport): string[] {
  const left = sizes.reduce((sum, one) => sum + one.left, 0);
  return [
    ...sizes.flatMap((one) => one.excluded.map((each) => excludedText(one, each))),
    ...skipped.map(({ kind, type, n, reason }) => `skipped: ${kind} of ${n} ${type}: ${reason}`),
    ...leftOut.map(({ kind, type, n }) => `left out: ${kind} of ${n} ${type}: pass a larger --seconds`),
    ...(left > 0 ? [`${left} sizes were not tried: pass a larger --seconds`] : []),
  ];
}

/** A table with a row for each kind, type and number of items. */
export const textOf = ({ tuning: { device }, clock, sizes }: TuneReport, file: string): string =>
  `${device.target}: ${device.hardware} (${device.driver}), by the ${clock}'s clock\n${table([
    HEADING,
    ...sizes.map(rowOf),
  ])}${file}\n`;
