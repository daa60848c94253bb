/**
 * Ranges of two and three dimensions. Items, work-groups and the items of a work-group are all numbered with
 * dimension 0 running fastest; a work-group at the end of a dimension has fewer items there, and numbers
 * those that exist without gaps.
 */
import { type Formula, formula, SIDES } from "../../formula.ts";
import type { Query } from "../../ir/query.ts";
import type { Code } from "../../kernel/build.ts";
import { add, and, binary, bool, type Expr, eq, lt, mul, sub, u32 } from "../../kernel/expr.ts";
import { AXES, type Frame, type Geometry, type Group, type Place, plainAnswer } from "./geometry.ts";
import { groupsAlong, groupsFormula } from "./line.ts";

const isOne = (side: Expr): boolean => side.kind === "const" && side.value === 1;
const product = (sides: readonly Expr[]): Expr =>
  sides.filter((side) => !isOne(side)).reduce<Expr | undefined>((a, b) => (a ? mul(a, b) : b), undefined) ??
  u32(1);

/** The last that exists where x is past it. */
const clamp = (x: Expr, side: Expr): Expr =>
  (x.kind === "const" && x.value === 0) || isOne(side) ? u32(0) : binary("min", x, sub(side, u32(1)));

/** (z * sides[1] + y) * sides[0] + x */
const linear = (at: readonly Expr[], sides: readonly Expr[]): Expr =>
  at.reduceRight((sum, x, d) => add(mul(sum, sides[d] as Expr), x), u32(0));

/** Coordinates of a linear number: one division for each dimension but the last. */
function split(code: Code, hint: string, number: Expr, sides: readonly Expr[]): Expr[] {
  let rest = number;
  return sides.map((side, d) => {
    if (d === sides.length - 1) return rest;
    if (isOne(side)) return u32(0);
    const whole = rest;
    const hints = sides.length - d === 2 ? AXES[d + 1] : AXES.slice(d + 1, sides.length).join("");
    rest = code.let(`${hint}_${hints}`, binary("div", whole, side));
    return code.let(`${hint}_${AXES[d]}`, sub(whole, mul(rest, side)));
  });
}

/** What is known of a place, dimension by dimension. */
interface Coordinates {
  /** In the range, without the offset. */
  readonly item: readonly Expr[];
  readonly group: readonly Expr[];
  readonly local: readonly Expr[];
  /** Items of the work-group that exist. */
  readonly extent: readonly Expr[];
  /** The work-group's linear number, where it is known. */
  readonly number?: Expr;
}

export function gridOf(frame: Frame): Geometry {
  const { workGroup, groupSize, n, sides, params, lengthOf } = frame;
  const counts = sides.map((side, d) => groupsAlong(side, workGroup[d] as number));
  const every = (make: (d: number) => Expr): Expr[] => workGroup.map((_, d) => make(d));
  const named = (code: Code, hint: string, make: (d: number) => Expr): Expr[] =>
    every((d) => {
      const value = make(d);
      return value.kind === "const" ? value : code.let(`${hint}_${AXES[d]}`, value);
    });
  const isFlat = (d: number): boolean => workGroup[d] === 1;

  const placeOf = (index: Expr, find: (code: Code) => Coordinates): Place => {
    let found: Coordinates | undefined;
    const at = (code: Code): Coordinates => {
      found ??= find(code);
      return found;
    };
    const answers: Readonly<Partial<Record<Query, (code: Code, d: number) => Expr>>> = {
      "local-id": (code, d) => at(code).local[d] as Expr,
      "group-id": (code, d) => at(code).group[d] as Expr,
      "local-size": (code, d) => at(code).extent[d] as Expr,
      "num-groups": (_, d) => counts[d] as Expr,
      "global-linear-id": () => index,
      "local-linear-id": (code) => lane(code),
    };
    const lane = (code: Code): Expr => linear(at(code).local, at(code).extent);
    return {
      index,
      group: (code) => at(code).number ?? linear(at(code).group, counts),
      lane,
      isFirst: (code) =>
        at(code)
          .local.filter((_, d) => !isFlat(d))
          .map((x) => eq(x, u32(0)))
          .reduce<Expr | undefined>((all, one) => (all ? and(all, one) : one), undefined) ?? bool(true),
      query: (query, dimension, code) =>
        plainAnswer(frame, query, dimension, () => at(code).item[dimension] as Expr) ??
        (answers[query]?.(code, dimension) as Expr),
    };
  };

  const place = (index: Expr): Place =>
    placeOf(index, (code) => {
      const item = split(code, "item", index, sides);
      const group = named(code, "group", (d) => binary("div", item[d] as Expr, u32(workGroup[d] as number)));
      const start = every((d) => mul(group[d] as Expr, u32(workGroup[d] as number)));
      const local = named(code, "local", (d) =>
        isFlat(d) ? u32(0) : sub(item[d] as Expr, start[d] as Expr),
      );
      return { item, group, local, extent: extentOf(code, start) };
    });

  const extentOf = (code: Code, start: readonly Expr[]): Expr[] =>
    named(code, "extent", (d) =>
      isFlat(d)
        ? u32(1)
        : binary("min", u32(workGroup[d] as number), sub(sides[d] as Expr, start[d] as Expr)),
    );

  const countsIn = (code: Code): Expr[] => named(code, "groups", (d) => counts[d] as Expr);
  const groupOf = (code: Code, number: Expr, along: readonly Expr[] = countsIn(code)): Group => {
    const group = split(code, "group", number, along);
    const start = named(code, "start", (d) => mul(group[d] as Expr, u32(workGroup[d] as number)));
    const extent = extentOf(code, start);
    const count = code.let("count", product(extent));
    const at = (inner: Code, local: readonly Expr[]): Place => {
      const item = named(inner, "item", (d) => add(start[d] as Expr, local[d] as Expr));
      const index = inner.let("i", linear(item, sides));
      return placeOf(index, () => ({ item, group, local, extent, number }));
    };
    const within = (coordinates: readonly Expr[]): Expr[] =>
      every((d) => clamp(coordinates[d] as Expr, extent[d] as Expr));
    const nest = (
      body: Code,
      d: number,
      local: readonly Expr[],
      visit: Parameters<Group["each"]>[1],
    ): void => {
      if (d < 0) visit(body, linear(local, extent), at(body, local));
      else
        body.for(`local_${AXES[d]}`, u32(0), extent[d] as Expr, (inner, x) =>
          nest(inner, d - 1, [x, ...local], visit),
        );
    };
    return {
      count,
      first: placeOf(linear(start, sides), () => ({
        item: start,
        group,
        local: every(() => u32(0)),
        extent,
        number,
      })),
      place: (inner, lane) => at(inner, split(inner, "local", lane, extent)),
      lane: (_, coordinates) => linear(within(coordinates), extent),
      item: (_, coordinates) =>
        linear(
          within(coordinates).map((x, d) => add(start[d] as Expr, x)),
          sides,
        ),
      each: (inner, visit) => nest(inner, sides.length - 1, [], visit),
    };
  };

  return {
    dimensions: sides.length,
    n,
    groupSize,
    groups: workGroup
      .map((size, d) => groupsFormula(SIDES[d] as Formula, size))
      .reduce((a, b) => formula("mul", a, b)),
    params,
    lengthOf,
    contiguous: false,
    variable: (name) => (name === "n" ? n : (sides[SIDES.indexOf(name)] as Expr)),
    place,
    group: groupOf,
    workItem: (code, number, lane) => {
      const group = groupOf(code, number);
      const exists = code.let("exists", lt(lane, group.count));
      const inside = code.let("lane_or_last", binary("min", lane, sub(group.count, u32(1))));
      return { exists, place: group.place(code, inside), group };
    },
    eachGroup: (code, visit) => {
      const along = countsIn(code);
      const total = code.let("groups", product(along));
      code.for("group", u32(0), total, (body, group) => visit(body, groupOf(body, group, along)));
    },
    item: (coordinates) =>
      linear(
        every((d) => clamp(coordinates[d] as Expr, sides[d] as Expr)),
        sides,
      ),
  };
}
