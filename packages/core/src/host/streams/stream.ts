/** Pipelines over streams: chunk by chunk, with one chunk in memory. */
import { errorOf } from "../../ir/base/errors.ts";
import { check } from "../../ir/document/check.ts";
import type { Round, Rounds } from "../../ir/rounds/rounds.ts";
import { refuseUncarried } from "../../ir/state/refuse.ts";
import type { State, StateRound } from "../../ir/state/state.ts";
import { kindOf } from "../api/host-view.ts";
import type { Runtime } from "../api/runtime.ts";
import { type PipelineSource, pipelineOf } from "../api/target.ts";
import type { InferInputs, InferParams, InferTables, RunValues, TypedPipeline } from "../api/typed.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import type { Step } from "../state/stepper.ts";
import { firstRound } from "./round-values.ts";
import { roundStepper, roundsOf } from "./rounds.ts";

/** The inputs of a chunk by name: arrays of one length. */
export type ChunkInputs<P> = P extends TypedPipeline ? InferInputs<P> : RunValues;

/** Chunks: an iterable, a Node stream in object mode or a web stream, of the inputs of each chunk. */
export type Chunks<P> = AsyncIterable<ChunkInputs<P>> | Iterable<ChunkInputs<P>>;

/** What a round reads. */
export interface ChunkRequest {
  /** From 1. */
  readonly round: number;
  /** The number of rounds. */
  readonly rounds: number;
  /** The first item: 0, except in the first round after a stream continues from a state. */
  readonly from: bigint;
  /** The names of the inputs that the round needs; chunks may have others too. */
  readonly inputs: readonly string[];
}

/** A source that can be read several times: a function that returns the chunks for each round. */
export type ReadAgain<P> = (request: ChunkRequest) => RoundChunks<P> | Promise<RoundChunks<P>>;

/** Chunks of a round, without or with the inputs that it does not read. */
export type RoundChunks<P> = AsyncIterable<RoundInputs<P>> | Iterable<RoundInputs<P>>;
/** The inputs of a chunk in a round by name: arrays of one length. */
export type RoundInputs<P> = P extends TypedPipeline ? Partial<InferInputs<P>> : RunValues;

/** Options of a stream. */
export interface StreamOptions<P> {
  /** Parameters and tables by name, the same for all chunks. */
  readonly values?: P extends TypedPipeline ? InferParams<P> & InferTables<P> : RunValues;
  /** The state of all items before the first chunk; default: it is the first of the range. */
  readonly state?: State;
  /** The number of all items, if it is known: a pipeline that computes with it then needs no round to count them. */
  readonly n?: number;
}

/**
 * Runs a pipeline over a stream: for each chunk it returns the outputs of a run over the whole range for these items, and the state up to its end. Chunks may have any length,
 * including 0, and the results do not depend on the lengths. A chunk is requested after the caller has taken the results of the previous one, so one
 * chunk is in memory at a time. If the caller stops early, the source is closed.
 *
 * A pipeline in which items need the result of a reduce reads its items in several rounds: pass a function that returns the chunks for each. The steps
 * of the last round are returned. In them, a reduce whose result an earlier round computed has its result for the whole range.
 * @param chunks an iterable, a Node stream in object mode or a web stream, of the inputs of each chunk; or a function that returns one
 * @throws GroupwiseError `not-carried` if the pipeline needs several rounds and `chunks` can be read once; `bad-argument` if rounds read
 * different numbers of items; as `stepper` and its `step`; errors of the source
 */
export async function* stream<P extends PipelineSource>(
  runtime: Runtime,
  source: P,
  chunks: Chunks<P> | ReadAgain<P>,
  options?: StreamOptions<P>,
): AsyncGenerator<Step<P>, void, undefined> {
  const { values = {}, state, n } = optionsOf(options, ["values", "state", "n"], "the options of a stream");
  const shared = recordOf(values, "the values of a stream");
  const count = itemsOf(n);
  const rounds = roundsOf(source, { knowsCount: count !== undefined });
  if (typeof chunks !== "function" && rounds.list.length > 1)
    refuseUncarried(check(pipelineOf(source)), count !== undefined);
  let before = state as State | undefined;
  let at = before?.round ?? firstRound(rounds, count);
  let total = count === undefined ? undefined : BigInt(count);
  for (;;) {
    const steps = await roundStepper(runtime, source, rounds, at);
    try {
      let reached = before ?? steps.start;
      const isLast = at.number === rounds.list.length;
      const read = typeof chunks === "function" ? await chunks(requestOf(steps.round, at, reached)) : chunks;
      for await (const chunk of read) {
        const inputs = recordOf(chunk, "a chunk");
        const step = await steps.step({ ...shared, ...inputs } as never, { state: reached });
        reached = step.state;
        if (isLast) yield step;
      }
      total = sameCount(total, reached.to, at, rounds);
      if (isLast) return;
      at = await steps.next(reached, shared as never);
    } finally {
      steps.dispose();
    }
    before = undefined;
  }
}

function itemsOf(n: unknown): number | undefined {
  if (n === undefined || (Number.isSafeInteger(n) && (n as number) >= 0)) return n as number | undefined;
  const got = typeof n === "number" ? String(n) : kindOf(n);
  throw errorOf("bad-argument", { what: "the option n", want: "a number of items", got });
}

const requestOf = ({ reads }: Round, { number, of }: StateRound, { to }: State): ChunkRequest => ({
  round: number,
  rounds: of,
  from: to,
  inputs: reads,
});

/** The number of items of every round. @throws GroupwiseError `bad-argument` */
function sameCount(
  total: bigint | undefined,
  read: bigint,
  { number }: StateRound,
  { list, items, pipeline }: Rounds,
): bigint {
  const isFree = total === undefined || (list.length === 1 && !items);
  if (isFree || read === total) return read;
  const want = `one of ${total} items in every round`;
  throw errorOf("bad-argument", { what: "the source", want, got: `one of ${read} in round ${number}` }, pipeline.name);
}
