/** The loop of a stream: while a chunk is computed, the next ones are read and those before are written. */
import type { HostArray, ScalarValue } from "@groupwise/core";
import { type State, type Stepper, streamSteps } from "@groupwise/core/state";
import { chunksFromEnd } from "./backwards.ts";
import { chunksOf } from "./chunks.ts";
import type { Sink } from "./sink.ts";
import type { Source, SourceArrays } from "./sources/source.ts";
import type { Spent } from "./spent.ts";

/** Chunks that are written at a time: the system copies one while the next one is computed and handed over. */
const WRITES = 2;

/** What runs, from where, in which chunks. */
export interface Streaming {
  readonly sources: readonly Source[];
  readonly steps: Pick<Stepper, "start" | "step"> & Partial<Pick<Stepper, "ahead">>;
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
  readonly spent: Spent;
  /** Called when the outputs up to an item are written. */
  readonly onProgress: (items: number) => void;
}

/** The end of a stream. */
export interface Streamed {
  /** The outputs of the last chunk, which has the reduces of the whole range. */
  readonly outputs: SourceArrays;
  readonly state: State;
}

/**
 * Runs all chunks, at least one: reduces have results over no items too. The outputs are written when it returns, under temporary names.
 * @throws GroupwiseError as `chunksOf`, `Stepper.step` and `Sink.write`
 */
export async function streamChunks({ sources, steps, sink, chunk, ...more }: Streaming): Promise<Streamed> {
  const { values, perItem, end, spent, onProgress } = more;
  let { state } = more;
  let outputs: SourceArrays = {};
  spent.on("starting");
  const writes: Promise<void>[] = [];
  try {
    const done = Number(state.to);
    const chunks =
      end === undefined ? chunksOf(sources, done, chunk) : chunksFromEnd(sources, end, done, chunk);
    for await (const step of streamSteps(timed(steps, spent), chunks, { values, state, reuse: WRITES + 1 })) {
      // Results of three chunks at most: these, and those that are written.
      if (writes.length === WRITES) await writes.shift();
      spent.on("writing");
      const from = Number(state.to);
      const to = Number(step.state.to);
      ({ state } = step);
      outputs = step.outputs as SourceArrays;
      const part = Object.fromEntries(perItem.map((name) => [name, outputs[name] as HostArray]));
      const writing = sink.write(end === undefined ? from : end - to, part, state).then(() => onProgress(to));
      writing.catch(() => {}); // a later turn throws it
      writes.push(writing);
    }
    for (const writing of writes) await writing;
    spent.on("writing");
    return { outputs, state };
  } catch (error) {
    await Promise.allSettled(writes);
    throw error;
  }
}

/** Steps whose time is counted; the time before each is that of reading. */
const timed = (steps: Streaming["steps"], spent: Spent): Streaming["steps"] => ({
  start: steps.start,
  ahead: steps.ahead ?? 0,
  step: async (values, options) => {
    spent.on("reading");
    try {
      return await steps.step(values, options);
    } finally {
      spent.on("computing");
    }
  },
});
