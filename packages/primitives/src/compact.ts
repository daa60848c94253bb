import type { Scalar } from "@groupwise/core";
import { requireArguments, requireType } from "@groupwise/core/target";
import {
  bool,
  compaction,
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  type U32Value,
} from "@groupwise/dsl";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";

/**
 * The kept items, in their order.
 *
 * `x`, `keep`: n items. `kept`: n elements, of which `count[0]` are valid. Over no items:
 * none, and 0. One pass over the items and their scan.
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.3, pack.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { compact } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(compact(f32));
 * const { kept, count } = await program.run({ x: Float32Array.of(1, 2, 3), keep: Uint8Array.of(1, 0, 1) });
 * console.log(kept); // [1, 3]
 * console.log(count); // [2]
 * ```
 */
export function compact<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S>; readonly keep: ScalarType<"bool"> },
  { readonly kept: Scatter<S>; readonly count: U32Value }
> {
  requireArguments(arguments, "compact", ["type"]);
  requireType("compact", type);
  const made = pipeline(`compact-${type.type}`, { x: standIn(type), keep: bool }, ({ x, keep }) => {
    const kept = compaction(keep);
    return { kept: x.scatter(kept), count: kept.length };
  });
  return ofTrueType(made);
}
