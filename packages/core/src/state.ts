/**
 * States: the intermediate results of a pipeline's scans and reduces over the items of a range, as plain data. With the state of all items
 * before a chunk, a pipeline returns for the chunk the bits that it returns for the whole range. A separate entry, so that programs
 * that only emit do not bundle it.
 * @module
 */
export { AT_LAST, HIGHEST, PLACE_BITS } from "./compiler/carry/state.ts";
export type { Carries } from "./compiler/parts/strategy.ts";
export {
  type AcrossExecutable,
  type AcrossOptions,
  type AcrossRunOptions,
  type AcrossRuntimes,
  acrossRuntimes,
} from "./host/across/across.ts";
export type { SplitArray } from "./host/across/split-array.ts";
export type { Split, SplitArrays, SplitRecorder } from "./host/across/split-recorder.ts";
export { ChunkArrays, type ChunkCall, carriedIn, partedFor } from "./host/state/chunk-arrays.ts";
export type { ElementCounts } from "./host/state/elements.ts";
export { emitCarried, emitChunks, planChunks } from "./host/state/emit.ts";
export {
  type Crew,
  divisionOf,
  Parted,
  type PartedLoops,
  type PartedStep,
  type PartPiece,
  type RunPartPiece,
} from "./host/state/parted.ts";
export type { Needs } from "./host/state/pieces.ts";
export {
  type ChunkOptions,
  type ChunkRuntimes,
  type PartOptions,
  type Step,
  type Stepper,
  stepper,
} from "./host/state/stepper.ts";
export { type ChunkInputs, type Chunks, type StreamOptions, streamSteps } from "./host/state/stream.ts";
export { type ChunkRead, countOfChunk } from "./host/streams/chunk-count.ts";
export type { ElementPiece, ElementReader, ElementSource, ReadableSource } from "./host/streams/elements.ts";
export { firstRound } from "./host/streams/round-values.ts";
export {
  type RoundStepper,
  type RoundStepValues,
  type RoundsOptions,
  roundStepper,
  roundsOf,
} from "./host/streams/rounds.ts";
export {
  type ChunkRequest,
  type ReadAgain,
  type RoundChunks,
  type RoundInputs,
  type RoundsStreamOptions,
  type Sources,
  stream,
} from "./host/streams/stream.ts";
export type { Round, Rounds, RoundValue } from "./ir/rounds/rounds.ts";
export { decodeState, encodeState } from "./ir/state/binary.ts";
export { type Carried, type CarriedOptions, type CarriedScan, carriedOf } from "./ir/state/carry.ts";
export { type Combining, type CombiningValue, combiningOf } from "./ir/state/combining.ts";
export type { Block, Total } from "./ir/state/cover.ts";
export type { Division } from "./ir/state/division.ts";
export {
  type BlockJson,
  parseState,
  type RoundJson,
  type ScanJson,
  type StateJson,
  stateToJson,
} from "./ir/state/json.ts";
export { refuseParts } from "./ir/state/parts.ts";
export {
  type CoverState,
  emptyState,
  identityOfState,
  kindOfState,
  mergeStates,
  type RoundResult,
  type ScanState,
  STATE_VERSION,
  type State,
  type StateBuiltin,
  type StateOperator,
  type StateRound,
  type TotalState,
  typesOfState,
} from "./ir/state/state.ts";
export { type ReferenceStep, referenceStep } from "./ir/state/step.ts";
export { totalsOnly } from "./ir/state/totals.ts";
