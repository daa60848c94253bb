/** The loop of a stream: while a chunk is computed, the next one is read and the one before is written. */
import type { HostArray, ScalarValue } from "@groupwise/core";
import { type State, type Stepper, streamSteps } from "@groupwise/core/state";
import { chunksFromEnd } from "./backwards.ts";
import { chunksOf } from "./chunks.ts";
import type { Sink } from "./sink.ts";
import type { Arrays, Source } from "./sources/source.ts";

/** What runs, from where, in which chunks. */
export interface Streaming {
  readonly sources: readonly Source[];
  readonly steps: Pick<Stepper, "start" | "step">;
  /** Parameters and tables, which all chunks share. */
  readonly values: Readonly<Record<string, HostArray | ScalarValue>>;
  /** Where the outputs of items are written. */
  readonly sink: Sink;
  /** Their names. */
  readonly perItem: readonly string[];
  /** The state of all items before the first chunk. */
  readonly state: State;
  /** The number of items, if chunks come from the last to the first. */
  readonly end?: number | undefined;
  /** Items of a chunk. */
  readonly chunk: number;
  /** Called when the outputs up to an item are written. */
  readonly onProgress: (items: number) => void;
}

/** The end of a stream. */
export interface Streamed {
  /** The outputs of the last chunk, which has the reduces of the whole range. */
  readonly outputs: Arrays;
  readonly state: State;
}

/**
 * Runs all chunks, at least one: reduces have results over no items too. The outputs are written when it returns, under temporary names.
 * @throws GroupwiseError as `chunksOf`, `Stepper.step` and `Sink.write`
 */
export async function streamChunks({ sources, steps, sink, chunk, ...more }: Streaming): Promise<Streamed> {
  const { values, perItem, end, onProgress } = more;
  let { state } = more;
  let outputs: Arrays = {};
  let writing: Promise<void> = Promise.resolve();
  try {
    const done = Number(state.to);
    const chunks =
      end === undefined ? chunksOf(sources, done, chunk) : chunksFromEnd(sources, end, done, chunk);
    for await (const step of streamSteps(steps, chunks, { values, state })) {
      // Results of two chunks at most: these, and those that are written.
      await writing;
      const from = Number(state.to);
      const to = Number(step.state.to);
      ({ state } = step);
      outputs = step.outputs as Arrays;
      const part = Object.fromEntries(perItem.map((name) => [name, outputs[name] as HostArray]));
      writing = sink.write(end === undefined ? from : end - to, part, state).then(() => onProgress(to));
      writing.catch(() => {}); // the next turn throws it
    }
    await writing;
    return { outputs, state };
  } catch (error) {
    await writing.catch(() => {});
    throw error;
  }
}
