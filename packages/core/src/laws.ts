/**
 * The laws of operators, tried on values: associative, commutative, and what the identity promises. An entry of
 * its own, so that what only emits does not carry it.
 * @module
 */

export {
  type Counterexample,
  checkLaws,
  type Held,
  LAWS,
  type Law,
  type LawResult,
  type LawsOptions,
  type OperatorLaws,
  type PipelineLawsOptions,
  pipelineLaws,
} from "./laws/check-laws.ts";
export { type Judgement, ROUNDINGS } from "./laws/judge.ts";
export { printLaws } from "./laws/print.ts";
export type { NamedState, State } from "./laws/state.ts";
