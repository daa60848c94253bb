/** Whether two states are the same, and if not, whether rounding explains it. */
import type { Operator } from "../document/operator.ts";
import { applierOf } from "../document/operator-apply.ts";
import { isFloat, type ScalarValue } from "../tables/scalar.ts";
import { applyExactly, type ExactResult, type ExactValue, exactOf } from "./exact-operator.ts";
import type { Exact } from "./ratio.ts";
import * as ratio from "./ratio.ts";
import { roundingOf } from "./sample.ts";
import type { State } from "./state.ts";

/**
 * The comparison of two sides. `zero`: zeros differ in their sign. `rounding`: equal in exact arithmetic.
 * `non-finite`: infinities or NaN among the operands led to NaN on one side only, as in 0 · ∞ or 0 · NaN.
 */
export type Judgement = "same" | "zero" | "rounding" | "non-finite" | "different";

/** The two sides of a law, built with the caller's function of application. */
export type LawSides = <V>(
  apply: (left: readonly V[], right: readonly V[]) => readonly V[],
  states: readonly (readonly V[])[],
) => readonly [readonly V[], readonly V[]];

/** The results of a law's two sides, and how they compare. */
export interface Judged {
  readonly judgement: Judgement;
  readonly left: State;
  readonly right: State;
}

/**
 * Exact results may still differ because the operands were rounded before: by this many roundings of the
 * largest magnitude.
 */
export const ROUNDINGS = 64;

/** Tests one law of one operator on states. */
export function judgeOf(operator: Operator, sides: LawSides): (states: readonly State[]) => Judged {
  const apply = applierOf(operator);
  return (states) => {
    const [left, right] = sides<ScalarValue>(apply, states);
    const pairs = left.map((value, i) => [value, right[i]] as const);
    if (pairs.every(([l, r]) => Object.is(l, r))) return { judgement: "same", left, right };
    // 0 equals -0 here; NaN was handled above or differs.
    if (pairs.every(([l, r]) => Object.is(l, r) || l === r)) return { judgement: "zero", left, right };
    return { judgement: judgeExactly(operator, sides, states), left, right };
  };
}

function judgeExactly(operator: Operator, sides: LawSides, states: readonly State[]): Judgement {
  const { fields } = operator;
  if (!fields.some(({ type }) => isFloat(type))) return "different";
  const operands = states.map((state) => fields.map(({ type }, i) => exactOf(type, state[i] as ScalarValue)));
  let invalid = false;
  const apply = (a: readonly ExactValue[], b: readonly ExactValue[]): readonly ExactValue[] => {
    const result: ExactResult = applyExactly(operator, a, b);
    invalid ||= result.invalid;
    return result.values;
  };
  try {
    const [left, right] = sides<ExactValue>(apply, operands);
    const differing = fields.flatMap(({ type }, i) => {
      const [l, r] = [left[i] as ExactValue, right[i] as ExactValue];
      const all = [l, r, ...operands.map((state) => state[i])] as Exact[];
      const equal = isFloat(type) ? isNear(all, ROUNDINGS * roundingOf(type)) : Object.is(l, r);
      return equal ? [] : [[l, r]];
    });
    if (differing.length === 0) return "rounding";
    const values = states.flat();
    const spreads = differing.every((pair) => pair.some(Number.isNaN));
    if (values.some(isInfinite) && (invalid || spreads)) return "non-finite";
    return values.some(Number.isNaN) && spreads ? "non-finite" : "different";
  } catch (error) {
    if (error instanceof ratio.TooLarge) return "rounding";
    throw error;
  }
}

const isInfinite = (x: ScalarValue): boolean => x === INF || x === -INF;
const INF = Number.POSITIVE_INFINITY;

/** Whether the first two differ by no more than a part of the largest. */
function isNear([left, right, ...operands]: readonly Exact[], part: number): boolean {
  const [l, r] = [left as Exact, right as Exact];
  if (Object.is(l, r) || ratio.compare(l, r) === 0) return true;
  if (typeof l === "number" && l !== 0) return false;
  if (typeof r === "number" && r !== 0) return false;
  const magnitude = (x: Exact): Exact => (ratio.compare(x, 0) < 0 ? ratio.negate(x) : x);
  const finite = [l, r, ...operands].filter((x) => typeof x === "object").map(magnitude);
  const largest = finite.reduce((a, b) => (ratio.compare(a, b) < 0 ? b : a));
  const difference = magnitude(ratio.add(l, ratio.negate(r)));
  return ratio.compare(difference, ratio.multiply(largest, ratio.exact(part))) <= 0;
}
