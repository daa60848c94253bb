/** The division of the items among work-groups that compute ranks. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import { hasSiblings } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Context } from "../work-groups/context.ts";

/** Lanes whose keys are compared at once: the bits of a word. */
const MOST_LANES = 32;
/** Items of each work-item in a tile: with 256 bins and 256 work-items, a bin then has 16 items of a tile on average, which are written together. */
const ROUNDS = 16;
const WORD_BYTES = 4;

/** The tiles of a rank. All sizes are powers of two. */
export interface Shape {
  readonly workGroupSize: number;
  /** Lanes that compare their keys; the work-group is divided into teams of so many. */
  readonly lanes: number;
  readonly teams: number;
  /** True if a team is a subgroup, whose lanes compare bits of their keys by ballots. */
  readonly ballots: boolean;
  /** Items of a work-item, each in one round: in a round, the lanes of a team have consecutive items. */
  readonly rounds: number;
  /** Items of a work-group. */
  readonly size: number;
  readonly bins: number;
  /** The number of tiles. */
  readonly tiles: Formula;
}

/** The largest work-group for which there is enough memory. */
export function shapeOf(context: Context, bins: number): Shape {
  let shape = shaped(context, context.tiling.workGroupSize, bins);
  while (shape.workGroupSize > 1 && wordsOf(shape) * WORD_BYTES > context.capabilities.workGroupMemory)
    shape = shaped(context, shape.workGroupSize / 2, bins);
  return shape;
}

function shaped({ capabilities }: Context, workGroupSize: number, bins: number): Shape {
  const width = ballotWidth(capabilities);
  const ballots = width > 1 && width <= workGroupSize && hasSiblings(workGroupSize, capabilities.leastGroup);
  const lanes = ballots ? width : Math.min(MOST_LANES, workGroupSize);
  const size = workGroupSize * ROUNDS;
  const tiles = formula("ceil-div", "n", size);
  return { workGroupSize, lanes, teams: workGroupSize / lanes, ballots, rounds: ROUNDS, size, bins, tiles };
}

/** The size of all subgroups; 0 if there are no ballots, or if the size varies or exceeds the bits of a word. */
function ballotWidth({ subgroups }: Context["capabilities"]): number {
  if ("unsupported" in subgroups || !subgroups.ballots) return 0;
  const { minSize, maxSize } = subgroups;
  return minSize === maxSize && maxSize <= MOST_LANES ? maxSize : 0;
}

/**
 * Words of the memory through which items change lanes. Before that it has the counts of ballots, or marks the lanes that have a key, for two
 * rounds by turns.
 */
export const sharedWords = ({ teams, bins, size, ballots }: Shape): number =>
  Math.max((ballots ? 1 : 2) * teams * bins, size);

/** These words, the counts of bins of teams, one word for each bin, and the words by which the lanes add up the counts. */
const wordsOf = (shape: Shape): number =>
  sharedWords(shape) + (shape.ballots ? 0 : shape.teams * shape.bins) + shape.bins + 4 * shape.workGroupSize;
