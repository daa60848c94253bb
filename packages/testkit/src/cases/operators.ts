/** User-defined operators: operands that must not be swapped, records of several types, segments and seeds. */
import { bool, f32, f64, i32, i64, operator, outputs, pipeline, u32, u64 } from "@groupwise/dsl";
import { randomOf } from "../data/random.ts";
import { type Case, caseOf } from "./base/case.ts";

const options = (...workGroupSize: [number] | [number, number] | [number, number, number]) => ({
  workGroupSize,
  places: false,
});
const group = { scope: "work-group" } as const;

/** y = a x + b, the left map first: composition shows the order of its operands. */
const affine = operator(
  "affine",
  { a: u32, b: u32 },
  {
    combine: (left, right) => ({ a: left.a.mul(right.a), b: left.b.mul(right.a).add(right.b) }),
    identity: { a: 1, b: 0 },
  },
);

const maps = pipeline(
  "affine-maps",
  { a: u32, b: u32 },
  ({ a, b }) => {
    const { scan, before, total } = affine.scanWithTotal({ a, b });
    return outputs({ scan, before: before.b, total, inGroup: affine.scanExclusive({ a, b }, group).b });
  },
  options(100),
);

/** Exponential smoothing: a linear recurrence of floats, whose rounding shows the order. */
const recurrence = operator(
  "recurrence",
  { a: f32, b: f32 },
  {
    combine: (left, right) => ({ a: left.a.mul(right.a), b: left.b.mul(right.a).add(right.b) }),
    identity: { a: 1, b: 0 },
  },
);

const smoothing = pipeline(
  "smoothing",
  { x: f32 },
  ({ x }) => {
    const map = { a: 0.75, b: x.mul(0.25) };
    return {
      smoothed: recurrence.scanInclusive(map).b,
      before: recurrence.scanExclusive(map, group).b,
      last: recurrence.reduce(map).b,
    };
  },
  options(16),
);

const mapsInGroups = pipeline(
  "affine-maps-of-groups",
  { a: u32, b: u32 },
  ({ a, b }) => {
    const { scan, before, total } = affine.scanWithTotal({ a, b: b.add(1) }, group);
    const again = affine.scanInclusive(scan);
    return outputs({ scan: scan.b, before, total, again: again.b });
  },
  options(4, 6),
);

const mapsInSpace = pipeline(
  "affine-maps-in-space",
  { a: u32, b: u32 },
  ({ a, b }) => {
    const within = affine.scanInclusive({ a, b }, group);
    const seeded = affine.scanExclusive({ a, b }, { seed: { a: 3, b: 5 } });
    return outputs({ within, seeded, whole: affine.reduce({ a, b }) });
  },
  options(4, 2, 3),
);

// Of equal values the earlier is kept, so the operands cannot be exchanged.
const argmax = operator(
  "argmax",
  { value: f32, index: u32 },
  {
    combine: (left, right) => {
      const isHigher = right.value.gt(left.value);
      return {
        value: isHigher.select(right.value, left.value),
        index: isHigher.select(right.index, left.index),
      };
    },
    identity: { value: Number.NEGATIVE_INFINITY, index: 0xffffffff },
  },
);

const best = pipeline(
  "argmax",
  { x: f32 },
  ({ x }, { index }) => {
    const record = { value: x, index: index() };
    return outputs({ best: argmax.reduce(record), inGroup: argmax.reduce(record, group) });
  },
  options(64),
);

/** One of each kind of type: words of several widths, some of them emulated. */
const mixture = operator(
  "mixture",
  { last: f32, nested: { count: i64, any: bool }, list: [u32, u32] },
  {
    combine: (left, right) => ({
      last: right.nested.any.select(right.last, left.last),
      nested: {
        count: left.nested.count.add(right.nested.count),
        any: left.nested.any.or(right.nested.any),
      },
      list: [left.list[0].max(right.list[0]), left.list[1].mul(31).add(right.list[1])],
    }),
    identity: { last: 0, nested: { count: 0n, any: false }, list: [0, 0] },
  },
);

const mixed = pipeline(
  "mixed-records",
  { x: f32, c: i64, p: bool, u: u32 },
  ({ x, c, p, u }) => {
    const record = { last: x, nested: { count: c, any: p }, list: [u, u.and(15)] } as const;
    const all = mixture.scanExclusive(record);
    return outputs({ last: all.last, count: all.nested.count, total: mixture.reduce(record, group).list });
  },
  options(64),
);

const range = operator(
  "range",
  { low: f64, high: f64 },
  {
    combine: (left, right) => ({ low: left.low.min(right.low), high: left.high.max(right.high) }),
    identity: { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY },
    commutative: true,
  },
);
const extent = pipeline(
  "range-of-doubles",
  { x: f64 },
  ({ x }) => outputs({ range: range.reduce({ low: x, high: x }) }),
  options(64),
);

const FACTORS = [3, 5, 7, 11, 13] as const;
/** Five hashes of the sequence: ten words, each showing the order. */
const hashes = operator(
  "hashes",
  { hash: [u32, u32, u32, u32, u32], power: [u32, u32, u32, u32, u32] },
  {
    combine: ({ hash: a, power: p }, { hash: b, power: q }) => {
      const hash = (i: 0 | 1 | 2 | 3 | 4) => a[i].mul(q[i]).add(b[i]);
      const power = (i: 0 | 1 | 2 | 3 | 4) => p[i].mul(q[i]);
      return {
        hash: [hash(0), hash(1), hash(2), hash(3), hash(4)],
        power: [power(0), power(1), power(2), power(3), power(4)],
      };
    },
    identity: { hash: [0, 0, 0, 0, 0], power: [1, 1, 1, 1, 1] },
  },
);
const hashed = pipeline(
  "wide-records",
  { x: u32 },
  ({ x }) => {
    const hash = [x, x.add(1), x.xor(5), x.not(), x.mul(x)] as const;
    const record = { hash, power: FACTORS };
    const { scan, total } = hashes.scanWithTotal(record);
    return outputs({
      first: scan.hash[0],
      last: scan.power[4],
      total: total.hash[3],
      inGroup: hashes.reduce(record, group).hash[1],
    });
  },
  options(64),
);

const floats = operator("product", f32, {
  combine: (left, right) => left.mul(right),
  identity: 1,
  commutative: true,
});

const segmented = pipeline(
  "segments",
  { x: f32, u: u32, starts: bool },
  ({ x, u, starts }) => ({
    sum: x.scanInclusive("add", { segments: starts }),
    before: x.scanExclusive("add", { segments: starts, seed: -0 }),
    // Factors that lead to no subnormal number, which a device may flush.
    product: floats.scanExclusive(u.and(1).toF32().mul(-2.75).add(1.5), { segments: starts }),
    most: u.scanInclusive("max", { segments: starts, seed: 7, ...group }),
    xor: u.scanExclusive("xor", { segments: starts, ...group }),
  }),
  options(64),
);

const seeded = pipeline(
  "seeds",
  { x: f32, u: u32 },
  ({ x, u }) => ({
    sum: x.scanInclusive("add", { seed: 0.1 }),
    before: x.scanExclusive("add", { seed: -0 }),
    total: x.reduce("add", { seed: -0 }),
    count: u.scanExclusive("add", { seed: 5, ...group }),
    top: u.reduce("max", { seed: 9, ...group }),
    truth: u.scanExclusive("logical-or", { seed: 2, ...group }),
  }),
  options(100),
);

const backwards = pipeline(
  "backwards",
  { a: u32, b: u32 },
  ({ a, b }) => ({
    all: affine.scanInclusive({ a, b }, { reverse: true, seed: { a: 3, b: 5 } }).b,
    before: a.scanExclusive("add", { reverse: true }),
    inGroup: affine.scanExclusive({ a, b }, { reverse: true, ...group }).b,
  }),
  options(64),
);

const keyed = pipeline(
  "keyed",
  { x: f32, key: u32 },
  ({ x, key }) => {
    const keys = key.and(1);
    const { scan, total } = x.scanWithTotal("add", { keys, seed: -0 });
    return { scan, total, inGroup: x.reduce("max", { keys, ...group }) };
  },
  options(64),
);

/** Monoids on unsigned integers, whose loop is in a function that scans call. */
const gcd32 = operator("gcd_u32", u32, {
  combine: (left, right) => left.gcd(right),
  identity: 0,
  commutative: true,
});
const gcd64 = operator("gcd_u64", u64, {
  combine: (left, right) => left.gcd(right),
  identity: 0n,
  commutative: true,
});

const divided = pipeline(
  "divisors",
  { x: u32, i: i32, f: f32 },
  ({ x, i, f }) => {
    // Factors that are shared by some items and not by others.
    const scaled = x.and(255).mul(360360);
    return {
      total: gcd32.reduce(scaled),
      before: gcd32.scanExclusive(scaled, group),
      wide: gcd64.scanInclusive(scaled.toU64().mul(4294967297n), group),
      signed: i.gcd(i.absdiff(12)),
      far: f.absdiff(0.1).absdiff(f),
    };
  },
  options(64),
);

/** Where segments start: nowhere, everywhere, at some items but not the first, and in runs of one. */
function startsOf(n: number, seed: number): Uint8Array {
  const random = randomOf(`starts ${seed}`);
  const rules: readonly ((i: number) => boolean)[] = [
    (i) => i > 0 && random.chance(0.1),
    () => false,
    () => true,
    (i) => i % 17 > 13,
  ];
  const rule = rules[seed % rules.length] as (i: number) => boolean;
  return Uint8Array.from({ length: n }, (_, i) => Number(rule(i)));
}

export const OPERATORS: readonly Case[] = [
  caseOf(maps, "an operator that does not commute, over the device, and in groups of no power of two", {
    share: "sample",
    typical: true,
  }),
  caseOf(smoothing, "a linear recurrence of floats, over the device and in groups"),
  caseOf(mapsInGroups, "an operator that does not commute in work-groups of two dimensions, and its scan"),
  caseOf(mapsInSpace, "an operator that does not commute in three dimensions; a seed of a record", {
    share: "sample",
  }),
  caseOf(best, "the greatest value and where it stands", { share: "few", typical: true }),
  caseOf(mixed, "records of several types, nested, emulated ones among them"),
  caseOf(extent, "records of doubles"),
  caseOf(hashed, "records of ten words, more than a device has arrays"),
  caseOf(segmented, "segments, by built-in operators and by one of the author", {
    inputs: (n, seed) => ({ starts: startsOf(n, seed) }),
  }),
  caseOf(seeded, "seeds, -0 among them"),
  caseOf(backwards, "the opposite direction, in groups too"),
  caseOf(divided, "greatest common divisors and differences, which are spelled out in other operators"),
  caseOf(keyed, "segments by keys: scans, and the total of each item's segment", { share: "sample" }),
];
