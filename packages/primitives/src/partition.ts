import type { Scalar } from "@groupwise/core";
import { requireArguments, requireType } from "@groupwise/core/target";
import {
  bool,
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  type U32Value,
} from "@groupwise/dsl";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";

/**
 * The kept items, then the others, both in their order: a stable partition.
 *
 * `x`, `keep`: n items. `parted`: n items, of which the first `count[0]` are the kept ones. Over no items:
 * none, and 0. One pass over the items and their scan: the slot of an item that is not kept is the number of
 * kept items plus the number of earlier items that are not kept.
 *
 * Source: Blelloch, "Prefix sums and their applications" (1990), 1.3, split.
 * @example
 * ```ts
 * import { f32 } from "@groupwise/dsl";
 * import { partition } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(partition(f32));
 * const { parted, count } = await program.run({ x: Float32Array.of(1, 2, 3), keep: Uint8Array.of(0, 1, 1) });
 * console.log(parted); // [2, 3, 1]
 * console.log(count); // [2]
 * ```
 */
export function partition<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S>; readonly keep: ScalarType<"bool"> },
  { readonly parted: Scatter<S>; readonly count: U32Value }
> {
  requireArguments(arguments, "partition", ["type"]);
  requireType("partition", type);
  const inputs = { x: standIn(type), keep: bool };
  const made = pipeline(`partition-${type.type}`, inputs, ({ x, keep }, { index }) => {
    const { before, total } = keep.toU32().scanWithTotal("add");
    const after = total.add(index()).sub(before);
    return { parted: x.scatter({ to: keep.select(before, after) }), count: total };
  });
  return ofTrueType(made);
}
