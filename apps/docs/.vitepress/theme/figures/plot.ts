/** Values over their indexes: bars where each value has its own span, a band between lowest and highest where it has not. */
import * as Plot from "@observablehq/plot";
import type { Span } from "../engine/messages.ts";

/** Values whose bars are wide enough to count. */
const MOST_BARS = 64;
const COLOR = "var(--gw-plot, #3a5ccc)";

/** @param document where there is no page, what makes the elements */
export function plotOf(spans: readonly Span[], label: string, document?: Document): Element {
  const step = (spans[1]?.from ?? 1) - (spans[0]?.from ?? 0);
  const bars = spans.map(({ from, high }) => ({ from, to: from + 1, high }));
  const hasBars = step === 1 && spans.length <= MOST_BARS;
  return Plot.plot({
    ...(document && { document }),
    width: 640,
    height: 120,
    marginTop: 8,
    marginBottom: 22,
    marginLeft: 64,
    ariaLabel: label,
    style: { background: "transparent", fontSize: "12px" },
    x: { label: null, ticks: 5 },
    y: { label: null, ticks: 3, tickFormat: ".6~g", grid: true, zero: hasBars },
    marks: hasBars
      ? [Plot.rectY(bars, { x1: "from", x2: "to", y: "high", fill: COLOR, insetRight: 1 }), Plot.ruleY([0])]
      : [
          Plot.areaY(spans, {
            x: "from",
            y1: "low",
            y2: "high",
            fill: COLOR,
            stroke: COLOR,
            fillOpacity: 0.4,
          }),
        ],
  });
}
