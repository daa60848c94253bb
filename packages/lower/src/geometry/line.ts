/** Ranges of one dimension: an item's linear id is its coordinate. */
import { type Formula, formula } from "@groupwise/ir/base/formula.js";
import type { Query } from "@groupwise/ir/document/query.js";
import type { Code } from "@groupwise/kernel/language/build.js";
import type { Expr } from "@groupwise/kernel/language/expr.js";
import { add, binary, cast, eq, lt, mul, sub, u32 } from "@groupwise/kernel/language/make-expr.js";
import { type Geometry, type GeometryFrame, type Group, type Place, plainAnswer } from "./geometry.ts";

const groupAt = ({ groupSize }: GeometryFrame, index: Expr): Expr => binary("div", index, groupSize);
const laneAt = ({ groupSize }: GeometryFrame, index: Expr): Expr => binary("rem", index, groupSize);

function placeOn(frame: GeometryFrame, index: Expr): Place {
  const { n, groupSize } = frame;
  const size = u32(groupSize);
  const answers: Readonly<Partial<Record<Query, () => Expr>>> = {
    "local-id": () => laneAt(frame, index),
    "local-linear-id": () => laneAt(frame, index),
    "global-linear-id": () => index,
    "group-id": () => groupAt(frame, index),
    "num-groups": () => groupsAlong(n, groupSize),
    "local-size": () => binary("min", size, sub(n, mul(groupAt(frame, index), size))),
  };
  return {
    index,
    group: () => groupAt(frame, index),
    lane: () => laneAt(frame, index),
    isFirst: () => eq(laneAt(frame, index), 0),
    query: (query, dimension) =>
      plainAnswer(frame, query, dimension, () => index) ?? (answers[query]?.() as Expr),
  };
}

/** A coordinate, clamped to the last existing item. */
const within = (count: Expr, [x]: readonly Expr[]): Expr => binary("min", x as Expr, sub(count, 1));

const groupFrom = (frame: GeometryFrame, start: Expr, count: Expr): Group => ({
  count,
  first: placeOn(frame, start),
  place: (code, lane) => placeOn(frame, code.let("i", add(start, lane))),
  lane: (_, coordinates) => within(count, coordinates),
  item: (_, coordinates) => add(start, within(count, coordinates)),
  each: (code, visit) =>
    code.for("place", 0, count, (body, lane) =>
      visit(body, lane, placeOn(frame, body.let("i", add(start, lane)))),
    ),
});

export function lineOf(frame: GeometryFrame): Geometry {
  const { n, groupSize, params, lengthOf } = frame;
  const size = u32(groupSize);
  const place = (index: Expr): Place => placeOn(frame, index);
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
      return groupFrom(frame, start, countFrom(code, start));
    },
    workItem: (code, group, lane) => {
      const item = code.let("item", add(mul(group, size), lane));
      const exists = code.let("exists", lt(item, n));
      const index = code.let("i", binary("min", item, sub(n, 1)));
      const count = countFrom(code, mul(group, size));
      return { exists, place: place(index), group: groupFrom(frame, mul(group, size), count) };
    },
    eachGroup: (code, visit) => {
      const each = (body: Code, start: Expr): void =>
        visit(body, groupFrom(frame, start, countFrom(body, start)));
      code.for("start", 0, n, each, groupSize);
    },
    item: (coordinates) => within(n, coordinates),
  };
}

/** ceil(side / size), for any side. */
export function groupsAlong(side: Expr, size: number): Expr {
  return size === 1
    ? side
    : add(binary("div", side, size), cast("u32", binary("ne", binary("rem", side, size), 0)));
}

export const groupsFormula = (side: Formula, size: number): Formula => formula("ceil-div", side, size);
