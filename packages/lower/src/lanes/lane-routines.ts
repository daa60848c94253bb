/** Collectives of lanes as routines. */
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import type { AtomicOp, RoutineStmt } from "@groupwise/kernel/language/stmt.js";
import type { Carry, Monoid } from "../parts/monoid.ts";
import { foldRoutine } from "./fold-routine.ts";
import { type Ascent, ascend, descend, type Lanes, type Prefixes } from "./lanes.ts";
import { ascendLed, fromFirst, ledBy } from "./led.ts";

const sizeOf = ({ size }: Lanes): number => (typeof size === "number" ? size : size.bound);

/** The total of the lanes, in the first of them at least. Their number is a power of two. */
export function totalInFirst(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
): readonly Expr[] {
  const within = ledBy(lanes, monoid);
  if (!within) return totalOfLanes(code, lanes, monoid, value);
  const heading = {
    title: "total_in_first",
    doc: `The total of ${sizeOf(lanes)} lanes, in the first of them.`,
  };
  return foldRoutine(code, monoid, heading, { value }, ({ value: own }, inner) => ({
    total: ascendLed(code, { lanes, within }, inner, own, false).total,
  })).total;
}

/** The total of the lanes, in each of them. Their number is a power of two. */
export function totalOfLanes(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  heading: Omit<RoutineStmt, "kind"> = {
    title: "total_of_lanes",
    doc: `The total of ${sizeOf(lanes)} lanes, in each of them.`,
  },
): readonly Expr[] {
  const within = ledBy(lanes, monoid);
  if (within) return fromFirst(code, within, totalInFirst(code, lanes, monoid, value));
  const { integerOps } = monoid;
  if (lanes.reduces && integerOps)
    return value.map((v, i) => code.intrinsic("reduce-lanes", "total", [v], integerOps[i] as AtomicOp));
  return foldRoutine(code, monoid, heading, { value }, ({ value: own }, inner) => ({
    total: ascend(code, lanes, inner, own, false).total,
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
  const { total, exclusive, inclusive, has_exclusive } = foldRoutine(
    code,
    monoid,
    { title: "scan_of_lanes", doc, returns: "scanned" },
    { value, carry: carry.values, has_carry: present },
    ({ value: own, carry: values, has_carry }, inner) => {
      const found = scanNow(code, lanes, inner, own, { values, present: has_carry[0] });
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

/** The up-sweep, with the total in each lane. */
function ascentOf(code: Code, lanes: Lanes, monoid: Monoid, value: readonly Expr[]): Ascent {
  const within = ledBy(lanes, monoid);
  if (!within) return ascend(code, lanes, monoid, value, true);
  const ascent = ascendLed(code, { lanes, within }, monoid, value, true);
  return { ...ascent, total: fromFirst(code, within, ascent.total) };
}

function scanNow(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
  carry: Carry,
): Prefixes & { readonly total: readonly Expr[] } {
  const ascent = ascentOf(code, lanes, monoid, value);
  return { ...descend(code, lanes, monoid, ascent, carry), total: ascent.total };
}
