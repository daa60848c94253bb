/** What statements do: each list of statements in passes and printers is a column of these tables. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Expr } from "./expr.ts";
import type { Intrinsic, IntrinsicStmt, Stmt } from "./stmt.ts";

/** A function of a subgroup, of a value and perhaps of a lane. */
export interface IntrinsicTraits {
  /** The types of values. */
  readonly takes: "any" | "words" | "bool";
  /** The type of the result; undefined for that of the value. */
  readonly gives?: Scalar;
  /** A second argument, u32: a number of each work-item's own, or one that all have. */
  readonly lane?: "own" | "uniform";
  /** It moves values, so that those of two words move word by word. */
  readonly moves?: true;
}

/** The functions of {@link IntrinsicStmt}. */
export const INTRINSICS: Readonly<Record<Intrinsic, IntrinsicTraits>> = {
  "shuffle-xor": { takes: "any", lane: "uniform", moves: true },
  shuffle: { takes: "any", lane: "own", moves: true },
  ballot: { takes: "bool", gives: "u32" },
  "some-lane": { takes: "bool", gives: "bool" },
  "reduce-lanes": { takes: "words" },
};

/** The type of the result. */
export const resultOf = ({ fn, args }: Pick<IntrinsicStmt, "fn" | "args">): Scalar =>
  INTRINSICS[fn].gives ?? (args[0] as Expr).type;

/** What a statement does beside evaluating its expressions. */
export interface StatementTraits {
  /** `name` is a new name, or a variable that gets another value. */
  readonly names?: "new" | "variable";
  /** Languages can print what it names as an expression. */
  readonly isValue?: true;
  /** What it does with `array`. */
  readonly reads?: true;
  readonly writes?: true;
  /** Several work-items may do so with one element at a time. */
  readonly atomic?: true;
  /** The work-items that reach it together. */
  readonly meets?: "work-group" | "subgroup";
  /** It changes nothing but what it names, so that without readers it can go. */
  readonly pure?: true;
  /** It evaluates its expressions once, in place. */
  readonly inPlace?: true;
}

const marks: StatementTraits = { pure: true };
/** What each kind of statement does. */
export const TRAITS: Readonly<Record<Stmt["kind"], StatementTraits>> = {
  comment: marks,
  let: { names: "new", isValue: true, pure: true, inPlace: true },
  var: { names: "new", pure: true, inPlace: true },
  assign: { names: "variable", pure: true, inPlace: true },
  array: { names: "new", pure: true },
  store: { writes: true, inPlace: true },
  intrinsic: { names: "new", isValue: true, meets: "subgroup", pure: true, inPlace: true },
  atomic: { writes: true, atomic: true, inPlace: true },
  "atomic-load": { names: "new", isValue: true, reads: true, atomic: true, inPlace: true },
  "atomic-load-row": { names: "new", reads: true, atomic: true, inPlace: true },
  "atomic-store": { writes: true, atomic: true, inPlace: true },
  "atomic-add": { names: "new", isValue: true, reads: true, writes: true, atomic: true, inPlace: true },
  prefetch: { inPlace: true },
  "load-row": { names: "new", reads: true, pure: true, inPlace: true },
  "store-row": { writes: true, inPlace: true },
  barrier: { meets: "work-group" },
  "uniform-load": { names: "new", isValue: true, reads: true, meets: "work-group" },
  native: { names: "variable", meets: "work-group" },
  choice: marks,
  if: { pure: true, inPlace: true },
  for: { names: "new", pure: true },
  while: {},
  call: { names: "new", pure: true, inPlace: true },
  routine: marks,
  results: marks,
  return: { pure: true, inPlace: true },
};
