/** The states that laws are tried on. What is special comes up often: it is not taken out where it comes twice. */
import type { Operator } from "../ir/operator.ts";
import { applierOf, identityOf } from "../ir/operator-apply.ts";
import type { Random } from "./random.ts";
import { type SampleKind, sample } from "./sample.ts";
import { complexityOf, distinct, type State } from "./state.ts";

const RAW = 400;
const COMBINED = 160;
/** Of what is fed, no more are kept: the rest is alike. */
const FED = 400;
const KINDS: readonly (readonly SampleKind[])[] = [
  ["small"],
  ["small", "special"],
  ["special"],
  ["any"],
  ["any", "special", "small"],
];

/** States to try. */
export interface Pool {
  /** As they were made. */
  readonly drawn: readonly State[];
  /** Each once, the easiest for people first. */
  readonly easiest: readonly State[];
}

/** States of any values whatever. */
export function rawPool(operator: Operator, random: Random): Pool {
  const states = Array.from({ length: RAW }, (_, i) => {
    const kinds = KINDS[i % KINDS.length] as readonly SampleKind[];
    return operator.fields.map(({ type }) => sample(type, random.pick(kinds), random));
  });
  return sorted(operator, [identityOf(operator), ...states]);
}

/** The given states, the identity, and what combining them gives. */
export function closedPool(operator: Operator, given: readonly State[], random: Random): Pool {
  const apply = applierOf(operator);
  const pool: State[] = [identityOf(operator), ...given.slice(0, FED)];
  for (let i = 0; i < COMBINED; i++) pool.push(apply(random.pick(pool), random.pick(pool)));
  return sorted(operator, pool);
}

function sorted(operator: Operator, states: readonly State[]): Pool {
  const ranked = distinct(states).map((state) => ({ state, cost: complexityOf(operator, state) }));
  return { drawn: states, easiest: ranked.sort((a, b) => a.cost - b.cost).map(({ state }) => state) };
}
