/**
 * Tests the laws of operators on values: associativity, commutativity and identity. A separate entry, so that
 * programs that only emit do not bundle it.
 * @module
 */

export { checkLaws, pipelineLaws } from "./ir/laws/check-laws.ts";
export { type Judgement, ROUNDINGS } from "./ir/laws/judge.ts";
export {
  type Counterexample,
  type Held,
  LAWS,
  type Law,
  type LawResult,
  type LawsOptions,
  type OperatorLaws,
  type PipelineLawsOptions,
} from "./ir/laws/law.ts";
export { printLaws } from "./ir/laws/print.ts";
export type { NamedState, State } from "./ir/laws/state.ts";
