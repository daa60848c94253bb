import type { PipelineSource, Scalar } from "@groupwise/core";
import { requireArguments, requireType } from "@groupwise/core/target";
import { param, pipeline, type ScalarType, table, u32 } from "@groupwise/dsl";
import { CAPACITY } from "./base/arguments.ts";
import { type Primitive, primitive } from "./base/primitive.ts";
import { standIn } from "./base/stand-in.ts";

/** Each run's number at the slot where the run begins, 0 elsewhere; slots from `capacity` on are dropped. */
const mark = /*@__PURE__*/ pipeline(
  "mark-runs",
  { lengths: u32, capacity: param(u32) },
  ({ lengths, capacity }, { index }) => {
    const { before: to, total } = lengths.scanWithTotal("add");
    const where = lengths.ne(0).and(to.lt(capacity));
    return { total, marks: index().scatter({ to, where, capacity }) };
  },
);

/**
 * Repeats every value by its length, in order.
 *
 * `runs`, `lengths`: m runs, possibly of length 0. `x`: `capacity` items, of which `count[0]` are valid; if
 * there are more, the first `capacity`. Lengths are summed modulo 2^32. For no runs: none, and 0. Two steps:
 * runs mark their first items, and each item takes the last mark at or before it; the number of items stays on the device.
 *
 * Source: as {@link mergeCounts}.
 * @example
 * ```ts
 * import { u32 } from "@groupwise/dsl";
 * import { runLengthDecode } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const { x } = await runLengthDecode(u32).runOn(jsRuntime(), { runs: Uint32Array.of(7, 3), lengths: Uint32Array.of(2, 1) }, { capacity: 3 });
 * console.log(x); // [7, 7, 3]
 * ```
 */
export function runLengthDecode<S extends Scalar>(
  type: ScalarType<S>,
): Primitive<
  { readonly runs: S; readonly lengths: "u32" },
  { readonly x: S; readonly count: "u32" },
  { readonly capacity: number }
> {
  requireArguments(arguments, "runLengthDecode", ["type"]);
  requireType("runLengthDecode", type);
  // Untyped: the runs have the true type, not that of the stand-in.
  const spread: PipelineSource = pipeline(
    `spread-runs-${type.type}`,
    { marks: u32, runs: table(standIn(type)) },
    ({ marks, runs }) => ({ x: runs.at(marks.scanInclusive("max")) }),
  );
  return primitive(`run-length-decode-${type.type}`, {
    inputs: { runs: type.type, lengths: "u32" },
    outputs: { x: type.type, count: "u32" },
    pipelines: { mark, spread },
    counts: { x: "count" },
    numbers: { capacity: CAPACITY },
    lengths: (_, { capacity }: { readonly capacity: number }) => ({ x: capacity, count: 1 }),
    steps: (steps, { runs, lengths, x, count }, { items, n }, { capacity }) => {
      const marks = steps.array("u32", capacity);
      steps.run("mark", { lengths, capacity, total: count, marks }, { n: items });
      steps.run("spread", { marks, runs, x }, { n: { count, max: n === 0 ? 0 : capacity } });
    },
  });
}
