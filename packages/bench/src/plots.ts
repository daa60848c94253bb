/** Plots of results as SVG, without a browser. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";

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
  const { document } = parseHTML("<html><body></body></html>");
  const text = ({ who, rate }: Bar): string => `${who} ${Math.round(rate).toLocaleString("en-US")}`;
  const place = { x: "rate", y: "who", fy: "name" } as const;
  const plot = Plot.plot({
    document: document as unknown as Document,
    width: WIDTH,
    height: 20 * bars.length + 50,
    marginLeft: 150,
    marginRight: 112,
    style: { background: "#fff", color: "#222", fontSize: "12px" },
    x: { label: "GB/s", grid: true, axis: "both" },
    y: { axis: null, domain: [...new Set(bars.map(({ who }) => who))] },
    fy: { label: null, axis: "left", padding: 0.25 },
    marks: [
      Plot.barX(bars, { ...place, fill: ({ who }: Bar) => (who === own ? OWN : OTHERS) }),
      Plot.text(bars, { ...place, text, textAnchor: "start", dx: 4 }),
    ],
  });
  return plot.outerHTML.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
}
