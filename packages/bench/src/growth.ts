/** Time an item by length: where it rises above the least of a shorter length. */

import type { DeviceInfo } from "@groupwise/core";
import { place } from "./measure/surroundings.ts";
import type { PrimitiveTimes } from "./primitives.ts";
import { itemsText, markdownTable, textTable } from "./print/tables.ts";

/** A length, with nanoseconds an item: the least of the samples, which other programs of a machine prolong the least. */
export interface GrowthPoint {
  readonly n: number;
  readonly ns: number;
}

/** The times of a primitive, by ascending length. */
export interface GrowthLine {
  readonly name: string;
  readonly points: readonly GrowthPoint[];
  /** Why the next length was not measured. */
  readonly end?: string;
}

export interface Growth extends Pick<PrimitiveTimes, "surroundings" | "clock"> {
  readonly device: DeviceInfo;
  readonly lines: readonly GrowthLine[];
}

/** A length at which an item takes over {@link RISE} of its time at a shorter one. */
export interface Rise {
  readonly name: string;
  readonly n: number;
  /** The shorter length at which an item takes the least time. */
  readonly least: number;
  /** Time an item over that at `least`. */
  readonly ratio: number;
}

export const RISE = 1.1;

export const risesOf = (lines: readonly GrowthLine[]): readonly Rise[] =>
  lines.flatMap(({ name, points }) => {
    const rises: Rise[] = [];
    let [least] = points;
    for (const point of points) {
      if (!least || point.ns <= least.ns) least = point;
      else if (point.ns > RISE * least.ns)
        rises.push({ name, n: point.n, least: least.n, ratio: point.ns / least.ns });
    }
    return rises;
  });

/** Five significant digits, so that files are short. */
const short = (value: number): number => Number(value.toPrecision(5));

/** The lines of a result of `primitives`. */
export function growthOf({ surroundings, clock, device, rows, ends = [] }: PrimitiveTimes): Growth {
  const names = [...new Set(rows.map(({ primitive }) => primitive))];
  const lines = names.map((name): GrowthLine => {
    const own = rows.filter(({ primitive }) => primitive === name).sort((a, b) => a.n - b.n);
    const end = ends.find(({ primitive }) => primitive === name);
    const points = own.map(({ n, leastMs }) => ({ n, ns: short((leastMs * 1e6) / n) }));
    return { name, points, ...(end && { end: `${itemsText(end.n)}: ${end.why}` }) };
  });
  return { surroundings, clock, device, lines };
}

/** A row for each primitive, a column for each length; rises are marked with their ratio. */
export function printGrowth({ surroundings, clock, device, lines }: Growth, isMarkdown: boolean): string {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ n }) => n)))].sort((a, b) => a - b);
  const rises = risesOf(lines);
  const cell = ({ name, points }: GrowthLine, n: number): string => {
    const rise = rises.find((one) => one.name === name && one.n === n);
    const text = points.find((one) => one.n === n)?.ns.toPrecision(3) ?? "";
    return rise ? `${text} ×${rise.ratio.toFixed(2)}` : text;
  };
  return `${[
    `${isMarkdown ? "# " : ""}Growth`,
    `Nanoseconds an item, of the quickest sample, on ${device.name} (${device.target}, ${device.driver}), by the ${clock}'s clock; × marks an item that takes over ${RISE} of its least time at a shorter length.\n${place(surroundings)}`,
    (isMarkdown ? markdownTable : textTable)([
      ["primitive", ...sizes.map(itemsText), "end"],
      ...lines.map((line) => [line.name, ...sizes.map((n) => cell(line, n)), line.end ?? ""]),
    ]),
  ].join("\n\n")}\n`;
}
