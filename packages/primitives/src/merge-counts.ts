import type { DeviceCount } from "@groupwise/core";
import { param, pipeline, table, u32 } from "@groupwise/dsl";
import { countsToOffsets } from "./offsets.ts";
import { type Primitive, primitive } from "./primitive.ts";

/**
 * Each segment's number at the slot where the segment begins, 0 elsewhere; empty segments mark nothing. Slots from
 * `capacity` on are cut off.
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
/** Items take over the last mark, and count from where the segment began. */
const spread = /*@__PURE__*/ pipeline(
  "spread-segments",
  { marks: u32, offsets: table(u32) },
  ({ marks, offsets }, { index }) => {
    const segments = marks.scanInclusive("max");
    return { segments, ranks: index().sub(offsets.at(segments)) };
  },
);

/**
 * Segments of given sizes, one after the other: where each begins, which segment an item belongs to, and
 * which of the segment's items it is. Work of any size for each of m things becomes items of one range.
 *
 * `counts`: m segments, some perhaps empty. `offsets`: m + 1 numbers, as of {@link countsToOffsets}. `segments`,
 * `ranks`: room for `capacity` items, of which `total[0]` are valid; if there are more, the first `capacity`. Sums are
 * modulo 2^32. Of no segments: none, `[0]` and 0. Two steps; the number of items stays on the device.
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
