/** The states for testing laws. Special states occur often, so duplicates remain. */
import type { Operator } from "../document/operator.ts";
import { applierOf, identityOf } from "../document/operator-apply.ts";
import type { Random } from "./random.ts";
import { type SampleKind, sample } from "./sample.ts";
import { complexityOf, distinct, type State } from "./state.ts";

/** The number of states with arbitrary values, and of combined states, in each round. */
const RAW = 400;
const COMBINED = 160;
const KINDS: readonly (readonly SampleKind[])[] = [
  ["small"],
  ["small", "special"],
  ["special"],
  ["any"],
  ["any", "special", "small"],
];

/** States to try. */
export interface StatePool {
  /** In the order of creation. */
  readonly drawn: readonly State[];
  /** Without duplicates, the simplest first. */
  readonly easiest: readonly State[];
}

/** States with arbitrary values. */
export function rawPool(operator: Operator, random: Random, rounds: number): StatePool {
  const states = Array.from({ length: RAW * rounds }, (_, i) => {
    const kinds = KINDS[i % KINDS.length] as readonly SampleKind[];
    return operator.fields.map(({ type }) => sample(type, random.pick(kinds), random));
  });
  return sorted(operator, [identityOf(operator), ...states]);
}

/** The given states, the identity, and their combinations. */
export function closedPool(
  operator: Operator,
  given: readonly State[],
  random: Random,
  rounds: number,
): StatePool {
  const apply = applierOf(operator);
  const pool: State[] = [identityOf(operator), ...given];
  for (let i = 0; i < COMBINED * rounds; i++) pool.push(apply(random.pick(pool), random.pick(pool)));
  return sorted(operator, pool);
}

function sorted(operator: Operator, states: readonly State[]): StatePool {
  const ranked = distinct(states).map((state) => ({ state, cost: complexityOf(operator, state) }));
  return { drawn: states, easiest: ranked.sort((a, b) => a.cost - b.cost).map(({ state }) => state) };
}
