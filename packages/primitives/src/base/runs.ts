/** Runs: consecutive items with equal keys. */
import type { AnyValue, BoolValue, U32Value } from "@groupwise/dsl";

/** The work-item functions that runs need. */
interface Place {
  index(): U32Value;
  size(): U32Value;
}

/** True at the first item of each run. -0 equals +0; a NaN is a run of its own. */
export function startsRun(key: AnyValue, { index }: Place): BoolValue {
  const before = key.at(index().sub(1));
  return index()
    .eq(0)
    .or(key.ne(before as never));
}

/** True at the last item of each run. */
export function endsRun(key: AnyValue, { index, size }: Place): BoolValue {
  const next = index().add(1);
  return next.eq(size()).or(key.ne(key.at(next) as never));
}
