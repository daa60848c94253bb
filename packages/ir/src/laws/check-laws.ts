import { LIST, NUMBER, oneOf, optionsOf, requireArgument } from "../base/arguments.ts";
import { errorOf } from "../base/errors.ts";
import type { Checked } from "../document/check.ts";
import type { Operator } from "../document/operator.ts";
import { identityOf } from "../document/operator-apply.ts";
import { CHECKED, OPERATOR } from "../document/shapes.ts";
import { fedStates } from "./fed.ts";
import { type Judged, type Judgement, judgeOf } from "./judge.ts";
import {
  type Counterexample,
  type Held,
  LAWS,
  type Law,
  type LawResult,
  type LawsOptions,
  type OperatorLaws,
  type PipelineLawsOptions,
} from "./law.ts";
import { closedPool, rawPool, type StatePool } from "./pool.ts";
import { type Random, randomOf } from "./random.ts";
import { shrink } from "./shrink.ts";
import { namedState, type State } from "./state.ts";

const SAMPLES = 2000;
/** More samples use more states. */
const roundsOf = (samples: number): number => Math.min(Math.max(Math.round(samples / SAMPLES), 1), 50);

/**
 * Tests the laws of an operator: on all combinations of the simplest states, then on random ones. Integers
 * and bools must be equal bit for bit. If floats differ, the sides are computed again without rounding, and
 * must then differ by at most {@link ROUNDINGS} roundings of the largest magnitude in the field.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { operator, u32 } from "@groupwise/dsl";
 * import { checkLaws } from "@groupwise/core/laws";
 *
 * const larger = operator("larger", u32, { combine: (left, right) => left.max(right), identity: 0, commutative: true });
 * const laws = checkLaws(larger.ir);
 * console.log(laws.every(({ ok }) => ok)); // true
 * ```
 */
export function checkLaws(operator: Operator, options?: LawsOptions): LawResult[] {
  requireArgument(operator, OPERATOR, "the operator");
  const schema = { samples: NUMBER, seed: NUMBER, operands: LIST };
  const given = optionsOf(options, schema, "the options of checkLaws") as LawsOptions;
  const { samples = SAMPLES, seed = 1, operands } = given;
  if (!Number.isSafeInteger(samples) || samples < 1) {
    throw errorOf("bad-usage", {
      reason: `${samples} is not a number of samples`,
      hint: "use a whole number from 1",
    });
  }
  const random = randomOf(seed);
  const rounds = roundsOf(samples);
  const pool = operands ? closedPool(operator, operands, random, rounds) : rawPool(operator, random, rounds);
  return (Object.keys(LAWS) as Law[]).map((law) =>
    checkLaw(operator, { law, pool, samples, free: operands === undefined, random }),
  );
}

/**
 * Tests the laws of every operator of a pipeline.
 * @throws GroupwiseError `bad-usage`
 * @example
 * ```ts
 * import { operator, pipeline, u32 } from "@groupwise/dsl";
 * import { check } from "@groupwise/core";
 * import { pipelineLaws } from "@groupwise/core/laws";
 *
 * const larger = operator("larger", u32, { combine: (left, right) => left.max(right), identity: 0, commutative: true });
 * const most = pipeline("most", { x: u32 }, ({ x }) => ({ y: larger.reduce(x) }));
 * const [found] = pipelineLaws(check(most.ir));
 * console.log(found?.operator); // "larger"
 * ```
 */
export function pipelineLaws(checked: Checked, options?: PipelineLawsOptions): OperatorLaws[] {
  requireArgument(checked, CHECKED, "the pipeline");
  const schema = { domain: oneOf("fed", "all"), samples: NUMBER, seed: NUMBER };
  const given = optionsOf(options, schema, "the options of pipelineLaws") as PipelineLawsOptions;
  const { domain = "fed", seed = 1, samples = SAMPLES } = given;
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

/** A law, and the samples that it is tested on. */
interface LawTest {
  readonly law: Law;
  readonly pool: StatePool;
  readonly samples: number;
  readonly free: boolean;
  readonly random: Random;
}

function checkLaw(operator: Operator, { law, pool, samples, free, random }: LawTest): LawResult {
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
    return start && counterexampleOf(operator, { start, judged, pool, free });
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

interface Failure {
  /** States that violate the law. */
  readonly start: readonly State[];
  readonly judged: (states: readonly State[]) => Judged;
  readonly pool: StatePool;
  readonly free: boolean;
}

/** The smallest states that violate a law in the same way. */
function counterexampleOf(operator: Operator, { start, judged, pool, free }: Failure): Counterexample {
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
}

/** Each arrangement of the simplest states, then random ones; every arrangement of all states if there are few. */
function* tuples(
  { easiest, drawn }: StatePool,
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
