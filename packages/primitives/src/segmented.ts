import type { DeviceArray, Scalar } from "@groupwise/core";
import type { OpFor } from "@groupwise/core/target";
import { requireArguments } from "@groupwise/core/target";
import type { OperatorDefinition, ScalarType } from "@groupwise/dsl";
import { scanOf } from "./base/by-flags.ts";
import { markStarts, PAST_ITEMS, segmentsIn, startsOf, takeEnds } from "./base/by-offsets.ts";
import { type ColumnScalars, formOf, monoidNames, monoidOf, type ScanForm } from "./base/monoid.ts";
import { type Primitive, primitive } from "./base/primitive.ts";

/** See {@link segmentedReduce}. */
export type SegmentedReduce<R> = Primitive<
  ColumnScalars<"x", R> & { readonly offsets: "u32" },
  ColumnScalars<"results", R>
>;
/** See {@link segmentedScan}. */
export type SegmentedScan<R> = Primitive<
  ColumnScalars<"x", R> & { readonly offsets: "u32" },
  ColumnScalars<"sums", R>
>;
export type { ScanForm } from "./base/monoid.ts";

type Arrays = Readonly<Record<string, DeviceArray<"u32">>>;

const named = (names: object, prefix: string, arrays: Arrays): Arrays =>
  Object.fromEntries(
    Object.keys(names).map((name) => [name, arrays[name.replace(/^[a-z]+/, prefix)] as DeviceArray<"u32">]),
  );

/**
 * The items of each segment combined, with a user-defined operator or a built-in one and its type. The
 * operator need not commute; the result of an empty segment is the identity.
 *
 * `x`: n items; for records one array for each scalar, `x_index`. `offsets`: m + 1 non-decreasing numbers,
 * segment s being the items from `offsets[s]` up to `offsets[s + 1]`, at most n. `results`: m. Items outside
 * all segments are ignored. Three steps: offsets become flags, items are scanned by flags, segments take the
 * scan at their last item. Floats combine in the order of the whole range: the bits of a segment depend on
 * its position.
 * @throws GroupwiseError `scatter-outside` if a segment begins past the items
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.5; empty segments as in CUB.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { segmentedReduce } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { results } = await segmentedReduce("add", f32).runOn(jsRuntime(), { x: Float32Array.of(1, 2, 3, 4), offsets: Uint32Array.of(0, 2, 2, 4) });
 * console.log(results); // [3, 0, 7]
 * ```
 */
export function segmentedReduce<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
): SegmentedReduce<ScalarType<S>>;
export function segmentedReduce<R>(operator: OperatorDefinition<R>): SegmentedReduce<R>;
export function segmentedReduce(op: unknown, type?: { readonly type: Scalar }): unknown {
  requireArguments(arguments, "segmentedReduce", monoidNames(op));
  const monoid = monoidOf("segmentedReduce", op, type);
  const [values, sums, results] = ["x", "sums", "results"].map((prefix) => monoid.scalars(prefix));
  return primitive(`segmented-reduce-${monoid.name}`, {
    inputs: { ...values, offsets: "u32" },
    outputs: results as Readonly<Record<string, "u32">>,
    pipelines: { mark: markStarts, scan: scanOf(monoid, "inclusive"), take: takeEnds(monoid) },
    outside: PAST_ITEMS,
    lengths: ({ offsets }) =>
      Object.fromEntries(Object.keys(results as object).map((name) => [name, segmentsIn(offsets)])),
    steps: (steps, arrays, items) => {
      const all = arrays as Arrays;
      const offsets = all.offsets as DeviceArray<"u32">;
      const starts = startsOf(steps, offsets, items);
      const between = Object.fromEntries(
        Object.entries(sums as object).map(([name, scalar]) => [name, steps.array(scalar, items.n)]),
      );
      steps.run("scan", { ...named(values as object, "x", all), starts, ...between }, { n: items.items });
      const taken = { offsets, ...between, ...named(results as object, "results", all) };
      steps.run("take", taken, { n: segmentsIn(offsets.length) });
    },
  });
}

/**
 * The scan of each segment, with a user-defined operator or a built-in one and its type.
 *
 * `x`: n items; for records one array for each scalar. `offsets`: m + 1 numbers, as in {@link
 * segmentedReduce}. `sums`: n; an exclusive scan begins each segment with the identity. Items before the
 * first segment form a segment of their own; items past the last segment belong to it. Two steps: offsets
 * become flags, items are scanned by flags.
 * @throws GroupwiseError `scatter-outside` if a segment begins past the items
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { segmentedScan } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { sums } = await segmentedScan("add", f32).runOn(jsRuntime(), { x: Float32Array.of(1, 2, 3, 4), offsets: Uint32Array.of(0, 2, 4) });
 * console.log(sums); // [1, 3, 3, 7]
 * ```
 */
export function segmentedScan<S extends Scalar>(
  op: OpFor<S>,
  type: ScalarType<S>,
  form?: ScanForm,
): SegmentedScan<ScalarType<S>>;
export function segmentedScan<R>(operator: OperatorDefinition<R>, form?: ScanForm): SegmentedScan<R>;
export function segmentedScan(op: unknown, ...rest: readonly unknown[]): unknown {
  const monoid = monoidOf("segmentedScan", op, rest[0]);
  const form = formOf("segmentedScan", op, rest);
  const sums = monoid.scalars("sums");
  const inputs = { ...monoid.scalars("x"), offsets: "u32" as const };
  return primitive(`segmented-scan-${monoid.name}`, {
    inputs,
    outputs: sums,
    pipelines: { mark: markStarts, scan: scanOf(monoid, form) },
    outside: PAST_ITEMS,
    lengths: (sizes) => {
      const n = Object.values(sizes)[0] as number;
      return Object.fromEntries(Object.keys(sums).map((name) => [name, n]));
    },
    steps: (steps, arrays, items) => {
      const { offsets, ...columns } = arrays as Arrays;
      const starts = startsOf(steps, offsets as DeviceArray<"u32">, items);
      steps.run("scan", { ...columns, starts }, { n: items.items });
    },
  });
}
