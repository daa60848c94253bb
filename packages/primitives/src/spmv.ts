import type { PipelineSource, Scalar } from "@groupwise/core";
import { requireArguments } from "@groupwise/core/target";
import { bool, pipeline, type ScalarType, table, u32 } from "@groupwise/dsl";
import { requireNumeric } from "./base/arguments.ts";
import { markStarts, PAST_ITEMS, segmentsIn, startsOf, takeEnds } from "./base/by-offsets.ts";
import { monoidOf } from "./base/monoid.ts";
import { type Primitive, primitive } from "./base/primitive.ts";
import { standIn } from "./base/stand-in.ts";

/** Element types that can be added and multiplied. */
export type NumericScalar = Exclude<Scalar, "bool">;

/**
 * A sparse matrix times a vector, y = A x, the matrix in compressed sparse rows.
 *
 * `elements`, `columns`: the n stored elements, row by row, and their columns. `offsets`: m + 1 numbers, row
 * r being the elements from `offsets[r]` up to `offsets[r + 1]`. `x`: the vector; a column past its end reads
 * its last element. `y`: m numbers, 0 for rows without elements. Rows of any lengths cost the same: work is divided
 * by elements, not by rows. Three steps, those of `segmentedReduce` with the product in the first. Integers
 * wrap; floats are added in the order of the whole range.
 *
 * Source: Blelloch, Heroux, Zagha, "Segmented operations for sparse matrix computation on vector multiprocessors" (1993).
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { spmv } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { y } = await spmv(f32).runOn(jsRuntime(), { elements: Float32Array.of(2, 1, 3), columns: Uint32Array.of(0, 2, 1), offsets: Uint32Array.of(0, 2, 3), x: Float32Array.of(1, 10, 100) });
 * console.log(y); // [102, 30]
 * ```
 */
export function spmv<S extends NumericScalar>(
  type: ScalarType<S>,
): Primitive<
  { readonly elements: S; readonly columns: "u32"; readonly offsets: "u32"; readonly x: S },
  { readonly y: S }
> {
  requireArguments(arguments, "spmv", ["type"]);
  requireNumeric("spmv", type);
  const number = standIn(type);
  // Untyped: the numbers have the true type, not that of the stand-in.
  const multiply: PipelineSource = pipeline(
    `row-sums-${type.type}`,
    { elements: number, columns: u32, starts: bool, x: table(number) },
    ({ elements, columns, starts, x }) => ({
      sums: elements.mul(x.at(columns)).scanInclusive("add", { segments: starts }),
    }),
  );
  return primitive(`spmv-${type.type}`, {
    inputs: { elements: type.type, columns: "u32", offsets: "u32", x: type.type },
    outputs: { y: type.type },
    pipelines: { mark: markStarts, multiply, take: takeEnds(monoidOf("spmv", "add", type)) },
    outside: PAST_ITEMS,
    lengths: ({ offsets }) => ({ y: segmentsIn(offsets) }),
    steps: (steps, { elements, columns, offsets, x, y }, items) => {
      const starts = startsOf(steps, offsets, items);
      const sums = steps.array(type.type, items.n);
      steps.run("multiply", { elements, columns, starts, x, sums }, { n: items.items });
      steps.run("take", { offsets, sums, results: y }, { n: segmentsIn(offsets.length) });
    },
  });
}
