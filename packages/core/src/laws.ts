/**
 * Tests the laws of operators on values: associativity, commutativity and identity. A separate entry, so that
 * programs that only emit do not bundle it.
 * @module
 */

export { checkLaws, pipelineLaws } from "@groupwise/ir/laws/check-laws.js";
export { type Judgement, ROUNDINGS } from "@groupwise/ir/laws/judge.js";
export {
  type Counterexample,
  type Held,
  LAWS,
  type Law,
  type LawResult,
  type LawsOptions,
  type OperatorLaws,
  type PipelineLawsOptions,
} from "@groupwise/ir/laws/law.js";
export { printLaws } from "@groupwise/ir/laws/print.js";
export { type Random, randomOf } from "@groupwise/ir/laws/random.js";
export type { NamedState, State } from "@groupwise/ir/laws/state.js";
