/** Pipelines without collectives, or with little beside. */
import { bool, f32, i32, param, pipeline, select, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });

const map = pipeline(
  "map",
  { x: f32, y: f32, alpha: param(f32) },
  ({ x, y, alpha }) => ({ z: x.mul(alpha).add(y) }),
  options(64),
);

const iota = pipeline(
  "iota",
  {},
  (_, { index, size }) => ({ up: index(), down: size().sub(1).sub(index()), odd: index().and(1).eq(1) }),
  options(64),
);

const queries = pipeline(
  "queries",
  { x: u32 },
  ({ x }, { index, localIndex, groupIndex, size, groupSize, enqueuedGroupSize, numGroups }) => ({
    same: x,
    index: index(),
    inGroup: localIndex(),
    group: groupIndex(),
    size: size(),
    here: groupSize(),
    asked: enqueuedGroupSize(),
    groups: numGroups(),
    mixed: groupIndex().mul(enqueuedGroupSize()).add(localIndex()).sub(index()),
  }),
  options(100),
);

const unused = pipeline(
  "unused-input",
  { x: i32, y: f32, z: bool },
  ({ y }) => ({ negative: y.neg() }),
  options(32),
);

const uniform = pipeline(
  "uniform-outputs",
  { x: i32, k: param(i32), flag: param(bool) },
  ({ x, k, flag }, { size }) => ({
    thrice: k.mul(3),
    n: size(),
    seven: i32(7),
    least: x.reduce("min").max(k),
    chosen: select(flag, x.reduce("add"), k),
  }),
  options(64),
);

const constants = pipeline(
  "constants",
  { x: f32 },
  ({ x }) => ({
    infinite: f32(Number.POSITIVE_INFINITY).perItem(),
    negative: f32(Number.NEGATIVE_INFINITY),
    nan: x.mul(f32(Number.NaN)),
    zero: f32(-0).perItem(),
    largest: x.min(f32(3.4028234663852886e38)),
    tenth: x.add(f32(0.1)),
    least: i32(-0x80000000).perItem(),
    most: u32(0xffffffff).perItem(),
    yes: bool(true).perItem(),
  }),
  options(64),
);

export const MAPS: readonly Case[] = [
  caseOf(map, "a map alone, a parameter, a product and a sum that must not become one", {
    golden: true,
    params: [{ alpha: 1.0000001 }, { alpha: -0 }, { alpha: Number.POSITIVE_INFINITY }],
  }),
  caseOf(iota, "no input: the number of items comes with the run"),
  caseOf(queries, "every work-item query, of an item's, a group's and one rate"),
  caseOf(unused, "inputs that nothing uses"),
  caseOf(uniform, "outputs of one element, parameters of every kind", {
    params: [
      { k: 5, flag: true },
      { k: -0x80000000, flag: false },
    ],
  }),
  caseOf(constants, "constants that languages find hard to write"),
];
