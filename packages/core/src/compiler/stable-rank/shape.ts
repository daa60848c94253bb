/** How work-groups divide the items whose ranks they find. */
import { type Formula, formula } from "../../ir/base/formula.ts";
import type { Context } from "../work-groups/context.ts";

/** Lanes whose keys are compared at once: the bits of a word. */
const MOST_LANES = 32;
/** Items of each work-item in a tile: a bin of 256 then has 16 of a tile of 256 work-items, which are written together. */
const ROUNDS = 16;
const WORD_BYTES = 4;

/** The tiles of a rank. All sizes are powers of two. */
export interface Shape {
  readonly workGroupSize: number;
  /** Lanes that compare their keys; the work-group is divided into teams of so many. */
  readonly lanes: number;
  readonly teams: number;
  /** Items of a work-item: a team has the rounds' items one after the other, in each round one for a lane. */
  readonly rounds: number;
  /** Items of a work-group. */
  readonly size: number;
  readonly bins: number;
  /** The number of tiles. */
  readonly tiles: Formula;
}

/** The largest work-group for which there is enough memory. */
export function shapeOf({ tiling, capabilities: { workGroupMemory } }: Context, bins: number): Shape {
  let shape = shaped(tiling.workGroupSize, bins);
  while (shape.workGroupSize > 1 && wordsOf(shape) * WORD_BYTES > workGroupMemory)
    shape = shaped(shape.workGroupSize / 2, bins);
  return shape;
}

function shaped(workGroupSize: number, bins: number): Shape {
  const lanes = Math.min(MOST_LANES, workGroupSize);
  const size = workGroupSize * ROUNDS;
  const tiles = formula("ceil-div", "n", size);
  return { workGroupSize, lanes, teams: workGroupSize / lanes, rounds: ROUNDS, size, bins, tiles };
}

/** Words that tell which lanes have a key, for two rounds by turns; later a word of each item. */
export const peerWords = ({ teams, bins, size }: Shape): number => Math.max(2 * teams * bins, size);

/** Those, a count for each bin of each team, two for each bin, and what the lanes exchange to add them up. */
const wordsOf = (shape: Shape): number =>
  peerWords(shape) + (shape.teams + 2) * shape.bins + 4 * shape.workGroupSize;
