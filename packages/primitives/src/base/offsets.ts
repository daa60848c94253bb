import {
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  type U32Value,
  u32,
} from "@groupwise/dsl";

/**
 * The beginnings and ends of segments, from their numbers of items.
 *
 * `counts`: m segments. `offsets`: m + 1 numbers, segment s being the items from `offsets[s]` up to
 * `offsets[s + 1]`. `total`: the number of items. For no segments: `[0]`, and 0. Sums are modulo 2^32.
 */
export const countsToOffsets: PipelineDefinition<
  { readonly counts: ScalarType<"u32"> },
  { readonly offsets: Scatter<"u32">; readonly total: U32Value }
> = /*@__PURE__*/ pipeline("counts-to-offsets", { counts: u32 }, ({ counts }, { index, size }) => {
  const { scan, total } = counts.scanWithTotal("add");
  return { offsets: scan.scatter({ to: index().add(1), capacity: size().add(1) }), total };
});
