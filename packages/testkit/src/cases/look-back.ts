/** Pipelines for tests of scans in one pass: stalls, levels of slots, changing sizes. */
import type { Pipeline } from "@groupwise/core";
import { affine, f32, pipeline, u32 } from "@groupwise/dsl";

const options = { places: false } as const;

/** Floats whose bits show the order, and integers: two scans of one pass. */
export const sumsInOnePass: { readonly ir: Pipeline } = pipeline(
  "sums",
  { x: f32, u: u32 },
  ({ x, u }) => ({ upTo: x.scanInclusive("add"), before: u.scanExclusive("add") }),
  options,
);

/** Maps do not commute: a swapped operand shows. */
export const mapsInOnePass: { readonly ir: Pipeline } = pipeline(
  "maps",
  { a: u32, b: u32 },
  ({ a, b }) => {
    const all = affine(u32).scanInclusive({ a: a.or(1), b });
    return { a_upTo: all.a, b_upTo: all.b };
  },
  options,
);
