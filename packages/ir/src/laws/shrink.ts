/** Shrinks counterexamples. */
import type { Operator } from "../document/operator.ts";
import type { ScalarValue } from "../tables/scalar.ts";
import { easier } from "./sample.ts";
import { complexityOf, type State } from "./state.ts";

/** Maximum number of shrinking attempts. */
const MOST_TRIES = 20_000;

/**
 * The simplest states found that still fail.
 * @param pool candidate states, the simplest first; with `free` their values may change too
 */
export function shrink(
  operator: Operator,
  failing: readonly State[],
  fails: (states: readonly State[]) => boolean,
  pool: readonly State[],
  free: boolean,
): readonly State[] {
  let tries = 0;
  const replaced = (states: readonly State[], at: number, state: State): State[] => states.with(at, state);
  const attempt = (states: readonly State[]): boolean => tries++ < MOST_TRIES && fails(states);

  const step = (states: readonly State[]): readonly State[] | undefined => {
    for (const [at, state] of states.entries()) {
      const cost = complexityOf(operator, state);
      const candidates = pool.filter((other) => complexityOf(operator, other) < cost);
      const fields = free ? simpler(operator, state) : [];
      for (const other of [...candidates, ...fields]) {
        const next = replaced(states, at, other);
        if (attempt(next)) return next;
      }
    }
    return undefined;
  };

  let best = failing;
  for (let next = step(best); next; next = step(best)) best = next;
  return best;
}

/** States with one simplified field. */
function simpler({ fields }: Operator, state: State): State[] {
  return fields.flatMap(({ type }, i) =>
    easier(type, state[i] as ScalarValue).map((value) => state.with(i, value)),
  );
}
