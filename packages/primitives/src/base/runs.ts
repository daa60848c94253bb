/** Runs: consecutive items with equal keys. */
import { requireArgument } from "@groupwise/core/target";
import type { AnyValue, BoolValue, U32Value } from "@groupwise/dsl";

import { CONTEXT, VALUE } from "./arguments.ts";

/** The work-item functions that runs need. */
interface Place {
  index(): U32Value;
  size(): U32Value;
}

/** True at the first item of each run. -0 equals +0; a NaN is a run of its own. */
export function startsRun(key: AnyValue, context: Place): BoolValue {
  requireArgument(key, VALUE, "the key of startsRun");
  requireArgument(context, CONTEXT, "the context of startsRun");
  const { index } = context;
  const own = key as U32Value; // any type: all have these methods
  return index()
    .eq(0)
    .or(own.ne(own.at(index().sub(1))));
}

/** True at the last item of each run. */
export function endsRun(key: AnyValue, context: Place): BoolValue {
  requireArgument(key, VALUE, "the key of endsRun");
  requireArgument(context, CONTEXT, "the context of endsRun");
  const { index, size } = context;
  const own = key as U32Value;
  const next = index().add(1);
  return next.eq(size()).or(own.ne(own.at(next)));
}
