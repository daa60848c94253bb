import { LIST, NUMBER, oneOf, optionsOf, requireArgument } from "../base/arguments.ts";
import { errorOf } from "../base/errors.ts";
import { type Checked, check } from "../document/check.ts";
import type { NodeId, Pipeline, PipelineNode, UserCollectiveNode } from "../document/node.ts";
import { isSink } from "../document/operands.ts";
import type { Operator } from "../document/operator.ts";
import { applierOf, identityOf } from "../document/operator-apply.ts";
import { CHECKED, OPERATOR } from "../document/shapes.ts";
import { reference } from "../reference/reference.ts";
import { decodeLiteral } from "../tables/literal.ts";
import { type ArrayType, storedValue, valueTypeOf } from "../tables/narrow.ts";
import type { Scalar, ScalarValue } from "../tables/scalar.ts";
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
import { type Random, randomOf } from "./random.ts";
import { easier, type SampleKind, sample, specialsOf } from "./sample.ts";
import { complexityOf, distinct, namedState, type State } from "./state.ts";

// Operands that a pipeline passes to its operators, evaluated on inputs of many kinds.
/** Items of a run, per dimension; as many in all. */
const SIDES: readonly (readonly number[])[] = [[24], [6, 4], [4, 3, 2]];
const ITEMS = 24;
/**
 * `each` contains every special value; `constant` the constants of the pipeline, which its conditions compare
 * with.
 */
type Kind = SampleKind | "each" | "constant";
/** The values of the inputs of each run. */
const RUNS: readonly (readonly Kind[])[] = [
  ["each"],
  ["small"],
  ["small"],
  ["any"],
  ["small", "special"],
  ["small", "special", "any"],
  ["special", "any"],
];
/** The constants of the pipeline. */
const CONSTANT_RUNS: readonly (readonly Kind[])[] = [["constant"], ["constant", "small"]];

/** The operands of an operator of the pipeline; none if no node uses it. */
function fedStates(checked: Checked, operator: number, random: Random, rounds: number): State[] {
  const { nodes } = checked.pipeline;
  const folds = nodes.filter(
    (node): node is UserCollectiveNode => node.kind === "user-collective" && node.operator === operator,
  );
  const lists = [...new Map(folds.map(({ of }) => [of.join(), of])).values()];
  const isConstant = nodes.some(({ kind }) => kind === "const");
  const all = isConstant ? [...RUNS, ...CONSTANT_RUNS] : RUNS;
  const runs = Array.from({ length: rounds }, () => all).flat();
  return lists.flatMap((operands) => runs.flatMap((kinds) => run(checked, operands, kinds, random)));
}

function run(checked: Checked, operands: readonly NodeId[], kinds: readonly Kind[], random: Random): State[] {
  const { pipeline, inputs, params, tables } = checked;
  const value = (type: Scalar): ScalarValue => {
    const kind = random.pick(kinds);
    const constants = kind === "constant" ? constantsOf(pipeline, type) : [];
    if (constants.length > 0) return random.pick(constants);
    return sample(type, kind === "each" || kind === "constant" ? "special" : kind, random);
  };
  const values = (array: ArrayType): ScalarValue[] => {
    const first = random.below(ITEMS);
    const type = valueTypeOf(array);
    const specials = specialsOf(type);
    return Array.from({ length: ITEMS }, (_, i) =>
      storedValue(
        array,
        kinds[0] === "each" ? (specials[(first + i) % specials.length] as ScalarValue) : value(type),
      ),
    );
  };
  const outputs = reference(check(upTo(pipeline, operands)), {
    globalSize: SIDES[pipeline.workGroupSize.length - 1] as readonly number[],
    inputs: Object.fromEntries(inputs.map(({ name, type }) => [name, values(type)])),
    tables: Object.fromEntries(tables.map(({ name, type }) => [name, values(type)])),
    params: Object.fromEntries(params.map(({ name, type }) => [name, value(type)])),
  });
  const columns = operands.map((_, i) => outputs[outputName(i)] as readonly ScalarValue[]);
  const length = Math.max(...columns.map((column) => column.length));
  return Array.from({ length }, (_, i) =>
    columns.map((column) => column[Math.min(i, column.length - 1)] as ScalarValue),
  );
}

function constantsOf({ nodes }: Pipeline, type: Scalar): ScalarValue[] {
  const values = nodes.map((node) =>
    node.kind === "const" && node.type === type ? decodeLiteral(type, node.value) : undefined,
  );
  return values.filter((value) => value !== undefined);
}

const outputName = (operand: number): string => `lawOperand${operand}`;

/** The pipeline with these nodes as its only outputs. */
function upTo(pipeline: Pipeline, operands: readonly NodeId[]): Pipeline {
  const last = Math.max(...operands);
  // Ids are positions, so unneeded nodes become constants.
  const blank = (id: NodeId): PipelineNode => ({ id, kind: "const", type: "u32", value: 0 });
  const kept = pipeline.nodes.slice(0, last + 1).map((node) => (isSink(node) ? blank(node.id) : node));
  const outputs = operands.map(
    (of, i): PipelineNode => ({ id: last + 1 + i, kind: "output", name: outputName(i), of }),
  );
  return { ...pipeline, nodes: [...kept, ...outputs] };
}

// Shrinks counterexamples.
/** Maximum number of shrinking attempts. */
const MOST_TRIES = 20_000;

/**
 * The simplest states found that still fail.
 * @param pool candidate states, the simplest first; with `free` their values may change too
 */
function shrink(
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

// The states for testing laws. Special states occur often, so duplicates remain.
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
interface StatePool {
  /** In the order of creation. */
  readonly drawn: readonly State[];
  /** Without duplicates, the simplest first. */
  readonly easiest: readonly State[];
}

/** States with arbitrary values. */
function rawPool(operator: Operator, random: Random, rounds: number): StatePool {
  const states = Array.from({ length: RAW * rounds }, (_, i) => {
    const kinds = KINDS[i % KINDS.length] as readonly SampleKind[];
    return operator.fields.map(({ type }) => sample(type, random.pick(kinds), random));
  });
  return sorted(operator, [identityOf(operator), ...states]);
}

/** The given states, the identity, and their combinations. */
function closedPool(operator: Operator, given: readonly State[], random: Random, rounds: number): StatePool {
  const apply = applierOf(operator);
  const pool: State[] = [identityOf(operator), ...given];
  for (let i = 0; i < COMBINED * rounds; i++) pool.push(apply(random.pick(pool), random.pick(pool)));
  return sorted(operator, pool);
}

function sorted(operator: Operator, states: readonly State[]): StatePool {
  const ranked = distinct(states).map((state) => ({ state, cost: complexityOf(operator, state) }));
  return { drawn: states, easiest: ranked.sort((a, b) => a.cost - b.cost).map(({ state }) => state) };
}

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
