/** The laws, and the result of testing one. */
import type { LawSides } from "./judge.ts";
import type { NamedState, State } from "./state.ts";

/** The laws. */
export type Law = "associative" | "commutative" | "identity-left" | "identity-right";

/**
 * `true`: both sides had the same bits every time, NaN payloads excepted. `up to the sign of zero`: they
 * differed only in the sign of a zero, as `0 + x` does for -0. `up to rounding`: they differed, but not in
 * exact arithmetic. `false`: there is a counterexample.
 */
export type Held = true | "up to the sign of zero" | "up to rounding" | false;

/** Operands on which the two sides of a law differ. */
export interface Counterexample {
  readonly a: NamedState;
  readonly b?: NamedState;
  readonly c?: NamedState;
  /** (a op b) op c; a op b; identity op a; a op identity. */
  readonly left: NamedState;
  /** a op (b op c); b op a; a; a. */
  readonly right: NamedState;
}

/** The result for one law. */
export interface LawResult {
  readonly law: Law;
  /** Always claimed, except commutativity if the operator does not declare it. */
  readonly claimed: boolean;
  readonly held: Held;
  /**
   * False if the law is claimed and violated. Commutativity is a claim about bits: it allows the operands to
   * be swapped, and results are equal bit for bit everywhere only if the swap changes no bit.
   */
  readonly ok: boolean;
  /** The number of samples. */
  readonly samples: number;
  /** The simplest operands found that violate the law, or the claim of equal bits. */
  readonly counterexample?: Counterexample;
  /**
   * Operands with infinities or NaN for which only one side is NaN (∞ - ∞, 0 · ∞, 0 · NaN). Not a violation.
   */
  readonly nonFinite?: Counterexample;
}

/** Options of the check. */
export interface LawsOptions {
  /** Number of samples for each law; default 2000. */
  readonly samples?: number;
  /** Seed of the samples, which determines them; default 1. */
  readonly seed?: number;
  /**
   * States on which the operator is used. Only these, the identity, and their combinations are tested, so
   * that a state that never occurs violates no law. Default: arbitrary values of all fields.
   */
  readonly operands?: readonly State[];
}

/** Options of the check of a pipeline's operators. */
export interface PipelineLawsOptions extends Pick<LawsOptions, "samples" | "seed"> {
  /**
   * `fed`, the default: the pipeline's operands on random and special inputs. `all`: arbitrary values of the
   * fields, including states that never occur.
   */
  readonly domain?: "fed" | "all";
}

/** The laws of one operator of a pipeline. */
export interface OperatorLaws {
  readonly operator: string;
  readonly fields: readonly { readonly name: string; readonly type: string }[];
  /** The values that were tested; also `all` if no node of the pipeline uses the operator. */
  readonly domain: "fed" | "all";
  readonly laws: readonly LawResult[];
}

interface LawSpec {
  /** The operands of the law; the identity follows them. */
  readonly arity: 1 | 2 | 3;
  readonly sides: LawSides;
}

/** The two sides of every law. */
export const LAWS: Readonly<Record<Law, LawSpec>> = {
  associative: {
    arity: 3,
    sides: (op, [a, b, c]) => [op(op(a!, b!), c!), op(a!, op(b!, c!))],
  },
  commutative: { arity: 2, sides: (op, [a, b]) => [op(a!, b!), op(b!, a!)] },
  "identity-left": { arity: 1, sides: (op, [a, identity]) => [op(identity!, a!), a!] },
  "identity-right": { arity: 1, sides: (op, [a, identity]) => [op(a!, identity!), a!] },
};
