/** Collectives of lanes as routines. */
import type { Code } from "../kernel/build.ts";
import type { Expr } from "../kernel/expr.ts";
import type { RoutineStmt } from "../kernel/stmt.ts";
import type { Carry, Monoid } from "../parts/monoid.ts";
import { ascend, descend, type Lanes, type Prefixes } from "./lanes.ts";

const sizeOf = ({ size }: Lanes): number => (typeof size === "number" ? size : size.bound);

/** The total of the lanes, in each of them. Their number is a power of two. */
export function totalOfLanes(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  { title, doc }: Pick<RoutineStmt, "title" | "doc"> = {
    title: "total_of_lanes",
    doc: `The total of ${sizeOf(lanes)} lanes, in each of them.`,
  },
): readonly Expr[] {
  return code.routine({ title, doc }, { value }, ({ value: own }) => ({
    total: ascend(code, lanes, monoid, own, false).total,
  })).total;
}

/** Prefixes of the lanes after a carry, and their total, in each of them. Their number is a power of two. */
export function scanOfLanes(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  carry: Carry,
): Prefixes & { readonly total: readonly Expr[] } {
  const doc = `Prefixes of ${sizeOf(lanes)} lanes after a carry, and their total.`;
  const present = carry.present ? [carry.present] : [];
  const { total, exclusive, inclusive, has_exclusive } = code.routine(
    { title: "scan_of_lanes", doc },
    { value, carry: carry.values, has_carry: present },
    ({ value: own, carry: values, has_carry }) => {
      const found = scanNow(code, lanes, monoid, own, { values, present: has_carry[0] });
      const there = found.exclusive.present;
      return {
        total: found.total,
        exclusive: found.exclusive.values,
        inclusive: found.inclusive,
        has_exclusive: there ? [there] : [],
      };
    },
  );
  return { total, exclusive: { values: exclusive, present: has_exclusive[0] }, inclusive };
}

function scanNow(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  carry: Carry,
): Prefixes & { readonly total: readonly Expr[] } {
  const ascent = ascend(code, lanes, monoid, value, true);
  return { ...descend(code, lanes, monoid, ascent, carry), total: ascent.total };
}
