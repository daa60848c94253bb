/** Pipelines without collectives, or with few. */
import { bool, f16, f32, f64, i32, i64, operator, param, pipeline, select, u32, u64 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });

const map = pipeline(
  "map",
  { x: f32, y: f32, alpha: param(f32) },
  ({ x, y, alpha }) => ({ z: x.mul(alpha).add(y) }),
  options(64),
);

const algebra = pipeline(
  "no-algebra",
  { x: f32, y: f32, h: f16, k: f16 },
  ({ x, y, h, k }) => ({
    itself: x.sub(x),
    back: x.add(y).sub(x),
    forth: x.sub(x.add(y)),
    against: x.add(x.neg()),
    lost: x.sub(x.add(y).sub(y)),
    nothing: x.add(0),
    never: x.mul(0),
    constants: x.mul(3).mul(0.1),
    steps: x.add(1e8).add(-1e8),
    itselfInHalves: h.sub(h),
    backInHalves: h.add(k).sub(h),
    constantsInHalves: h.mul(3).mul(0.1),
    stepsInHalves: h.add(2048).add(-2048),
  }),
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

const long = pipeline(
  "long-types",
  { a: i64, b: u64, x: f64, h: f16, p: param(i64), q: param(u64), r: param(f64), s: param(f16) },
  ({ a, b, x, h, p, q, r, s }, { index }) => ({
    sums: a.mul(p).scanInclusive("add"),
    largest: b.xor(q).reduce("max", { scope: "work-group" }),
    least: x.mul(r).reduce("min"),
    halves: h.mul(s).add(f16(0.5)),
    // An odd number of halves in a scatter's memory too.
    turned: h.scatter({ to: index() }),
    picked: a.broadcast(3, { scope: "work-group" }),
    given: p.add(i64(-(2n ** 63n))),
    also: s
      .toF64()
      .add(r)
      .add(f64(2 ** -1074)),
    far: x.gt(f64(1e300)).any(),
    deep: select(x.lt(r), b, q).shr(u32(33)),
  }),
  options(64),
);

const saturating = operator("saturating", u32, {
  combine: (left, right) => left.addSaturating(right),
  identity: 0,
  commutative: true,
});

const functions = pipeline(
  "functions",
  { x: f32, d: f64, h: f16, u: u32 },
  ({ x, d, h, u }) => ({
    root: x.abs().sqrt().floor(),
    fused: x.fma(x, x.neg()).clamp(-1, 1),
    angle: d.mod(360).round(),
    part: h.copysign(-1).fract(),
    mixed: u.rotateLeft(7).mulHigh(0x9e3779b1).extractBits(4, 20),
    bounded: saturating.scanInclusive(u, { scope: "work-group" }),
  }),
  options(64),
);

export const MAPS: readonly Case[] = [
  caseOf(map, "a map alone, a parameter, a product and a sum that must not become one", {
    typical: true,
    params: [{ alpha: 1.0000001 }, { alpha: -0 }, { alpha: Number.POSITIVE_INFINITY }],
  }),
  caseOf(algebra, "what holds for numbers and not for floats: nothing cancels or folds", { share: "few" }),
  caseOf(iota, "no input: the number of items comes with the run"),
  caseOf(queries, "every work-item query, of an item's, a group's and one uniformity"),
  caseOf(unused, "inputs that nothing uses"),
  caseOf(uniform, "outputs of one element, parameters of every kind", {
    params: [
      { k: 5, flag: true },
      { k: -0x80000000, flag: false },
    ],
  }),
  caseOf(long, "64-bit types and halves side by side: parameters, constants, all places where they stand", {
    params: [
      { p: -3n, q: 0xfedcba9876543210n, r: 1.1, s: 1.5 },
      { p: 2n ** 63n - 1n, q: 1n, r: -(2 ** -1060), s: -(2 ** -24) },
      { p: -(2n ** 63n), q: 2n ** 64n - 1n, r: Number.POSITIVE_INFINITY, s: 65504 },
    ],
  }),
  caseOf(functions, "exact functions, of every type of float, in two words, and in an operator", {
    share: "some",
    typical: true,
  }),
  caseOf(constants, "constants that languages find hard to write", { share: "some" }),
];
