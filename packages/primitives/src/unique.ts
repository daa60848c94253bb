import type { Scalar } from "@groupwise/core";
import {
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  type U32Value,
} from "@groupwise/dsl";
import { compact } from "./compact.ts";
import { startsRun } from "./runs.ts";
import { standIn, type TypeOf } from "./stand-in.ts";

/**
 * The first item of each run of equal items; of sorted items, every value once.
 *
 * `x`: n items. `distinct`: room for n, of which `count[0]` are valid and the rest 0. Of no items: none, and 0.
 * -0 equals +0, and the first of them stays; every NaN stays. It is `compact`, applied to where runs start.
 */
export function unique<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S> },
  { readonly distinct: Scatter<S>; readonly count: U32Value }
> {
  const made = pipeline(`unique-${type.type}`, { x: standIn(type) }, ({ x }, at) => {
    const { kept, count } = compact(standIn(type))({ x, keep: startsRun(x, at) });
    return { distinct: kept, count };
  });
  return made as never;
}
