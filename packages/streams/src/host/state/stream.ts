/** Compiled pipelines over streams: chunk by chunk, while the next one is read. */
import { having, requireArgument } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import { kindOf } from "@groupwise/runtime/api/host-view.js";
import type { PipelineSource } from "@groupwise/runtime/api/target.js";
import type {
  InferInputs,
  InferParams,
  InferTables,
  RunValues,
  TypedPipeline,
} from "@groupwise/runtime/api/typed.js";
import { optionsOf, recordOf } from "@groupwise/runtime/checks/arguments.js";
import type { State } from "../../state/state.ts";
import { requireDivisors } from "./divisors.ts";
import { type WithLater, withLater } from "./later.ts";
import type { Step, Stepper } from "./stepper.ts";

/** The inputs of a chunk by name: arrays of one length. */
export type ChunkInputs<P> = P extends TypedPipeline ? InferInputs<P> : RunValues;

/** Chunks, each with the inputs by name. */
export type Chunks<P> = AsyncIterable<ChunkInputs<P>> | Iterable<ChunkInputs<P>>;

/** Options of a stream. */
export interface StreamOptions<P> {
  /** Parameters and tables by name, the same for all chunks. */
  readonly values?: P extends TypedPipeline ? InferParams<P> & InferTables<P> : RunValues;
  /** The state of all items before the first chunk; default: it is the first of the range. */
  readonly state?: State;
  /**
   * Whether the next chunk is requested before the current one is computed, if the source is asynchronous; default: true. False for sources that wait for
   * events: a caller that stops then waits for no further chunk, and none is read that the caller does not get.
   */
  readonly readAhead?: boolean;
  /**
   * A number of steps after which the arrays of outputs are written again, which takes less time than new ones: those of a step are valid until as many later steps are
   * requested. Default: all steps have new arrays. Runtimes whose arrays are in another memory always return new ones.
   */
  readonly reuse?: number;
}

/**
 * As `stream`, with a pipeline that is compiled: several streams can share it.
 * @param steps the caller disposes of it
 * @throws GroupwiseError as `Stepper.step`; errors of the source, and `bad-divisor`, after the results of all chunks before
 * @example
 * ```ts
 * import { f32, outputs, pipeline } from "@groupwise/dsl";
 * import { stepper, streamSteps } from "@groupwise/core/state";
 * import { jsRuntime } from "@groupwise/target-js/runtime";
 *
 * const sums = pipeline("sums", { x: f32 }, ({ x }) => ({ y: x.scanInclusive("add") }));
 * const steps = await stepper(jsRuntime(), sums);
 * const found: number[] = [];
 * for await (const { outputs } of streamSteps(steps, [{ x: Float32Array.of(1, 2) }, { x: Float32Array.of(3) }])) found.push(...outputs.y);
 * console.log(found); // [1, 3, 6]
 * ```
 */
export async function* streamSteps<P extends PipelineSource>(
  steps: Pick<Stepper<P>, "start" | "step"> & Partial<Pick<Stepper<P>, "ahead" | "divisors">>,
  chunks: Chunks<P>,
  options?: StreamOptions<P>,
): AsyncGenerator<Step<P>, void, undefined> {
  requireArgument(steps, STEPPER, "the stepper");
  const given = optionsOf(options, OPTIONS, "the options of a stream");
  const { values = {}, state, readAhead = true, reuse } = given;
  const spare = inTurn(reuse);
  const shared = recordOf(values, "the values of a stream");
  let before = (state ?? steps.start) as State;
  const { divisors = [], start } = steps;
  let ofLast = shared;
  requireChunks(chunks);
  for await (const { inputs, ...later } of inTime(chunks, readAhead === true, steps.ahead ?? 0)) {
    const options = { state: before, ...later, ...spare.next() };
    const all: Readonly<Record<string, unknown>> = { ...shared, ...inputs };
    ofLast = Object.fromEntries(divisors.map((name) => [name, all[name]]));
    const step = await steps.step(all as never, options);
    before = step.state;
    spare.add(step.outputs);
    yield step;
  }
  requireDivisors({ pipeline: start.pipeline, divisors }, ofLast, before.to);
}

/** The chunks, read ahead if a step needs the items after a chunk or the caller wants it. */
async function* inTime<P>(
  chunks: Chunks<P>,
  readAhead: boolean,
  items: number,
): AsyncGenerator<Omit<WithLater, "after"> & Partial<WithLater>, void, undefined> {
  const checked = records(readAhead && items === 0 && isAsync(chunks) ? ahead(chunks) : chunks);
  if (items > 0) yield* withLater(checked, items);
  else for await (const inputs of checked) yield { inputs };
}

async function* records(chunks: AsyncIterable<unknown> | Iterable<unknown>) {
  for await (const chunk of chunks) yield recordOf(chunk, "a chunk");
}

const OPTIONS = ["values", "state", "readAhead", "reuse"] as const;

const STEPPER = /*@__PURE__*/ having("the result of `stepper`", "step");

type Outputs = Readonly<Record<string, unknown>>;

/** The outputs of earlier steps, each of which a later step uses. @throws GroupwiseError `bad-argument` */
function inTurn(reuse: unknown): { add(outputs: Outputs): void; next(): { readonly spare?: Outputs } } {
  if (reuse !== undefined && !(Number.isSafeInteger(reuse) && (reuse as number) > 0)) {
    const got = typeof reuse === "number" ? String(reuse) : kindOf(reuse);
    throw errorOf("bad-argument", { what: "the option reuse", want: "a number of steps from 1 on", got });
  }
  const held: Outputs[] = [];
  return {
    add: (outputs) => void (reuse !== undefined && held.push(outputs)),
    next: () => (held.length === reuse ? { spare: held.shift() as Outputs } : {}),
  };
}

const isAsync = <T>(source: AsyncIterable<T> | Iterable<T>): source is AsyncIterable<T> =>
  typeof (source as Partial<AsyncIterable<T>>)[Symbol.asyncIterator] === "function";

function requireChunks(chunks: unknown): void {
  const isObject = typeof chunks === "object" && chunks !== null;
  if (isObject && (isAsync(chunks as never) || Symbol.iterator in chunks)) return;
  const want = "an iterable, or an asynchronous one, of objects with the inputs of a chunk";
  throw errorOf("bad-argument", { what: "the chunks of a stream", want, got: kindOf(chunks) });
}

/** Passes chunks on; each one is requested before the one before it is passed on. */
async function* ahead<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const reader = source[Symbol.asyncIterator]();
  let isOpen = true;
  const end = (): void => {
    isOpen = false;
  };
  const read = (): Promise<IteratorResult<T>> => {
    const reading = (async () => reader.next())();
    // An error is thrown when its chunk is due; if the caller stops before, no one waits for it.
    reading.then(({ done }) => done && end(), end);
    return reading;
  };
  try {
    for (let reading = read(); ; ) {
      const { done, value } = await reading;
      if (done) return;
      reading = read();
      yield value;
    }
  } finally {
    if (isOpen) await reader.return?.();
  }
}
