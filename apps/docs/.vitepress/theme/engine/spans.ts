/** Many values as few spans, which a plot shows without leaving out the extremes. */
import type { ArrayType, HostArray } from "@groupwise/core";
import { arraySpec } from "@groupwise/core/target";
import type { Span } from "./messages.ts";

/** Spans of a plot, at most. */
export const MOST_SPANS = 256;

/** Values that are not finite are left out; a span of them alone has NaN. */
export function spansOf(type: ArrayType, array: HostArray): readonly Span[] {
  const { fromHost } = arraySpec(type);
  const length = Math.ceil(array.length / MOST_SPANS);
  return Array.from({ length: length && Math.ceil(array.length / length) }, (_, at) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const stored of array.subarray(at * length, (at + 1) * length) as Iterable<number | bigint>) {
      const value = Number(fromHost(stored));
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return { from: at * length, ...(low <= high ? { low, high } : { low: Number.NaN, high: Number.NaN }) };
  });
}
