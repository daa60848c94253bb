/** Random float expressions and pipelines against the reference. */

export { carriable } from "../carried/carriable.ts";
export {
  type ChunkedCase,
  chunkedCase,
  cutsOf,
  inChunks,
  inOneRun,
  inputCase,
  joinedOutputs,
} from "../carried/chunked.ts";
export { lineOf } from "./again.ts";
export { differenceOf } from "./compare.ts";
export { type CorpusCase, corpus } from "./corpus.ts";
export type { Finding, FuzzOptions, FuzzReport } from "./fuzz.ts";
export type { FuzzRequest } from "./fuzzing.ts";
export type { CaseRun, RandomCase } from "./make/case.ts";
export { valuesOf } from "./make/case.ts";
export { FLOAT_TYPES, type Float } from "./make/constants.ts";
export { pipelineCase } from "./make/pipelines.ts";
export { type PipelineSize, roundOf } from "./pairs/aims.ts";
export { pairsCase } from "./pairs/document.ts";
export { PAIRS, pairsOf } from "./pairs/table.ts";
export { FUZZERS, type Fuzzer, fuzzDocuments, fuzzExpressions, SEED, TREES_TOGETHER } from "./run.ts";
export { CaseArbitrary, smallest } from "./shrink.ts";
export { whyUnsound } from "./sound.ts";
