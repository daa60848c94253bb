/** What it takes to combine two values, once types that an implementation lacks are words. */
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { ScalarsWith } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { combinationOf } from "../parts/combination.ts";
import type { Monoid } from "../parts/monoid.ts";
import { wordCount } from "../parts/words.ts";

/** Operations of arithmetic on an emulated type: of a sum; products and quotients take more. */
const EMULATED: Readonly<Record<EmulatedScalar, number>> = { i64: 4, u64: 4, f16: 7, f64: 90 };
type EmulatedScalar = ScalarsWith<{ readonly emulated: "words" | "rounded" }>;
/** Whether an operator on an emulated type takes as many operations; the others take those of a call. */
const IS_ARITHMETIC: Readonly<Record<BinaryOp, boolean>> = {
  ...{ add: true, sub: true, mul: true, div: true, rem: true },
  ...{ min: false, max: false, absdiff: false, gcd: false },
  ...{ and: false, or: false, xor: false, shl: false, shr: false },
  ...{ eq: false, ne: false, lt: false, le: false, gt: false, ge: false },
};
/** Of a call, and of a comparison or a choice of emulated values. */
const CALL = 8;

/** Operations of a combination, at least, where leaving some out gains more than the registers and the text that it takes. */
const HEAVY = 64;
/** Words of a value, at most: registers hold 18 for each, and more where a tile has more rows. */
const MOST_WORDS = 4;

/** Whether combining takes longer than what an algorithm does to combine less. */
export const isHeavy = (monoid: Monoid, scalars: Capabilities["scalars"]): boolean =>
  monoid.types.reduce((words, type) => words + wordCount(type), 0) <= MOST_WORDS &&
  weightOf(monoid, scalars) >= HEAVY;

/** Operations of `monoid.combine`, about. */
function weightOf(monoid: Monoid, scalars: Capabilities["scalars"]): number {
  const weigh = (e: Expr): number => {
    if (e.kind === "call") return CALL;
    if (e.kind === "select" || e.kind === "unary" || e.kind === "cast") return 1;
    if (e.kind !== "binary") return 0;
    const { type } = e.left;
    if (scalars[type] !== "emulated") return 1;
    return IS_ARITHMETIC[e.op] ? EMULATED[type as EmulatedScalar] : CALL;
  };
  return allExprs(combinationOf(monoid).stmts).reduce((sum, e) => sum + weigh(e), 0);
}
