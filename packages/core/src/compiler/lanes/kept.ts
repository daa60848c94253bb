/** What a lane keeps of the rounds of a way up, for the way down. */
import type { Scalar } from "../../ir/tables/scalar.ts";
import type { Code } from "../kernel/build.ts";
import type { ConstExpr, Expr } from "../kernel/expr.ts";
import { select } from "../kernel/make-expr.ts";

/** What the rounds of a way up leave for the way down. */
export interface Kept {
  /** The totals of the sibling's block and of the own one, before a round. */
  put(code: Code, round: Expr, sibling: readonly Expr[], own: readonly Expr[]): void;
  /** The total of the lower block of a round in the upper lanes; in others of the own block, or anything if a lane knows the next. */
  pick(code: Code, round: Expr, isUpper: Expr): readonly Expr[];
}

export const NOTHING: Kept = { put: () => {}, pick: () => [] };

/** In arrays, whose elements a loop can choose. @param keepsOwn the own block's total is wanted too */
export function inArrays(code: Code, types: readonly Scalar[], rounds: number, keepsOwn: boolean): Kept {
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

/** In names, for rounds that are written one after the other. */
export function inNames(): Kept {
  const found = new Map<number, readonly Expr[]>();
  const numberOf = (round: Expr): number => Number((round as ConstExpr).value);
  return {
    put: (_, round, theirs) => {
      found.set(numberOf(round), theirs);
    },
    pick: (_, round) => found.get(numberOf(round)) ?? [],
  };
}
