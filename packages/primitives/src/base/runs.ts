/** Runs: consecutive items with equal keys. */
import { requireArgument } from "@groupwise/core/target";
import { type AnyValue, type BoolValue, ends, starts, type U32Value } from "@groupwise/dsl";

import { CONTEXT, VALUE } from "./arguments.ts";

/** The work-item functions that runs need. */
interface Place {
  index(): U32Value;
  size(): U32Value;
}

/**
 * True at the first item of each run. -0 equals +0; a NaN is a run of its own. `starts` of `@groupwise/dsl` needs no context.
 * @example
 * ```ts
 * import { pipeline, u32 } from "@groupwise/dsl";
 * import { startsRun } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const runs = pipeline("runs", { key: u32 }, ({ key }, context) => ({ isFirst: startsRun(key, context) }));
 * const program = await jsRuntime().compile(runs);
 * const { isFirst } = await program.run({ key: Uint32Array.of(7, 7, 3) });
 * console.log(isFirst); // [1, 0, 1]
 * ```
 */
export function startsRun(key: AnyValue, context: Place): BoolValue {
  requireArgument(key, VALUE, "the key of startsRun");
  requireArgument(context, CONTEXT, "the context of startsRun");
  return starts(key);
}

/**
 * True at the last item of each run. `ends` of `@groupwise/dsl` needs no context.
 * @example
 * ```ts
 * import { pipeline, u32 } from "@groupwise/dsl";
 * import { endsRun } from "@groupwise/primitives";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const runs = pipeline("runs", { key: u32 }, ({ key }, context) => ({ isLast: endsRun(key, context) }));
 * const program = await jsRuntime().compile(runs);
 * const { isLast } = await program.run({ key: Uint32Array.of(7, 7, 3) });
 * console.log(isLast); // [0, 1, 1]
 * ```
 */
export function endsRun(key: AnyValue, context: Place): BoolValue {
  requireArgument(key, VALUE, "the key of endsRun");
  requireArgument(context, CONTEXT, "the context of endsRun");
  return ends(key);
}
