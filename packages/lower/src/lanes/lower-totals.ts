/** The totals of lower blocks that a lane stores in the up-sweep, for the down-sweep. */
import type { Scalar } from "@groupwise/ir/tables/scalar.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { ConstExpr, Expr } from "@groupwise/kernel/language/expr.js";

/**
 * The totals that the rounds of the up-sweep store for the down-sweep: of the lower one of the two blocks that meet. If a lane knows the next
 * one, only those of upper blocks are read, and the others may store anything.
 */
export interface LowerTotals {
  put(code: Code, round: Expr, lower: readonly Expr[]): void;
  pick(code: Code, round: Expr): readonly Expr[];
}

export const NOTHING: LowerTotals = { put: () => {}, pick: () => [] };

/** In arrays, whose elements a loop can index. */
export function inArrays(code: Code, types: readonly Scalar[], rounds: number): LowerTotals {
  const arrays = types.map((type) => code.array("lower", type, rounds));
  return {
    put: (body, round, lower) => body.storeAll(arrays, round, lower),
    pick: (body, round) => arrays.map((array) => body.load(array, round)),
  };
}

/** In names, for unrolled rounds. */
export function inNames(): LowerTotals {
  const found = new Map<number, readonly Expr[]>();
  const numberOf = (round: Expr): number => Number((round as ConstExpr).value);
  return {
    put: (_, round, lower) => {
      found.set(numberOf(round), lower);
    },
    pick: (_, round) => found.get(numberOf(round)) ?? [],
  };
}
