/** The values of a caller for one round of a pipeline. */
import {
  LIST,
  NUMBER,
  OBJECT,
  optional,
  requireArgument,
  requireArguments,
  shaped,
  whole,
} from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { check } from "@groupwise/ir/document/check.js";
import type { Pipeline } from "@groupwise/ir/document/node.js";
import { arraySpec } from "@groupwise/ir/tables/narrow.js";
import type { HostArray, ScalarValue } from "@groupwise/ir/tables/scalar.js";
import type { Rounds } from "../../rounds/rounds.ts";
import { carriedOf } from "../../state/carry.ts";
import { MOST_NUMBERED, requireNumbers } from "../../state/numbers.ts";
import type { RoundResult, StateRound } from "../../state/state.ts";
import { givenOf, requireNames } from "../state/names.ts";

type Values = Readonly<Record<string, unknown>>;
/** The values for a round, and its number of items if none of its inputs determines it. */
export interface ForRound {
  readonly values: Record<string, unknown>;
  readonly n: number | undefined;
}

/**
 * The values that a round takes, of those of the whole pipeline. Inputs that the round does not read may be absent.
 * @throws GroupwiseError `unknown-input`, `missing-input`, `length-mismatch`
 */
export function valuesFor(whole: Pipeline, { results }: StateRound, own: Pipeline, values: Values): ForRound {
  requireNames(whole, values);
  const n = lengthOf(whole, values);
  const wanted = givenOf(own).filter(({ name }) => Object.hasOwn(values, name));
  const taken: [string, unknown][] = wanted.map(({ name }) => [name, values[name]]);
  const names = new Set(givenOf(own).map(({ name }) => name));
  const params = results
    .filter(({ name }) => names.has(name))
    .map(({ name, value }) => [name, value] as const);
  const isCounted = givenOf(own).some(({ kind }) => kind === "input");
  return { values: Object.fromEntries([...taken, ...params]), n: isCounted ? undefined : n };
}

/** The length of all inputs; the run reports values without a length. @throws GroupwiseError `length-mismatch` */
function lengthOf(whole: Pipeline, values: Values): number | undefined {
  const lengths = givenOf(whole).flatMap(({ kind, name }) => {
    const length = (values[name] as { readonly length?: unknown } | null | undefined)?.length;
    return kind === "input" && typeof length === "number" ? [{ name, length }] : [];
  });
  const [first] = lengths;
  if (lengths.every(({ length }) => length === first?.length)) return first?.length;
  const listed = lengths.map(({ name, length }) => `${name} ${length}`).join(", ");
  throw errorOf("length-mismatch", { lengths: listed }, whole.name);
}

/** Arrays without elements for the inputs of a pipeline. */
export const noItems = (pipeline: Pipeline): Record<string, HostArray> =>
  Object.fromEntries(
    givenOf(pipeline).flatMap((node) =>
      node.kind === "input" ? [[node.name, new (arraySpec(node.type).array)(0)]] : [],
    ),
  );

const ROUNDS = /*@__PURE__*/ shaped("the result of `roundsOf`", { list: LIST, pipeline: OBJECT });
const ROUND = /*@__PURE__*/ shaped("a round of a state", { number: NUMBER, of: NUMBER, results: LIST });

/**
 * The round before which nothing was computed.
 * @param n the number of items, if it is known
 * @throws GroupwiseError `too-many-items`
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { firstRound, roundStepper, roundsOf } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const centred = pipeline("centred", { x: f32 }, ({ x }) => ({ y: x.sub(x.reduce("max")) }));
 * const rounds = roundsOf(centred);
 * const x = Float32Array.of(1, 4, 2);
 * const first = await roundStepper(jsRuntime(), centred, rounds, firstRound(rounds));
 * const { state } = await first.step({ x }); // the maximum
 * const last = await roundStepper(jsRuntime(), centred, rounds, await first.next(state, {}));
 * const { outputs } = await last.step({ x });
 * console.log(outputs.y); // [-3, 0, -2]
 * ```
 */
export function firstRound(rounds: Rounds, n?: number): StateRound {
  requireArguments(arguments, "firstRound", { rounds: ROUNDS, n: optional(whole(0)) });
  const { list, items, pipeline } = rounds;
  const isLong = n !== undefined && n > MOST_NUMBERED;
  for (const round of isLong ? list : [])
    requireNumbers(carriedOf(check(round.pipeline)), BigInt(n as number), pipeline.name);
  const results = items ? [{ name: items.name, type: items.type, value: countOf(n, pipeline) }] : [];
  return { number: 1, of: list.length, results };
}

/** The round after another. @param outputs of the last step of the round before */
export function roundAfter(rounds: Rounds, round: StateRound, outputs: Values): StateRound {
  const { gives } = rounds.list[round.number - 1] as Rounds["list"][number];
  const made = gives.map(
    ({ name, type }): RoundResult => ({ name, type, value: outputs[name] as ScalarValue }),
  );
  return { ...round, number: round.number + 1, results: [...round.results, ...made] };
}

function countOf(n: number | undefined, { name }: Pipeline): number {
  const limit = 2 ** 32 - 1;
  const why = "the pipeline computes with the number of items, which is u32 and";
  if (n === undefined || n > limit) throw errorOf("too-many-items", { n: Number(n), limit, why }, name);
  return n;
}

/**
 * Requires that a round belongs to these.
 * @throws GroupwiseError `bad-state`
 */
export function requireOwn(rounds: Rounds, at: StateRound): void {
  requireArgument(rounds, ROUNDS, "the rounds");
  requireArgument(at, ROUND, "the round");
  const { number, of, results } = at;
  const { list, items, pipeline } = rounds;
  const fail = (reason: string): never => {
    throw errorOf("bad-state", { reason }, pipeline.name);
  };
  if (of !== list.length) fail(`it has ${of} round(s), the pipeline ${list.length}`);
  const before = list.slice(0, number - 1).flatMap(({ gives }) => gives);
  const wanted = [...(items ? [items] : []), ...before];
  const isOwn = ({ name, type }: RoundResult, i: number): boolean =>
    name === wanted[i]?.name && type === wanted[i]?.type;
  if (wanted.length !== results.length || !results.every(isOwn))
    fail(`the results of the rounds before round ${number} are those of another pipeline`);
}
