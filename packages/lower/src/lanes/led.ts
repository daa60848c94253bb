/**
 * The up-sweep of a group that is one subgroup, for operators that do not commute. The first lane of a block reads the first lane of the next
 * block and combines both in their order; lanes of an upper block read the first lane of the lower one. So no lane chooses between two sides. What
 * the other lanes of a block combine is wrong, and nobody reads it.
 */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { type Monoid, settled } from "../parts/monoid.ts";
import { type Ascent, type Lanes, lowerFor, repeat, roundsOf } from "./lanes.ts";
import { inArrays } from "./lower-totals.ts";
import type { Within } from "./shuffles.ts";

/** Given if the lanes' up-sweep is such a one. */
export const ledBy = ({ within }: Lanes, { commutative }: Monoid): Within | undefined =>
  commutative ? undefined : within;

/** The first lane of the sibling block of a round. */
function leaderOf({ at }: Within, round: Expr, bit: Expr): Expr {
  const isFirst = round.kind === "const" && round.value === 0;
  return binary("xor", isFirst ? at : and(at, sub(0, bit)), bit);
}

/** @param keeps whether the down-sweep follows. @returns the total in the first lane alone */
export function ascendLed(
  code: Code,
  { lanes, within }: { readonly lanes: Lanes; readonly within: Within },
  monoid: Monoid,
  value: readonly Expr[],
  keeps: boolean,
): Ascent {
  const most = roundsOf(lanes.size as number);
  const isFlat = lanes.unrolled === true;
  const types = value.map(({ type }) => type);
  const lower = lowerFor(keeps, isFlat, () => inArrays(code, types, most));
  const variables = isFlat ? [] : value.map((v) => code.var("total", v));
  let total: readonly Expr[] = isFlat ? value : variables;
  repeat(code, {
    unrolled: lanes.unrolled,
    hint: "round",
    from: u32(0),
    below: u32(most),
    body: (body, round) => {
      const bit = body.let("bit", binary("shl", 1, round));
      const theirs = total.map((v) => body.intrinsic("shuffle", "theirs", [v, leaderOf(within, round, bit)]));
      lower.put(body, round, theirs);
      const next = settled(body, monoid.combine(body, total, theirs), "both");
      if (isFlat) total = next.map((v) => body.let("total", v));
      else body.assignAll(variables, next);
    },
  });
  return { rounds: u32(most), most, total, lower };
}

/** The first lane's values, in each lane. */
export const fromFirst = (code: Code, { first }: Within, values: readonly Expr[]): Expr[] =>
  values.map((v) => code.intrinsic("shuffle", "total", [v, first]));
