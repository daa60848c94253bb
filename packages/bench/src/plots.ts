/** Plots of results as SVG, without a browser. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { type GrowthLine, risesOf } from "./growth.ts";
import { itemsText } from "./print/tables.ts";

/** A rate of a job, and who has it. */
export interface Bar {
  readonly name: string;
  readonly who: string;
  /** GB/s. */
  readonly rate: number;
}

const WIDTH = 688;
const OWN = "#3a5ccc";
const OTHERS = "#b3bac7";

/** Bars below each other for each name: those of `own` in a colour, each with its number. One file, on white. */
export function barsOf(bars: readonly Bar[], own: string): string {
  const text = ({ who, rate }: Bar): string => `${who} ${Math.round(rate).toLocaleString("en-US")}`;
  const place = { x: "rate", y: "who", fy: "name" } as const;
  return svgOf({
    height: 20 * bars.length + 50,
    marginLeft: 150,
    marginRight: 112,
    x: { label: "GB/s", grid: true, axis: "both" },
    y: { axis: null, domain: [...new Set(bars.map(({ who }) => who))] },
    fy: { label: null, axis: "left", padding: 0.25 },
    marks: [
      Plot.barX(bars, { ...place, fill: ({ who }: Bar) => (who === own ? OWN : OTHERS) }),
      Plot.text(bars, { ...place, text, textAnchor: "start", dx: 4 }),
    ],
  });
}

const COLUMNS = 3;
const RISING = "#c8321f";
const TICKS = [2 ** 10, 2 ** 15, 2 ** 20, 2 ** 25];

/**
 * A plot for each primitive, of nanoseconds an item by number of items, both in powers; a dot where an item takes longer than at a shorter
 * length.
 */
export function growthCurves(lines: readonly GrowthLine[]): string {
  const rises = risesOf(lines);
  const points = lines.flatMap(({ name, points: own }, at) =>
    own.map(({ n, ns }) => {
      const isRise = rises.some((rise) => rise.name === name && rise.n === n);
      return { n, ns, isRise, fx: at % COLUMNS, fy: Math.floor(at / COLUMNS) };
    }),
  );
  const titles = lines.map(({ name }, at) => ({ name, fx: at % COLUMNS, fy: Math.floor(at / COLUMNS) }));
  const at = { x: "n", y: "ns", fx: "fx", fy: "fy" } as const;
  const longest = Math.max(...points.map(({ n }) => n));
  return svgOf({
    height: 130 * Math.ceil(lines.length / COLUMNS) + 60,
    marginLeft: 44,
    x: {
      type: "log",
      ticks: TICKS.filter((n) => n <= longest),
      tickFormat: itemsText,
      label: "items",
      grid: true,
    },
    y: { type: "log", label: "ns an item", grid: true, ticks: 4, tickFormat: "~g" },
    fx: { axis: null, padding: 0.08 },
    fy: { axis: null, padding: 0.12 },
    marks: [
      Plot.frame({ stroke: "#ddd" }),
      Plot.line(points, { ...at, z: "fx", stroke: OWN }),
      Plot.dot(
        points.filter(({ isRise }) => isRise),
        { ...at, r: 3, fill: RISING },
      ),
      Plot.text(titles, { fx: "fx", fy: "fy", text: "name", frameAnchor: "top", dy: 3 }),
    ],
  });
}

function svgOf(options: Plot.PlotOptions): string {
  const { document } = parseHTML("<html><body></body></html>");
  const plot = Plot.plot({
    document: document as unknown as Document,
    width: WIDTH,
    style: { background: "#fff", color: "#222", fontSize: "12px" },
    ...options,
  });
  return plot.outerHTML.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
}
