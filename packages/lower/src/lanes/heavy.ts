/** Operators that take many operations, once types that an implementation lacks are words. */
import type { BinaryOp } from "@groupwise/ir/tables/expr-op.js";
import type { ScalarsWith } from "@groupwise/ir/tables/scalar.js";
import type { Capabilities, Subgroups, Unsupported } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import { allExprs } from "@groupwise/kernel/language/walk.js";
import { combinationOf, type Monoid, named } from "../parts/monoid.ts";
import { wordCount } from "../parts/words.ts";
import type { Lanes } from "./lanes.ts";
import { totalOfLanes } from "./routines.ts";

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

/*
 * The total of a work-group where combining takes many operations: the first subgroup alone combines those of the work-items.
 */

/** The size of a subgroup that works alone. */
const FIRST = 32;

/** Whether a work-group has several subgroups, of 32 each. */
export const hasFirst = (subgroups: Subgroups | Unsupported, size: Lanes["size"]): boolean =>
  !("unsupported" in subgroups) &&
  subgroups.minSize === FIRST &&
  subgroups.maxSize === FIRST &&
  typeof size === "number" &&
  size > FIRST &&
  Number.isInteger(Math.log2(size));

/** Pairs of neighbours, pairs of pairs, and so on. */
function totalOfAll(code: Code, monoid: Monoid, values: readonly Expr[][]): readonly Expr[] {
  let found = values;
  while (found.length > 1)
    found = Array.from({ length: found.length / 2 }, (_, i) =>
      named(code, monoid, "both", monoid.combine(code, found[2 * i] as Expr[], found[2 * i + 1] as Expr[])),
    );
  return found[0] as Expr[];
}

/** @param store called by the first subgroup, whose work-items have the total */
export function totalByFirst(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  store: (code: Code, total: readonly Expr[]) => void,
): void {
  const { lane, shared, place } = lanes;
  const size = lanes.size as number;
  const arrays = value.map((v, i) => shared.take(v.type, i, size));
  code.barrier();
  code.storeAll(arrays, lane, value);
  code.barrier();
  code.ifBelow(lane, FIRST, (first) => {
    const each = size / FIRST;
    const from = mul(lane, each);
    const values = Array.from({ length: each }, (_, k) =>
      named(first, monoid, `theirs${k}`, first.loadAll(arrays, add(from, k))),
    );
    // In the first subgroup a lane's number is its place.
    const own: Lanes = { size: FIRST, lane, shared, near: u32(Math.log2(FIRST)), place: place && lane };
    store(first, totalOfLanes(first, own, monoid, totalOfAll(first, monoid, values)));
  });
}
