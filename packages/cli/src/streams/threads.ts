/** The threads that compute a chunk. */
import type { PipelineSource } from "@groupwise/core";
import { type Division, divisionOf, type Rounds } from "@groupwise/core/state";
import { isGroupwiseError } from "../base/problem.ts";

/** The division of a pipeline, or the reason why one thread computes it. */
function divisionOrWhy(pipeline: PipelineSource): { readonly division: Division } | { readonly why: string } {
  try {
    return { division: divisionOf(pipeline) };
  } catch (error) {
    if (!isGroupwiseError(error) || error.code !== "not-carried") throw error;
    return { why: error.what };
  }
}

const DIVISIONS: Readonly<Record<Division, string>> = {
  map: "any number, each for a part of the range",
  reduce: "any number, each for a part of the range; the states of parts are merged",
  scan: "any number; first they compute the states of parts of the range, then the items of the parts",
};

/** The threads of a run with `--workers`, or of the function of `emit --openmp`. */
export function threadsFor(pipeline: PipelineSource): string {
  const found = divisionOrWhy(pipeline);
  return "why" in found ? `1: ${found.why}` : DIVISIONS[found.division];
}

/** As `threadsFor`, for each chunk of a stream. */
export const threadsForChunks = (pipeline: PipelineSource): string =>
  threadsFor(pipeline).replaceAll("the range", "a chunk");

/** The reason why one worker computes all items. */
export function notesOnParts(pipeline: PipelineSource): string[] {
  const found = divisionOrWhy(pipeline);
  return "why" in found ? [`one worker computes all items: ${found.why}`] : [];
}

/** The same for the rounds of a stream. */
export const notesOnRounds = ({ list }: Rounds): string[] =>
  list.flatMap(({ number, pipeline }) =>
    notesOnParts(pipeline).map((note) => (list.length > 1 ? `round ${number}: ${note}` : note)),
  );
