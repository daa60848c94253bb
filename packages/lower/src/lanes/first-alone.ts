/** The total of a work-group where combining takes many operations: the first subgroup alone combines those of the work-items. */
import type { Subgroups, Unsupported } from "@groupwise/kernel/capabilities/capabilities.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, mul, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { Monoid } from "../parts/monoid.ts";
import { totalOfLanes } from "./lane-routines.ts";
import type { Lanes } from "./lanes.ts";

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
      monoid
        .combine(code, found[2 * i] as Expr[], found[2 * i + 1] as Expr[])
        .map((v) => code.let("both", v)),
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
      arrays.map((array) => first.let("theirs", first.load(array, add(from, k)))),
    );
    // In the first subgroup a lane's number is its place.
    const own: Lanes = { size: FIRST, lane, shared, near: u32(Math.log2(FIRST)), place: place && lane };
    store(first, totalOfLanes(first, own, monoid, totalOfAll(first, monoid, values)));
  });
}
