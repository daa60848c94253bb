import { errorOf } from "../errors.ts";
import type { Checked } from "../ir/check.ts";
import type { Operator } from "../ir/operator.ts";
import { identityOf } from "../ir/operator-apply.ts";
import { fedStates } from "./fed.ts";
import { type Judged, type Judgement, judgeOf, type Sides } from "./judge.ts";
import { closedPool, type Pool, rawPool } from "./pool.ts";
import { type Random, randomOf } from "./random.ts";
import { shrink } from "./shrink.ts";
import { type NamedState, namedState, type State } from "./state.ts";

/** What is tried. */
export type Law = "associative" | "commutative" | "identity-left" | "identity-right";

/**
 * `true`: both sides had the same bits every time, NaN payloads aside. `up to the sign of zero`: they differed
 * only there, as `0 + x` does on -0. `up to rounding`: they differed, and not where nothing rounds or overflows.
 * `false`: there is a counterexample.
 */
export type Held = true | "up to the sign of zero" | "up to rounding" | false;

/** Operands on which the two sides of a law differ. */
export interface Counterexample {
  readonly a: NamedState;
  readonly b?: NamedState;
  readonly c?: NamedState;
  /** (a op b) op c; a op b; identity op a; a op identity. */
  readonly left: NamedState;
  /** a op (b op c); b op a; a; a. */
  readonly right: NamedState;
}

/** What was found out about one law. */
export interface LawResult {
  readonly law: Law;
  /** All are, except commutativity that the operator does not declare. */
  readonly claimed: boolean;
  readonly held: Held;
  /**
   * Whether the claim stands, if it is one. Commutativity is claimed for the bits: who declares it lets the sides
   * be exchanged, and results are equal bit for bit everywhere only if that changes none.
   */
  readonly ok: boolean;
  /** How often it was tried. */
  readonly samples: number;
  /** The easiest operands found for which it does not hold, or for which a claim of the same bits does not stand. */
  readonly counterexample?: Counterexample;
  /** Operands with infinities or NaN where NaN comes out on one side only (∞ - ∞, 0 · ∞, 0 · NaN). No breach. */
  readonly nonFinite?: Counterexample;
}

/** How laws are tried. */
export interface LawsOptions {
  /** How often each law is tried; 2000 where it is absent. */
  readonly samples?: number;
  /** The same seed tries the same values; 1 where it is absent. */
  readonly seed?: number;
  /**
   * States that the operator is used on. They, the identity, and what combining them gives is tried, and nothing
   * else: so a state that never comes up breaks no law. Where it is absent every field takes any value.
   */
  readonly operands?: readonly State[];
}

/** How the laws of a pipeline's operators are tried. */
export interface PipelineLawsOptions extends Pick<LawsOptions, "samples" | "seed"> {
  /**
   * `fed`, the default: what the pipeline's operands are on random and special inputs. `all`: any values of the
   * fields, of which some may be no states that ever come up.
   */
  readonly domain?: "fed" | "all";
}

/** The laws of one operator of a pipeline. */
export interface OperatorLaws {
  readonly operator: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** What values were tried; `all` too where nothing in the pipeline uses the operator. */
  readonly domain: "fed" | "all";
  readonly laws: readonly LawResult[];
}

interface LawSpec {
  /** Operands that are tried; the identity comes after them. */
  readonly arity: 1 | 2 | 3;
  readonly sides: Sides;
}

/** Every law: what its two sides are. */
export const LAWS: Readonly<Record<Law, LawSpec>> = {
  associative: {
    arity: 3,
    sides: (op, [a, b, c]) => [op(op(a!, b!), c!), op(a!, op(b!, c!))],
  },
  commutative: { arity: 2, sides: (op, [a, b]) => [op(a!, b!), op(b!, a!)] },
  "identity-left": { arity: 1, sides: (op, [a, identity]) => [op(identity!, a!), a!] },
  "identity-right": { arity: 1, sides: (op, [a, identity]) => [op(a!, identity!), a!] },
};

const SAMPLES = 2000;
/** Who tries more, tries more states too. */
const roundsOf = (samples: number): number => Math.min(Math.max(Math.round(samples / SAMPLES), 1), 50);

/**
 * Tries the laws of an operator: on the easiest states in every arrangement, then on random ones. Integers and
 * bools must be equal bit for bit. Where floats differ the sides are computed again without rounding, and must
 * then differ by no more than {@link ROUNDINGS} roundings of the largest magnitude in the field.
 * @throws GroupwiseError `bad-usage`
 */
export function checkLaws(operator: Operator, options: LawsOptions = {}): LawResult[] {
  const { samples = SAMPLES, seed = 1, operands } = options;
  if (!Number.isSafeInteger(samples) || samples < 1) {
    throw errorOf("bad-usage", {
      reason: `${samples} is no number of samples`,
      hint: "use a whole number from 1",
    });
  }
  const random = randomOf(seed);
  const rounds = roundsOf(samples);
  const pool = operands ? closedPool(operator, operands, random, rounds) : rawPool(operator, random, rounds);
  return (Object.keys(LAWS) as Law[]).map((law) =>
    checkLaw(operator, law, pool, samples, operands === undefined, random),
  );
}

/**
 * The laws of every operator of a pipeline.
 * @throws GroupwiseError `bad-usage`
 */
export function pipelineLaws(checked: Checked, options: PipelineLawsOptions = {}): OperatorLaws[] {
  const { domain = "fed", seed = 1, samples = SAMPLES } = options;
  return (checked.pipeline.operators ?? []).map((operator, index) => {
    const fed = domain === "fed" ? fedStates(checked, index, randomOf(seed), roundsOf(samples)) : [];
    const laws = checkLaws(operator, { samples, seed, ...(fed.length > 0 && { operands: fed }) });
    const fields = operator.fields.map(({ name, type }) => ({ name, type }));
    return { operator: operator.name, fields, domain: fed.length > 0 ? "fed" : "all", laws };
  });
}

const WEIGHT: Readonly<Record<Judgement, number>> = {
  same: 0,
  zero: 1,
  rounding: 2,
  "non-finite": 0,
  different: 3,
};
const HELD: readonly Held[] = [true, "up to the sign of zero", "up to rounding", false];

function checkLaw(
  operator: Operator,
  law: Law,
  pool: Pool,
  samples: number,
  free: boolean,
  random: Random,
): LawResult {
  const { arity, sides } = LAWS[law];
  const identity = identityOf(operator);
  const judge = judgeOf(operator, sides);
  const judged = (states: readonly State[]): Judged => judge([...states, identity]);
  const first: Partial<Record<Judgement, readonly State[]>> = {};
  let tried = 0;
  for (const states of tuples(pool, arity, samples, random)) {
    tried++;
    const { judgement } = judged(states);
    first[judgement] ??= states;
    if (judgement === "different") break;
  }
  const worst = Math.max(...(Object.keys(first) as Judgement[]).map((judgement) => WEIGHT[judgement]));
  const held = HELD[worst] as Held;
  const claimed = law !== "commutative" || operator.commutative;
  const asBits = law === "commutative";
  const ok = !claimed || (asBits ? held === true && !first["non-finite"] : held !== false);

  const example = (judgements: readonly Judgement[]): Counterexample | undefined => {
    const start = judgements.map((judgement) => first[judgement]).find((states) => states !== undefined);
    if (!start) return undefined;
    const kind = judged(start).judgement;
    const fails = (states: readonly State[]): boolean => judged(states).judgement === kind;
    const states = shrink(operator, start, fails, pool.easiest, free);
    const { left, right } = judged(states);
    const named = states.map((state, i) => [["a", "b", "c"][i], namedState(operator, state)] as const);
    return {
      ...(Object.fromEntries(named) as Pick<Counterexample, "a">),
      left: namedState(operator, left),
      right: namedState(operator, right),
    };
  };
  const counterexample = example(ok ? ["different"] : ["different", "rounding", "zero", "non-finite"]);
  const nonFinite = held === false ? undefined : example(["non-finite"]);
  return {
    law,
    claimed,
    held,
    ok,
    samples: tried,
    ...(counterexample && { counterexample }),
    ...(nonFinite && { nonFinite }),
  };
}

/** Each arrangement of the easiest states, then random ones; every arrangement of all where they are few. */
function* tuples(
  { easiest, drawn }: Pool,
  arity: number,
  samples: number,
  random: Random,
): Generator<readonly State[]> {
  const share = arity === 1 ? samples : Math.max(1, Math.floor((samples / 3) ** (1 / arity)));
  const count = Math.min(easiest.length, share);
  const all = count ** arity;
  for (let i = 0; i < all; i++) {
    yield Array.from({ length: arity }, (_, k) => easiest[Math.floor(i / count ** k) % count] as State);
  }
  if (count === easiest.length) return;
  for (let i = all; i < samples; i++) yield Array.from({ length: arity }, () => random.pick(drawn));
}
