/** Collectives of lanes as routines. */
import type { Code, NamedValues, ValuesOf } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { and, binary, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import type { AtomicOp, RoutineStmt } from "@groupwise/kernel/language/stmt.js";
import {
  type Carry,
  type Hints,
  hintsFor,
  type Monoid,
  monoidOf,
  named,
  namedResults,
  variables,
} from "../parts/monoid.ts";
import {
  type Ascent,
  ascend,
  descend,
  inArrays,
  type Lanes,
  lowerFor,
  ofLanes,
  type Prefixes,
  repeat,
  roundsOf,
  shuffledFrom,
  type Within,
} from "./lanes.ts";
import { flaggedBy, flagsOf, inSegments, lastSegment, scanSegments } from "./segments.ts";

const sizeOf = ({ size }: Lanes): number => (typeof size === "number" ? size : size.bound);

/** The total of the lanes, in the first of them at least. Their number is a power of two. */
export function totalInFirst(
  code: Code,
  lanes: Lanes,
  monoid: Monoid,
  value: readonly Expr[],
): readonly Expr[] {
  const within = ledBy(lanes, monoid);
  if (!within || inSegments(lanes, monoid)) return totalOfLanes(code, lanes, monoid, value);
  const heading = {
    title: "total_in_first",
    returns: "total",
    doc: `The total of ${sizeOf(lanes)} lanes, in the first of them.`,
  };
  return foldRoutine(code, monoid, heading, { own: value }, ({ own }, inner) => ({
    total: ascendLed(code, { lanes, within, begins: flagsOf(code, lanes, inner, own) }, inner, own, false)
      .total,
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
    returns: "total",
    doc: `The total of ${sizeOf(lanes)} lanes, in each of them.`,
  },
): readonly Expr[] {
  const parts = inSegments(lanes, monoid);
  if (parts)
    return code.routine({ ...heading, fields: monoid.fields }, { own: value }, ({ own }) => {
      const { some, values } = lastSegment(code, lanes, parts, own);
      const [first] = own as [Expr];
      const counts =
        first.type === "bool" ? [some] : totalOfLanes(code, lanes, monoidOf("add", "u32"), [first]);
      return { total: [...counts, ...totalOfLanes(code, lanes, parts, values)] };
    }).total;
  const within = ledBy(lanes, monoid);
  if (within)
    return fromFirst(
      code,
      within,
      monoid,
      totalInFirst(code, lanes, monoid, value),
      flagsOf(code, lanes, monoid, value),
    );
  const { integerOps } = monoid;
  const hints = hintsFor(monoid, "total");
  if (lanes.reduces && integerOps)
    return value.map((v, i) => code.intrinsic("reduce-lanes", hints(i), [v], integerOps[i] as AtomicOp));
  return foldRoutine(code, monoid, heading, { own: value }, ({ own }, inner) => ({
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
  const parts = inSegments(lanes, monoid);
  const present = carry.present ? [carry.present] : [];
  const { total, exclusive, inclusive, has_exclusive } = foldRoutine(
    code,
    monoid,
    { title: "scan_of_lanes", doc, returns: "scanned" },
    { own: value, carry: carry.values, has_carry: present },
    ({ own, carry: values, has_carry }, inner) => {
      const found = parts
        ? scanSegments(code, lanes, parts, own as [Expr], values as [Expr])
        : scanNow(code, lanes, inner, own, { values, present: has_carry[0] });
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
  const begins = flagsOf(code, lanes, monoid, value);
  const ascent = ascendLed(code, { lanes, within, begins }, monoid, value, true);
  return { ...ascent, begins, total: fromFirst(code, within, monoid, ascent.total, begins) };
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

/*
 * The up-sweep of a group that is one subgroup, for operators that do not commute. The first lane of a block reads the first lane of the next
 * block and combines both in their order; lanes of an upper block read the first lane of the lower one. So no lane chooses between two sides. What
 * the other lanes of a block combine is wrong, and nobody reads it.
 */

/** Given if the lanes' up-sweep is such a one. */
const ledBy = ({ within }: Lanes, { commutative }: Monoid): Within | undefined =>
  commutative ? undefined : within;

/** The first lane of the sibling block of a round. */
function leaderOf({ at }: Within, round: Expr, bit: Expr): Expr {
  const isFirst = round.kind === "const" && round.value === 0;
  return binary("xor", isFirst ? at : and(at, sub(0, bit)), bit);
}

/** Lanes whose first ones combine. */
export interface Led {
  readonly lanes: Lanes;
  readonly within: Within;
  /** The lanes that begin a segment, as bits; undefined where flags move. */
  readonly begins?: Expr | undefined;
}

/** @param keeps whether the down-sweep follows. @returns the total in the first lane alone */
function ascendLed(
  code: Code,
  { lanes, within, begins }: Led,
  monoid: Monoid,
  value: readonly Expr[],
  keeps: boolean,
): Ascent {
  const most = roundsOf(lanes.size as number);
  const isFlat = lanes.unrolled === true;
  const lower = lowerFor(keeps, isFlat, () => inArrays(code, monoid, most));
  const running = isFlat ? [] : variables(code, monoid, "total", value);
  let total: readonly Expr[] = isFlat ? value : running;
  repeat(code, {
    unrolled: lanes.unrolled,
    hint: "round",
    from: u32(0),
    below: u32(most),
    body: (body, round) => {
      const bit = body.let("bit", binary("shl", 1, round));
      const leader = leaderOf(within, round, bit);
      const block = begins && and(binary("shr", begins, leader), sub(binary("shl", 1, bit), 1));
      const theirs = moved(body, hintsFor(monoid, ofLanes("theirs", round)), total, leader, block);
      lower.put(body, round, theirs);
      const next = namedResults(body, monoid, monoid.combine(body, total, theirs), "both");
      if (isFlat) total = named(body, monoid, ofLanes("total", round, 1), next);
      else body.assignAll(running, next);
    },
  });
  return { rounds: u32(most), most, total, lower };
}

/** The first lane's values, in each lane. */
const fromFirst = (
  code: Code,
  { first }: Within,
  monoid: Monoid,
  values: readonly Expr[],
  begins?: Expr,
): Expr[] => moved(code, hintsFor(monoid, "total"), values, first, begins);

/** The values of another lane. @param bits those of its block, which say what its flag is; undefined where flags move */
function moved(
  code: Code,
  hints: Hints,
  values: readonly Expr[],
  from: Expr,
  bits: Expr | undefined,
): Expr[] {
  if (!bits) return shuffledFrom(code, hints, values, from);
  const others = shuffledFrom(code, (i) => hints(i + 1), values.slice(1), from);
  return flaggedBy(code, bits, [values[0] as Expr, ...others]);
}

/*
 * Routines that combine values.
 */

/** A routine that takes the monoid's way, and returns the smallest size. @param body is given the monoid for the routine's statements */
export function foldRoutine<Given extends NamedValues, Results extends NamedValues>(
  code: Code,
  monoid: Monoid,
  heading: Omit<RoutineStmt, "kind">,
  given: Given,
  body: (args: ValuesOf<Given>, monoid: Monoid) => Results,
): ValuesOf<Results> {
  const { way, fields } = monoid;
  if (!way) return code.routine({ ...heading, fields }, given, (args) => body(args, monoid));
  const taken = { ...given, normal: [way.normal], watched: way.smallest ? [way.smallest] : [] };
  const results = code.routine({ ...heading, fields }, taken, (args) => {
    const watched = args.watched.map((value) => code.var("watched", value));
    return { ...body(args, way.into({ normal: args.normal[0] as Expr, smallest: watched[0] })), watched };
  });
  if (way.smallest?.kind === "var") code.assignAll([way.smallest], results.watched);
  return results;
}
