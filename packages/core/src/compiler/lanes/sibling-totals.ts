/** The totals of siblings that a lane stores in the up-sweep, for the down-sweep. */
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { Code } from "../kernel/build.ts";
import type { ConstExpr, Expr } from "../kernel/expr.ts";
import { select } from "../kernel/make-expr.ts";

/** The values that the rounds of the up-sweep store for the down-sweep. */
export interface SiblingTotals {
  /** The totals of the sibling's block and of the own one, before a round. */
  put(code: Code, round: Expr, sibling: readonly Expr[], own: readonly Expr[]): void;
  /** The total of the lower block of a round in the upper lanes; in others of the own block, or anything if a lane knows the next. */
  pick(code: Code, round: Expr, isUpper: Expr): readonly Expr[];
}

export const NOTHING: SiblingTotals = { put: () => {}, pick: () => [] };

/** In arrays, whose elements a loop can index. @param keepsOwn whether the own block's total is also stored */
export function inArrays(
  code: Code,
  types: readonly Scalar[],
  rounds: number,
  keepsOwn: boolean,
): SiblingTotals {
  const siblings = types.map((type) => code.array("sibling", type, rounds));
  const own = keepsOwn ? types.map((type) => code.array("own", type, rounds)) : [];
  return {
    put: (body, round, theirs, ours) =>
      siblings.forEach((array, i) => {
        body.store(array, round, theirs[i] as Expr);
        if (own[i]) body.store(own[i], round, ours[i] as Expr);
      }),
    pick: (body, round, isUpper) =>
      siblings.map((array, i) => {
        const lower = body.load(array, round);
        return own[i] ? select(isUpper, lower, body.load(own[i], round)) : lower;
      }),
  };
}

/** In names, for unrolled rounds. */
export function inNames(): SiblingTotals {
  const found = new Map<number, readonly Expr[]>();
  const numberOf = (round: Expr): number => Number((round as ConstExpr).value);
  return {
    put: (_, round, theirs) => {
      found.set(numberOf(round), theirs);
    },
    pick: (_, round) => found.get(numberOf(round)) ?? [],
  };
}
