import type { Scalar } from "@groupwise/core";
import { requireArguments, requireType } from "@groupwise/core/target";
import {
  ends,
  type PipelineDefinition,
  pipeline,
  type ScalarType,
  type Scatter,
  starts,
  type U32Value,
} from "@groupwise/dsl";
import { ofTrueType, standIn, type TypeOf } from "./base/stand-in.ts";

/**
 * Runs of equal items: the value and the number of items of each.
 *
 * `x`: n items. `runs`, `lengths`: n elements, of which `count[0]` are valid. Over no items:
 * none, and 0. -0 equals +0, and the first of them is kept; a NaN is a run of its own. A sum numbers the runs
 * and a maximum finds the beginning of the item's run, in one pass.
 * @example
 * ```ts
 * import { u32 } from "@groupwise/dsl";
 * import { runLengthEncode } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const program = await jsRuntime().compile(runLengthEncode(u32));
 * const { runs, lengths, count } = await program.run({ x: Uint32Array.of(7, 7, 3) });
 * console.log(runs); // [7, 3]
 * console.log(lengths); // [2, 1]
 * console.log(count); // [2]
 * ```
 */
export function runLengthEncode<S extends Scalar>(
  type: ScalarType<S>,
): PipelineDefinition<
  { readonly x: TypeOf<S> },
  { readonly runs: Scatter<S>; readonly lengths: Scatter<"u32">; readonly count: U32Value }
> {
  requireArguments(arguments, "runLengthEncode", ["type"]);
  requireType("runLengthEncode", type);
  const made = pipeline(`run-length-encode-${type.type}`, { x: standIn(type) }, ({ x }, at) => {
    const first = starts(x);
    const { scan, total } = first.toU32().scanWithTotal("add");
    const to = scan.sub(1);
    const begin = first.select(at.index(), 0).scanInclusive("max");
    const length = at.index().sub(begin).add(1);
    return {
      runs: x.scatter({ to, where: first, length: total }),
      lengths: length.scatter({ to, where: ends(x), length: total }),
      count: total,
    };
  });
  return ofTrueType(made);
}
