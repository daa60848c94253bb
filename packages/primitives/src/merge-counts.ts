import type { DeviceCount } from "@groupwise/core";
import { param, pipeline, table, u32 } from "@groupwise/dsl";
import { CAPACITY } from "./base/arguments.ts";
import { countsToOffsets } from "./base/offsets.ts";
import { type Primitive, primitive } from "./base/primitive.ts";

/**
 * Each segment's number at the slot where the segment begins, 0 elsewhere; empty segments write nothing.
 * Slots from `capacity` on are dropped.
 */
const mark = /*@__PURE__*/ pipeline(
  "mark-segments",
  { counts: u32, capacity: param(u32) },
  ({ counts, capacity }, { index }) => {
    const { offsets, total } = countsToOffsets({ counts });
    const to = counts.scanExclusive("add");
    const where = counts.ne(0).and(to.lt(capacity));
    return { offsets, total, marks: index().scatter({ to, where, capacity }) };
  },
);
/** Each item takes the last mark at or before it, and its rank from the beginning of the segment. */
const spread = /*@__PURE__*/ pipeline(
  "spread-segments",
  { marks: u32, offsets: table(u32) },
  ({ marks, offsets }, { index }) => {
    const segments = marks.scanInclusive("max");
    return { segments, ranks: index().sub(offsets.at(segments)) };
  },
);

/**
 * Consecutive segments of given sizes: the beginning of each, the segment of each item, and its rank in the
 * segment. This turns m tasks of different sizes into the items of one range.
 *
 * `counts`: m segments, possibly empty. `offsets`: m + 1 numbers, as in {@link countsToOffsets}. `segments`,
 * `ranks`: `capacity` items, of which `total[0]` are valid; if there are more, the first `capacity`. Sums are
 * modulo 2^32. For no segments: none, `[0]` and 0. Two steps; the number of items stays on the device.
 *
 * Source: scatter and scan of maxima, as in Merrill, Garland, Grimshaw, "Scalable GPU graph traversal" (2012), 5.
 */
export const mergeCounts: Primitive<
  { readonly counts: "u32" },
  { readonly offsets: "u32"; readonly segments: "u32"; readonly ranks: "u32"; readonly total: "u32" },
  { readonly capacity: number }
> = /*@__PURE__*/ primitive("merge-counts", {
  inputs: { counts: "u32" },
  outputs: { offsets: "u32", segments: "u32", ranks: "u32", total: "u32" },
  pipelines: { mark, spread },
  numbers: { capacity: CAPACITY },
  counts: { segments: "total", ranks: "total" },
  lengths: ({ counts }, { capacity }: { readonly capacity: number }) => ({
    offsets: counts + 1,
    segments: capacity,
    ranks: capacity,
    total: 1,
  }),
  steps: (steps, { counts, offsets, segments, ranks, total }, { items }, { capacity }) => {
    const marks = steps.array("u32", capacity);
    steps.run("mark", { counts, capacity, offsets, total, marks }, { n: items });
    const n: DeviceCount = { count: total, max: capacity };
    steps.run("spread", { marks, offsets, segments, ranks }, { n });
  },
});
