/** MPI libraries of this machine, and a program of ranks that compares cuts of a range. */

export { numbers } from "../data/random.ts";
export {
  AGAIN,
  againInputs,
  referenceOf,
  rounds,
  shares,
  turned,
  turnedRounds,
  withOneNan,
  writeAgain,
} from "./again.ts";
export {
  ARRAYS,
  callFrom,
  carried,
  inputsOf,
  outputBytes,
  raw,
} from "./carried.ts";
export { findMpi, LIBRARIES, type Mpi } from "./libraries.ts";
export {
  type PickedInputs,
  picked,
  pickedBytes,
  pickedInputs,
  pickedOutputs,
  SELECTIONS,
} from "./picked.ts";
export { type Cut, type Layout, layoutOf, ranksMain, wordsOf } from "./program.ts";
export {
  CUTS,
  carriedMain,
  FULL_CUTS,
  LONG,
  problemsOf,
  type Whole,
  writeItems,
  writePicked,
} from "./ranks.ts";
