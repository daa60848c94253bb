import type { Scalar } from "@groupwise/core";
import { requireArguments, requireType } from "@groupwise/core/target";
import {
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  starts,
  type U32Value,
} from "@groupwise/dsl";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";
import { compact } from "./compact.ts";

/**
 * The first item of each run of equal items; of sorted items, every value once.
 *
 * `x`: n items. `distinct`: n elements, of which `count[0]` are valid. Over no items: none,
 * and 0. -0 equals +0, and the first of them is kept; every NaN is kept. It applies `compact` to the first
 * items of runs.
 * @example
 * ```ts
 * import { u32 } from "@groupwise/dsl";
 * import { unique } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(unique(u32));
 * const { distinct, count } = await program.run({ x: Uint32Array.of(7, 7, 3) });
 * console.log(distinct); // [7, 3]
 * console.log(count); // [2]
 * ```
 */
export function unique<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S> },
  { readonly distinct: Scatter<S>; readonly count: U32Value }
> {
  requireArguments(arguments, "unique", ["type"]);
  requireType("unique", type);
  const made = pipeline(`unique-${type.type}`, { x: standIn(type) }, ({ x }) => {
    const { kept, count } = compact(standIn(type))({ x, keep: starts(x) });
    return { distinct: kept, count };
  });
  return ofTrueType(made);
}
