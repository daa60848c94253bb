/**
 * States: the intermediate results of a pipeline's scans and reduces over the items of a range, as plain data. With the state of all items
 * before a chunk, a pipeline returns for the chunk the bits that it returns for the whole range. A separate entry, so that programs
 * that only emit do not bundle it.
 * @module
 */

export type { Carries } from "@groupwise/lower/parts/strategy.js";
export { AT_LAST, HIGHEST, PLACE_BITS } from "@groupwise/streams/carry/state.js";
export {
  type AcrossExecutable,
  type AcrossOptions,
  type AcrossRunOptions,
  type AcrossRuntimes,
  acrossRuntimes,
} from "@groupwise/streams/host/across/across.js";
export type { SplitArray } from "@groupwise/streams/host/across/split-array.js";
export type { Split, SplitArrays, SplitRecorder } from "@groupwise/streams/host/across/split-recorder.js";
export {
  ChunkArrays,
  type ChunkCall,
  carriedIn,
  partedFor,
} from "@groupwise/streams/host/state/chunk-arrays.js";
export type { ElementCounts } from "@groupwise/streams/host/state/elements.js";
export { emitCarried, emitChunks, planChunks } from "@groupwise/streams/host/state/emit.js";
export {
  type Crew,
  divisionOf,
  Parted,
  type PartedLoops,
  type PartedStep,
  type PartPiece,
  type RunPartPiece,
} from "@groupwise/streams/host/state/parted.js";
export type { Needs } from "@groupwise/streams/host/state/pieces.js";
export {
  type ChunkOptions,
  type ChunkRuntimes,
  type PartOptions,
  type Step,
  type Stepper,
  stepper,
} from "@groupwise/streams/host/state/stepper.js";
export {
  type ChunkInputs,
  type Chunks,
  type StreamOptions,
  streamSteps,
} from "@groupwise/streams/host/state/stream.js";
export { type ChunkRead, countOfChunk } from "@groupwise/streams/host/streams/chunk-count.js";
export type {
  ElementPiece,
  ElementReader,
  ElementSource,
  ReadableSource,
} from "@groupwise/streams/host/streams/elements.js";
export { firstRound } from "@groupwise/streams/host/streams/round-values.js";
export {
  type RoundStepper,
  type RoundStepValues,
  type RoundsOptions,
  roundStepper,
  roundsOf,
} from "@groupwise/streams/host/streams/rounds.js";
export {
  type ChunkRequest,
  type ReadAgain,
  type RoundChunks,
  type RoundInputs,
  type RoundsStreamOptions,
  type Sources,
  stream,
} from "@groupwise/streams/host/streams/stream.js";
export type { Round, Rounds, RoundValue } from "@groupwise/streams/rounds/rounds.js";
export { decodeState, encodeState } from "@groupwise/streams/state/binary.js";
export {
  type Carried,
  type CarriedOptions,
  type CarriedScan,
  carriedOf,
} from "@groupwise/streams/state/carry.js";
export { type Combining, type CombiningValue, combiningOf } from "@groupwise/streams/state/combining.js";
export type { Block, Total } from "@groupwise/streams/state/cover.js";
export type { Division } from "@groupwise/streams/state/division.js";
export {
  type BlockJson,
  parseState,
  type RoundJson,
  type ScanJson,
  type StateJson,
  stateToJson,
} from "@groupwise/streams/state/json.js";
export type { ItemsAfter } from "@groupwise/streams/state/others/ahead.js";
export { refuseParts } from "@groupwise/streams/state/parts.js";
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
} from "@groupwise/streams/state/state.js";
export { type ReferenceStep, referenceStep } from "@groupwise/streams/state/step.js";
export { totalsOnly } from "@groupwise/streams/state/totals.js";
