/** Pipelines over streams: chunk by chunk, with one chunk in memory. */
import type { State } from "../../ir/state/state.ts";
import type { Runtime } from "../api/runtime.ts";
import type { PipelineSource } from "../api/target.ts";
import type { InferInputs, InferParams, InferTables, RunValues, TypedPipeline } from "../api/typed.ts";
import { optionsOf, recordOf } from "../checks/arguments.ts";
import { type Step, stepper } from "./stepper.ts";

/** The inputs of a chunk by name: arrays of one length. */
export type ChunkInputs<P> = P extends TypedPipeline ? InferInputs<P> : RunValues;

/** Options of a stream. */
export interface StreamOptions<P> {
  /** Parameters and tables by name, the same for all chunks. */
  readonly values?: P extends TypedPipeline ? InferParams<P> & InferTables<P> : RunValues;
  /** The state of all items before the first chunk; default: it is the first of the range. */
  readonly state?: State;
}

/**
 * Runs a pipeline over a stream: for each chunk it returns the outputs of a run over the whole range for these items, and the state up to its end. Chunks may have any length,
 * including 0, and the results do not depend on the lengths. A chunk is requested after the caller has taken the results of the previous one, so one
 * chunk is in memory at a time. If the caller stops early, the source is closed.
 * @param chunks an iterable, a Node stream in object mode or a web stream, of the inputs of each chunk
 * @throws GroupwiseError as `stepper` and its `step`; errors of the source
 */
export async function* stream<P extends PipelineSource>(
  runtime: Runtime,
  source: P,
  chunks: AsyncIterable<ChunkInputs<P>> | Iterable<ChunkInputs<P>>,
  options?: StreamOptions<P>,
): AsyncGenerator<Step<P>, void, undefined> {
  const { values = {}, state } = optionsOf(options, ["values", "state"], "the options of a stream");
  const shared = recordOf(values, "the values of a stream");
  const steps = await stepper(runtime, source);
  try {
    let before = (state ?? steps.start) as State;
    for await (const chunk of chunks) {
      const inputs = recordOf(chunk, "a chunk");
      const step = await steps.step({ ...shared, ...inputs } as never, { state: before });
      before = step.state;
      yield step;
    }
  } finally {
    steps.dispose();
  }
}
