/** Random float expressions and pipelines against the reference. */
export type { CaseRun, RandomCase } from "./case.ts";
export { valuesOf } from "./case.ts";
export { differenceOf } from "./compare.ts";
export { FLOAT_TYPES, type Float } from "./constants.ts";
export { type CorpusCase, corpus } from "./corpus.ts";
export { FUZZERS, type Fuzzer } from "./fuzzers.ts";
export { type PipelineSize, pipelineCase } from "./pipelines.ts";
export {
  type Finding,
  type FuzzOptions,
  type FuzzReport,
  fuzzDocuments,
  fuzzExpressions,
  fuzzPipelines,
  SEED,
} from "./run.ts";
export { CaseArbitrary, smallest } from "./shrink.ts";
export { whyUnsound } from "./sound.ts";
