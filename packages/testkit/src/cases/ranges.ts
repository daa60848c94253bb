/** Ranges of two and three dimensions. */
import { f32, i32, param, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const group = { scope: "work-group" } as const;

const tiles = pipeline(
  "tiles",
  { x: i32 },
  ({ x }, { localId, globalId }) => ({
    within: x.scanInclusive("add", group),
    relative: x.sub(x.broadcast([0, 0], group)),
    total: x.reduce("add", group),
    border: localId(0).min(localId(1)).eq(0),
    checker: globalId(0).xor(globalId(1)).and(1),
  }),
  { workGroupSize: [8, 4], places: false },
);

/** Columns become rows: a scatter over the whole range. */
const transpose = pipeline(
  "transpose",
  { x: f32 },
  ({ x }, { index, globalSize }) => {
    const [column, row] = [index().rem(globalSize(0)), index().div(globalSize(0))];
    return { turned: x.scatter({ to: column.mul(globalSize(1)).add(row) }) };
  },
  { workGroupSize: [16, 16], places: false },
);

const volume = pipeline(
  "volume",
  { x: f32, plane: param(u32) },
  ({ x, plane }, { groupId, numGroups, localSize }) => {
    const total = x.reduce("add", group);
    const before = total.perItem().scanExclusive("add");
    const last = numGroups(2).sub(1);
    return {
      total,
      before,
      after: before.scanInclusive("max", group),
      slice: x.broadcast([0, 0, plane]),
      corner: x.broadcast([localSize(0), 0, plane], group),
      top: groupId(2).eq(last).any(group),
    };
  },
  { workGroupSize: [3, 2, 4], places: false },
);

/** Rows: each is a work-group, and a device takes several at once. */
const lines = pipeline(
  "lines",
  { x: f32 },
  ({ x }, { localId }) => {
    const most = x.reduce("max", group);
    return {
      ...{ most, sums: x.scanInclusive("add", group) },
      place: x.eq(most).select(localId(0), 1000).reduce("min", group),
    };
  },
  { workGroupSize: [64, 1], places: false },
);

export const RANGES: readonly Case[] = [
  caseOf(tiles, "collectives of two-dimensional work-groups, and where items stand in them", {
    typical: true,
  }),
  caseOf(lines, "work-groups that are lines: scans, and what they have of reduces"),
  caseOf(transpose, "a scatter by coordinates"),
  caseOf(volume, "three dimensions: both scopes, coordinates past the end", {
    params: [{ plane: 0 }, { plane: 3 }, { plane: 1000 }],
  }),
];
