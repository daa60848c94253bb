/** Pipelines over streams: chunk by chunk, with one chunk in memory. */
import { errorOf } from "@groupwise/ir/base/errors.js";
import { check } from "@groupwise/ir/document/check.js";
import type { HostArray } from "@groupwise/ir/tables/scalar.js";
import { kindOf } from "@groupwise/runtime/api/host-view.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import { type PipelineSource, pipelineOf } from "@groupwise/runtime/api/target.js";
import type { InferInputs, RunValues, TypedPipeline } from "@groupwise/runtime/api/typed.js";
import { optionsOf } from "@groupwise/runtime/checks/arguments.js";
import { mirroredOf } from "../../rounds/mirror.ts";
import type { Round, Rounds } from "../../rounds/rounds.ts";
import { refuseAlways, refuseUncarried } from "../../state/refuse.ts";
import type { State, StateRound } from "../../state/state.ts";
import type { ChunkRuntimes, Step } from "../state/stepper.ts";
import { type Chunks, type StreamOptions, streamSteps } from "../state/stream.ts";
import { chunksOfElements, type ElementSource } from "./elements.ts";
import { firstRound } from "./round-values.ts";
import { roundStepper, roundsOf } from "./rounds.ts";

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
export type ReadAgain<P> = (
  request: ChunkRequest,
) => RoundChunks<P> | Sources<P> | Promise<RoundChunks<P> | Sources<P>>;

/** One source for each input by name: bytes or typed arrays in pieces of any length. */
export type Sources<P> = P extends TypedPipeline
  ? { readonly [K in keyof InferInputs<P>]?: ElementSource<InferInputs<P>[K]> }
  : Readonly<Record<string, ElementSource<HostArray>>>;

/** Chunks of a round, without or with the inputs that it does not read. */
export type RoundChunks<P> = AsyncIterable<RoundInputs<P>> | Iterable<RoundInputs<P>>;
/** The inputs of a chunk in a round by name: arrays of one length. */
export type RoundInputs<P> = P extends TypedPipeline ? Partial<InferInputs<P>> : RunValues;

/** Options of a stream in rounds. */
export interface RoundsStreamOptions<P> extends StreamOptions<P> {
  /** The number of all items, if it is known: a pipeline that computes with it then needs no round to count them. */
  readonly n?: number;
  /**
   * `end` for a pipeline whose scans begin at the last item: the chunks come from the last to the first, each with its items in the order of the range, and states
   * count items from the end. Default: `start`.
   */
  readonly from?: "start" | "end";
  /** Items of a chunk, for a source for each input. Default: 2^20. */
  readonly chunk?: number;
}

/**
 * Runs a pipeline over a stream: for each chunk it returns the outputs of a run over the whole range for these items, and the state up to its end. Chunks may have any length,
 * including 0, and the results do not depend on the lengths. An asynchronous source is read ahead by one chunk: the next one is requested before the
 * current one is computed. A chunk is requested only when the results of the one before the current have been taken, so at most two are in
 * memory, and a source can fill two sets of arrays in turn. If the caller stops early, or a step fails, the source is closed.
 *
 * A pipeline in which items need the result of a reduce reads its items in several rounds: pass a function that returns the chunks for each round. The steps
 * of the last round are returned. In them, a reduce whose result an earlier round computed has its result for the whole range.
 * @param runtime one runtime, or several that `acrossRuntimes` returns, each of which computes a part of every chunk
 * @param chunks an iterable, a Node stream in object mode or a web stream, of the inputs of each chunk; or an object with a source for each input, for example
 * `{ x: createReadStream("x.f32") }`; or a function that returns one of these
 * @throws GroupwiseError `not-carried` if the pipeline needs several rounds and `chunks` can be read once; `bad-argument` if rounds read
 * different numbers of items; as `stepper` and its `step`; errors of the source, after the results of all chunks before
 * @example
 * ```ts
 * import { f32, outputs, pipeline } from "@groupwise/dsl";
 * import { stream } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const chunks = [{ x: Float32Array.of(1, 2) }, { x: Float32Array.of(3) }];
 * const found: number[] = [];
 * for await (const { outputs } of stream(jsRuntime(), sums, chunks)) found.push(...outputs.y);
 * console.log(found); // [1, 3, 6]
 * ```
 */
export async function* stream<P extends PipelineSource>(
  runtime: Runtime | ChunkRuntimes,
  source: P,
  chunks: Chunks<P> | Sources<P> | ReadAgain<P>,
  options?: RoundsStreamOptions<P>,
): AsyncGenerator<Step<P>, void, undefined> {
  const {
    n,
    state,
    from = "start",
    chunk,
    ...shared
  } = optionsOf(options, OPTIONS, "the options of a stream");
  const count = itemsOf(n, "n");
  const size = itemsOf(chunk, "chunk");
  const rounds = roundsOf(source, { knowsCount: count !== undefined });
  requireOrder(rounds, from, source);
  if (typeof chunks !== "function" && rounds.list.length > 1) refuseOnce(rounds, source, count);
  let before = state as State | undefined;
  let at = roundOf(rounds, before, count);
  let total = count === undefined ? undefined : BigInt(count);
  for (;;) {
    const steps = await roundStepper(runtime, source, rounds, at);
    try {
      let reached = before ?? steps.start;
      const isLast = at.number === rounds.list.length;
      const given = typeof chunks === "function" ? await chunks(requestOf(steps.round, at, reached)) : chunks;
      const read = inChunks(given, source, size);
      const each = streamSteps(steps as never, read as Chunks<P>, { ...shared, state: reached } as never);
      for await (const step of each as AsyncIterable<Step<P>>) {
        reached = step.state;
        if (isLast) yield step;
      }
      total = sameCount(total, reached.to, at, rounds);
      if (isLast) return;
      at = await steps.next(reached, (shared.values ?? {}) as never);
    } finally {
      steps.dispose();
    }
    before = undefined;
  }
}

const OPTIONS = ["values", "state", "readAhead", "reuse", "n", "from", "chunk"] as const;

/** The chunks of a round. An object that is no iterable has a source for each input. */
function inChunks(given: unknown, source: PipelineSource, size: number | undefined): unknown {
  const isRecord = typeof given === "object" && given !== null && Object.keys(given).length > 0;
  if (!isRecord || "getReader" in given || Symbol.asyncIterator in given || Symbol.iterator in given)
    return given;
  const { inputs, pipeline } = check(pipelineOf(source));
  return chunksOfElements({ pipeline: pipeline.name, inputs, size }, given as Record<string, unknown>);
}

/** @throws GroupwiseError `not-carried` */
function refuseOnce({ order, list }: Rounds, source: PipelineSource, n: number | undefined): never {
  const checked = check(pipelineOf(source));
  refuseUncarried(order === "backwards" ? mirroredOf(checked) : checked, n !== undefined);
  throw errorOf("not-carried", { what: "the pipeline", reason: `it reads its items ${list.length} times` });
}

/** Chunks in the wrong order would give other results. @throws GroupwiseError `not-carried`, `bad-argument` */
function requireOrder({ order, pipeline }: Rounds, from: unknown, source: PipelineSource): void {
  if (from === (order === "backwards" ? "end" : "start")) return;
  if (from === "start") refuseAlways(check(pipelineOf(source)));
  const want = order === "backwards" ? '"end"' : '"start" where no scan begins at the last item';
  throw errorOf("bad-argument", { what: "the option from", want, got: String(from) }, pipeline.name);
}

/** The round of a state. @throws GroupwiseError `bad-state` if it is of another number of items; `too-many-items` */
function roundOf(rounds: Rounds, state: State | undefined, n: number | undefined): StateRound {
  const first = firstRound(rounds, n);
  const own = state?.round;
  const [items] = first.results;
  if (!own || !items || own.results[0]?.value === items.value) return own ?? first;
  const reason = `it is of a range of ${own.results[0]?.value} items, not of ${n}`;
  throw errorOf("bad-state", { reason }, rounds.pipeline.name);
}

function itemsOf(n: unknown, name: "n" | "chunk"): number | undefined {
  const least = name === "chunk" ? 1 : 0;
  if (n === undefined || (Number.isSafeInteger(n) && (n as number) >= least)) return n as number | undefined;
  const got = typeof n === "number" ? String(n) : kindOf(n);
  throw errorOf("bad-argument", { what: `the option ${name}`, want: "a number of items", got });
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
  throw errorOf(
    "bad-argument",
    { what: "the source", want, got: `one of ${read} in round ${number}` },
    pipeline.name,
  );
}
