/** A pipeline that runs chunk by chunk in rounds. */
import { requireArguments } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { check } from "@groupwise/ir/document/check.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { typedArrayName } from "@groupwise/runtime/api/host-view.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import { type PipelineSource, pipelineOf } from "@groupwise/runtime/api/target.js";
import type {
  InferInputs,
  InferParams,
  InferTables,
  RunResults,
  RunValues,
  TypedPipeline,
} from "@groupwise/runtime/api/typed.js";
import { optionsOf, recordOf } from "@groupwise/runtime/checks/arguments.js";
import { type Round, type Rounds, roundsOfChecked } from "../../rounds/rounds.ts";
import { type State, type StateRound, sameRound } from "../../state/state.ts";
import { requireDivisors } from "../state/divisors.ts";
import { type ChunkOptions, type ChunkRuntimes, type Step, stepper } from "../state/stepper.ts";
import { noItems, requireOwn, roundAfter, valuesFor } from "./round-values.ts";

/** Options of rounds. */
export interface RoundsOptions {
  /** True: the number of items is known before the first round, so that none is needed to count them. */
  readonly knowsCount?: boolean;
}

/**
 * The rounds in which a pipeline is computed chunk by chunk with the bits of the whole range. Pure; each round's pipeline is one that `stepper` accepts.
 * @throws GroupwiseError `not-carried` if it needs items of other chunks in a way that further rounds do not provide
 * @example
 * ```ts
 * import { f32, pipeline } from "@groupwise/dsl";
 * import { roundsOf } from "@groupwise/core/state";
 *
 * const centred = pipeline("centred", { x: f32 }, ({ x }) => ({ y: x.sub(x.reduce("max")) }));
 * console.log(roundsOf(centred).list.length); // 2
 * ```
 */
export function roundsOf(source: PipelineSource, options: RoundsOptions = {}): Rounds {
  const { knowsCount } = optionsOf(options, ["knowsCount"], "the options of roundsOf");
  return roundsOfChecked(check(pipelineOf(source)), { knowsCount: Boolean(knowsCount) });
}

/** Inputs of a chunk in a round: those that the round does not read may be absent. */
export type RoundStepValues<P> = P extends TypedPipeline
  ? Partial<InferInputs<P>> & InferParams<P> & InferTables<P>
  : RunValues;

/** One round of a pipeline, compiled. `P` is the type of the pipeline. */
export interface RoundStepper<P extends PipelineSource = PipelineSource> {
  readonly round: Round;
  /** The state before the first item. */
  readonly start: State;
  /** As of a `Stepper`. */
  readonly ahead: number;
  /** As of a `Stepper`. */
  readonly divisors: readonly string[];
  /** Runs a chunk, whose items are in the order of the range. In the last round, the outputs are those of the pipeline. @throws GroupwiseError as `Stepper.step` */
  step(values: RoundStepValues<P>, options?: ChunkOptions): Promise<Step<P>>;
  /**
   * The round after this one.
   * @param state after the last item
   * @param values the parameters and tables
   * @throws GroupwiseError `bad-divisor` for a parameter that does not divide all items; as `step`
   */
  next(state: State, values: RoundStepValues<P>): Promise<StateRound>;
  /** Frees the compiled objects. */
  dispose(): void;
}

/**
 * Compiles a round of a pipeline.
 * @param rounds the result of `roundsOf`
 * @param at the round, with the results of the rounds before it
 * @throws GroupwiseError `bad-state` if the round is one of another pipeline; as `stepper`
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
export async function roundStepper<P extends PipelineSource>(
  runtime: Runtime | ChunkRuntimes,
  source: P,
  rounds: Rounds,
  at: StateRound,
): Promise<RoundStepper<P>> {
  requireArguments(arguments, "roundStepper", ["runtime", "source", "rounds", "at"]);
  pipelineOf(source);
  requireOwn(rounds, at);
  const round = rounds.list[at.number - 1] as Round;
  const inner = await stepper(runtime, sourceOf(source, round, at));
  const label = at.of > 1 || at.results.length > 0 ? at : undefined;
  const { name } = rounds.pipeline;
  const isBackwards = rounds.order === "backwards";
  const inOrder = turning(isBackwards ? check(rounds.pipeline).inputs : []);
  const { sinks, uniformities } = check(round.pipeline);
  const outOrder = turning(isBackwards ? sinks.filter(({ id }) => uniformities[id] === "item") : []);
  const step = async (given: unknown, options: unknown): Promise<{ outputs: RunResults; state: State }> => {
    const names = ["state", "n", "spare", "after"] as const;
    const { state = start, n, spare, after } = optionsOf(options, names, "the options of a step", name);
    const values = recordOf(given, "the values of a step", name);
    const own = valuesFor(rounds.pipeline, at, round.pipeline, inOrder(values));
    const count = n ?? own.n;
    const before = label ? bare(state as State, label, name) : (state as State);
    const chunk = {
      state: before,
      ...(count !== undefined && { n: count }),
      ...(spare !== undefined && { spare }),
      ...(after !== undefined && { after }),
    };
    const done = await inner.step(own.values as never, chunk as never);
    return { outputs: outOrder(done.outputs as RunResults), state: labelled(done.state, label) };
  };
  const start = labelled(inner.start, label);
  return {
    round,
    start,
    ahead: inner.ahead,
    divisors: inner.divisors,
    step: (values, options) => step(values, options) as Promise<Step<P>>,
    next: async (state, values) => {
      // A chunk without items has the results up to the state.
      const { outputs } = await step({ ...values, ...noItems(rounds.pipeline) }, { state, after: {} });
      requireDivisors({ pipeline: name, divisors: inner.divisors }, values as RunValues, state.to);
      return roundAfter(rounds, at, outputs);
    },
    dispose: () => inner.dispose(),
  };
}

/** Arrays with some names in the opposite order; other values unchanged. */
const turning =
  (nodes: readonly { readonly name: string }[]) =>
  <T extends Readonly<Record<string, unknown>>>(values: T): T => {
    const turned = nodes.flatMap(({ name }) => {
      const array = values[name];
      return typedArrayName(array) === undefined ? [] : [[name, (array as HostArray).slice().reverse()]];
    });
    return turned.length > 0 ? { ...values, ...Object.fromEntries(turned) } : values;
  };

const labelled = (state: State, round: StateRound | undefined): State =>
  round ? { ...state, round } : state;

/** The state without its round. @throws GroupwiseError `bad-state` if it is of another round */
function bare({ round, ...state }: State, own: StateRound, name: string): State {
  if (sameRound(round, own)) return state;
  const of = round ? `round ${round.number} of ${round.of}` : "no round";
  const reason = `it is of ${of}, or of other results of the rounds before; this is round ${own.number} of ${own.of}`;
  throw errorOf("bad-state", { reason }, name);
}

/** The pipeline of a round. Results for later rounds are returned as values. */
function sourceOf(
  source: PipelineSource,
  { pipeline, gives }: Round,
  { number, of }: StateRound,
): PipelineSource {
  const own = Object.fromEntries(gives.map(({ name, type }) => [name, type]));
  const { scalars } = source as { readonly scalars?: unknown };
  const declared = number < of ? own : scalars;
  return { ir: pipeline, ...(declared !== undefined && { scalars: declared }) };
}
