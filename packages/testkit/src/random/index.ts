/** Random float expressions and pipelines against the reference. */
export type { CaseRun, RandomCase } from "./case.ts";
export { valuesOf } from "./case.ts";
export { differenceOf } from "./compare.ts";
export { FLOAT_TYPES, type Float } from "./constants.ts";
export { type Finding, type FuzzOptions, type FuzzReport, fuzzExpressions } from "./run.ts";
export { CaseArbitrary, smallest } from "./shrink.ts";
