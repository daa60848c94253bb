/** Segments by offsets, possibly empty: shared by reduces, scans and sparse matrices. */
import type { DeviceArray, PipelineSource } from "@groupwise/core";
import {
  bool,
  type ParamType,
  type PipelineDefinition,
  param,
  pipeline,
  type Scatter,
  select,
  type Table,
  type TableType,
  table,
  type U32Value,
  u32,
} from "@groupwise/dsl";
import type { RecordMonoid } from "./monoid.ts";
import type { Items, Steps } from "./primitive.ts";

/**
 * True for the first item of each non-empty segment: turns offsets into flags for the option `segments` of scans.
 *
 * A range of m segments; `offsets`: m + 1 numbers; `starts`: `items` flags.
 */
export const markStarts: PipelineDefinition<
  { readonly offsets: TableType<"u32">; readonly items: ParamType<"u32"> },
  { readonly starts: Scatter<"bool"> }
> = /*@__PURE__*/ pipeline(
  "mark-starts",
  { offsets: table(u32), items: param(u32) },
  ({ offsets, items }, { index }) => {
    const [from, to] = [offsets.at(index()), offsets.at(index().add(1))];
    return {
      starts: bool(true)
        .perItem()
        .scatter({ to: from, where: from.lt(to), capacity: items }),
    };
  },
);

/** The scan of a segment at its last item; the identity for an empty segment. A range of m segments. */
export function takeEnds(monoid: RecordMonoid): PipelineSource {
  const sums = Object.entries(monoid.types("sums")).map(([name, type]) => [name, table(type)] as const);
  const inputs = { offsets: table(u32), ...Object.fromEntries(sums) };
  return pipeline(`take-ends-${monoid.name}`, inputs, ({ offsets, ...tables }, { index }) => {
    const [from, to] = [offsets.at(index()), offsets.at(index().add(1))];
    const identity = monoid.columns("sums", monoid.identity);
    const ends = Object.entries(tables).map(([name, sum]) => {
      const [end, empty] = [(sum as Table<"u32">).at(to.sub(1)), identity[name] as U32Value];
      return [name.replace("sums", "results"), select(from.lt(to), end, empty)] as const;
    });
    return Object.fromEntries(ends);
  });
}

/** The number of segments in `offsets`. */
export const segmentsIn = (offsets: number): number => Math.max(0, offsets - 1);

/** What is wrong with offsets that the step after these refuses, and what to do. */
export const PAST_ITEMS: readonly [string, string] = [
  "a segment begins past the items",
  "pass `offsets` that do not descend, of at most the number of items",
];

/** Adds the step that turns offsets into flags, and returns the flags. */
export function startsOf(
  steps: Steps<{ readonly mark: typeof markStarts }>,
  offsets: DeviceArray<"u32">,
  { n }: Items,
): DeviceArray<"bool"> {
  const starts = steps.array("bool", n);
  steps.run("mark", { offsets, items: n, starts }, { n: segmentsIn(offsets.length) });
  return starts;
}
