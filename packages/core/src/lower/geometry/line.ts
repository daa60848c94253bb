/** Ranges of one dimension: an item's number is its place. */
import { type Formula, formula } from "../../formula.ts";
import type { Query } from "../../ir/query.ts";
import type { Code } from "../../kernel/build.ts";
import { add, binary, cast, type Expr, eq, lt, mul, sub, u32 } from "../../kernel/expr.ts";
import { type Frame, type Geometry, type Group, type Place, plainAnswer } from "./geometry.ts";

export function lineOf(frame: Frame): Geometry {
  const { n, groupSize, params, lengthOf } = frame;
  const size = u32(groupSize);
  const groupAt = (index: Expr): Expr => binary("div", index, size);
  const laneAt = (index: Expr): Expr => binary("rem", index, size);

  const place = (index: Expr): Place => {
    const answers: Readonly<Partial<Record<Query, () => Expr>>> = {
      "local-id": () => laneAt(index),
      "local-linear-id": () => laneAt(index),
      "global-linear-id": () => index,
      "group-id": () => groupAt(index),
      "num-groups": () => groupsAlong(n, groupSize),
      "local-size": () => binary("min", size, sub(n, mul(groupAt(index), size))),
    };
    return {
      index,
      group: () => groupAt(index),
      lane: () => laneAt(index),
      isFirst: () => eq(laneAt(index), u32(0)),
      query: (query, dimension) =>
        plainAnswer(frame, query, dimension, () => index) ?? (answers[query]?.() as Expr),
    };
  };

  const within = (count: Expr, [x]: readonly Expr[]): Expr => binary("min", x as Expr, sub(count, u32(1)));
  const groupFrom = (start: Expr, count: Expr): Group => ({
    count,
    first: place(start),
    place: (code, lane) => place(code.let("i", add(start, lane))),
    lane: (_, coordinates) => within(count, coordinates),
    item: (_, coordinates) => add(start, within(count, coordinates)),
    each: (code, visit) =>
      code.for("place", u32(0), count, (body, lane) =>
        visit(body, lane, place(body.let("i", add(start, lane)))),
      ),
  });
  const countFrom = (code: Code, start: Expr): Expr => code.let("count", binary("min", size, sub(n, start)));

  return {
    dimensions: 1,
    n,
    groupSize,
    groups: groupsFormula("n", groupSize),
    params,
    lengthOf,
    contiguous: true,
    variable: () => n,
    place,
    group: (code, number) => {
      const start = code.let("start", mul(number, size));
      return groupFrom(start, countFrom(code, start));
    },
    workItem: (code, group, lane) => {
      const item = code.let("item", add(mul(group, size), lane));
      const exists = code.let("exists", lt(item, n));
      const index = code.let("i", binary("min", item, sub(n, u32(1))));
      const count = countFrom(code, mul(group, size));
      return { exists, place: place(index), group: groupFrom(mul(group, size), count) };
    },
    eachGroup: (code, visit) =>
      code.for(
        "start",
        u32(0),
        n,
        (body, start) => visit(body, groupFrom(start, countFrom(body, start))),
        groupSize,
      ),
    item: (coordinates) => within(n, coordinates),
  };
}

/** ceil(side / size), for any side. */
export function groupsAlong(side: Expr, size: number): Expr {
  return size === 1
    ? side
    : add(binary("div", side, u32(size)), cast("u32", binary("ne", binary("rem", side, u32(size)), u32(0))));
}

export const groupsFormula = (side: Formula, size: number): Formula => formula("ceil-div", side, size);
