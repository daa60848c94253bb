import { errorOf, requireArguments } from "@groupwise/core/target";
import { callerOf } from "../base/place.ts";
import type { BoolValue, U32Value } from "../values/value.ts";
import { DeclaredExpr } from "./expr.ts";

/** The options of scatters of kept items; `length` is their number. */
export interface Compaction {
  /** The number of kept items before the item. */
  readonly to: U32Value;
  /** Which items are kept. */
  readonly where: BoolValue;
  /** The number of kept items; uniform. */
  readonly length: U32Value;
}

/**
 * The options with which scatters write the kept items, in their order: `x.scatter(kept)`, for any number of columns, which share one scan. Each output has n elements, of
 * which `length` are valid; a stream returns those alone.
 * @param where which items are kept; `ends(key)` for one element of each run
 * @example
 * ```ts
 * import { compaction, f32, pipeline } from "@groupwise/dsl";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const example = pipeline("example", { x: f32 }, ({ x }) => {
 *   const kept = compaction(x.gt(1));
 *   return { values: x.scatter(kept), count: kept.length };
 * });
 * const program = await jsRuntime().compile(example);
 * const { values, count } = await program.run({ x: Float32Array.of(1, 2, 0, 3) });
 * console.log(values); // [2, 3]
 * console.log(count); // [2]
 * ```
 */
export function compaction(where: BoolValue): Compaction {
  requireArguments(arguments, "compaction", ["condition"]);
  const condition: unknown = where;
  if (condition instanceof DeclaredExpr && condition.type === "bool") {
    const { before, total } = where.toU32().scanWithTotal("add");
    return Object.freeze({ to: before, where, length: total });
  }
  const hint = "pass a bool value of a pipeline, for example x.gt(0)";
  throw errorOf(
    "bad-usage",
    { reason: "the condition of a compaction is not one", hint },
    callerOf(compaction),
  );
}
