/** Whether `run --stream` can run a pipeline, for `groupwise check`. */
import type { Pipeline } from "@groupwise/core";
import { roundsOf } from "@groupwise/core/state";
import { isGroupwiseError, type Problem, problemOf } from "../base/problem.ts";

/** How chunks of files are read. */
export interface StreamVerdict {
  /** How often the items are read; absent if the pipeline is refused. */
  readonly rounds?: number;
  /** `backwards`: from the last chunk to the first. */
  readonly order?: "forwards" | "backwards";
  readonly problem?: Problem;
}

/** For files, whose number of items is known. */
export function streamVerdict(pipeline: Pipeline): StreamVerdict {
  try {
    const { list, order } = roundsOf(pipeline, { knowsCount: true });
    return { rounds: list.length, order };
  } catch (error) {
    if (!isGroupwiseError(error)) throw error;
    return { problem: problemOf(error) };
  }
}

/** One line. */
export function printStream({ rounds = 0, order, problem }: StreamVerdict): string {
  if (problem) return `stream: refused: ${problem.where ? `${problem.where}: ` : ""}${problem.what}\n`;
  const again = rounds > 1 ? `, in ${rounds} rounds, so that files are read ${rounds} times` : "";
  return `stream: supported${again}${order === "backwards" ? ", from the last chunk to the first" : ""}\n`;
}
