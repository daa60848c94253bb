/** Plots of results as SVG, without a browser. */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { TimedRow } from "../compare/result-file.ts";

/** What a plot shows of each row against the number of items. */
export interface Quantity {
  readonly title: string;
  readonly unit: string;
  readonly of: (row: TimedRow) => number | null | undefined;
  readonly isLogarithmic: boolean;
}

const WIDTH = 900;

/** Lines over the number of items, one for each name. Rows without the quantity are left out. */
export function linesOf(rows: readonly TimedRow[], { unit, of, isLogarithmic }: Quantity): string {
  const { document } = parseHTML("<html><body></body></html>");
  const points = rows.flatMap((row) => {
    const value = of(row);
    return typeof value === "number" && (value > 0 || !isLogarithmic) ? [{ ...row, value }] : [];
  });
  const marks = { x: "n", y: "value", z: "name", stroke: "name" } as const;
  const title = (row: TimedRow & { value: number }): string =>
    `${row.name} of ${row.n}: ${row.value.toPrecision(3)} ${unit}`;
  const plot = Plot.plot({
    document: document as unknown as Document,
    width: WIDTH,
    marginLeft: 60,
    x: { type: "log", base: 2, label: "items" },
    y: {
      type: isLogarithmic ? "log" : "linear",
      grid: true,
      label: unit,
      tickFormat: "~r",
      zero: !isLogarithmic,
    },
    color: { legend: true, scheme: "rainbow" },
    marks: [Plot.line(points, marks), Plot.dot(points, { ...marks, r: 2, title })],
  });
  return plot.outerHTML;
}
