/** Streams in rounds: the chunks of all sources are read once for each round; the last one writes the outputs. */
import { performance } from "node:perf_hooks";
import type { Checked, Runtime } from "@groupwise/core";
import { firstRound, type Rounds, roundStepper, type State } from "@groupwise/core/state";
import type { Surroundings } from "../base/outcome.ts";
import { badFile, badUsage } from "../base/problem.ts";
import { endOf } from "./backwards.ts";
import { type Streamed, type Streaming, streamChunks } from "./loop.ts";
import { progressText } from "./progress.ts";
import type { Source } from "./sources/source.ts";

/** What runs in all rounds. */
export interface StreamingRounds extends Omit<Streaming, "steps" | "state" | "onProgress"> {
  readonly runtime: Runtime;
  readonly checked: Checked;
  readonly rounds: Rounds;
  /** The state from which the stream continues, with its round; undefined at the beginning. */
  readonly state: State | undefined;
  /** The number of items, if it is known before they are read. */
  readonly length: number | undefined;
  readonly progress: Surroundings["progress"];
}

const sourcesFor = (sources: readonly Source[], reads: readonly string[]): readonly Source[] =>
  sources.filter(({ names }) => names.some((name) => reads.includes(name)));

/**
 * Requires that every source can be read as often as rounds need it, and in their order.
 * @throws GroupwiseError `bad-usage`
 */
export function requireAgain(rounds: Rounds, sources: readonly Source[]): void {
  const { list } = rounds;
  endOf(rounds, sources);
  for (const source of sources.filter(({ isReadOnce }) => isReadOnce)) {
    const readers = list.filter(({ reads }) => source.names.some((name) => reads.includes(name)));
    if (readers.length < 2) continue;
    const numbers = readers.map(({ number }) => number).join(", ");
    throw badUsage(
      `the pipeline needs results of all items, so the rounds ${numbers} of ${list.length} read ${source.names.join(", ")}, which comes from a pipe`,
      "pass a file, which can be read more than once",
    );
  }
}

/**
 * Runs the rounds from that of the state on.
 * @throws GroupwiseError `bad-file` if a file changed its length between two rounds; as `roundStepper` and `streamChunks`
 */
export async function streamRounds(streaming: StreamingRounds): Promise<Streamed> {
  const { runtime, checked, rounds, length, values, progress, ...all } = streaming;
  let state = streaming.state;
  let at = state?.round ?? firstRound(rounds, length);
  let items = length;
  for (;;) {
    const steps = await roundStepper(runtime, checked.pipeline, rounds, at);
    try {
      const { number, reads } = steps.round;
      const isLast = number === rounds.list.length;
      const sources = sourcesFor(all.sources, reads);
      const course = { from: Number(state?.to ?? 0), length: items, start: performance.now() };
      const onProgress = (reached: number): void => {
        const text = progressText(reached, { ...course, milliseconds: performance.now() - course.start });
        progress.show(rounds.list.length > 1 ? `round ${number} of ${rounds.list.length}: ${text}` : text);
      };
      const own = {
        ...all,
        values,
        sources,
        end: endOf(rounds, sources),
        perItem: isLast ? all.perItem : [],
        onProgress,
      };
      const ran = await streamChunks({ ...own, steps, state: state ?? steps.start });
      const read = Number(ran.state.to);
      if (items !== undefined && read !== items)
        throw badFile(
          all.sources[0]?.names.join(", ") ?? "",
          `it had ${items} items before round ${number}, and ${read} in it`,
        );
      items = read;
      if (isLast) {
        progress.clear();
        return ran;
      }
      at = await steps.next(ran.state, values);
    } finally {
      steps.dispose();
    }
    state = undefined;
  }
}
