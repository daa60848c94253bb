/** Pipelines that move values: broadcasts, votes, scatters. */
import type { RunValues } from "@groupwise/core";
import { bool, f32, i32, param, pipeline, u32 } from "@groupwise/dsl";
import { randomOf } from "../data/random.ts";
import { type Case, caseOf } from "./base/case.ts";

const options = (workGroupSize: number) => ({ workGroupSize, places: false });
const group = { scope: "work-group" } as const;

const lineIndex = pipeline(
  "line-index",
  { text: u32 },
  ({ text }, { index }) => {
    const isBreak = text.eq(10);
    const line = isBreak.toU32().scanExclusive("add");
    const lines = isBreak.toU32().reduce("add");
    return {
      line,
      starts: index().add(1).scatter({ to: line, where: isBreak, length: lines }),
      lines,
    };
  },
  options(256),
);
const textOf = (n: number, seed: number): RunValues => {
  const random = randomOf("text", n, seed);
  return { text: Uint32Array.from({ length: n }, () => (random.chance(0.05) ? 10 : random.int(32, 126))) };
};

const compact = pipeline(
  "compact",
  { x: f32, least: param(f32) },
  ({ x, least }) => {
    const keep = x.ge(least);
    const slot = keep.toU32().scanExclusive("add");
    return { kept: x.scatter({ to: slot, where: keep, length: keep.toU32().reduce("add") }) };
  },
  options(128),
);

/** One step of a radix sort: items with a zero bit first, in order. */
const split = pipeline(
  "split",
  { x: u32, bit: param(u32) },
  ({ x, bit }) => {
    const isOne = x.shr(bit).and(1).eq(1);
    const zeros = isOne.not().toU32();
    const slot = isOne.select(
      isOne.toU32().scanExclusive("add").add(zeros.reduce("add")),
      zeros.scanExclusive("add"),
    );
    return { sorted: x.scatter({ to: slot }), flags: isOne.scatter({ to: slot }) };
  },
  options(64),
);

const reverse = pipeline(
  "reverse",
  { x: i32, keep: bool },
  ({ x, keep }, { index, size }) => {
    const to = size().sub(1).sub(index());
    return {
      all: x.scatter({ to }),
      some: x.scatter({ to, where: keep }),
      halves: x.toF32().scatter({ to, where: keep }),
    };
  },
  options(100),
);

/** Runs end with an error once `missing` is above 0: slots at or past the length are within the capacity. */
const shortened = pipeline(
  "shortened",
  { x: i32, missing: param(u32) },
  ({ x, missing }, { size }) => {
    const keep = x.rem(3).eq(0);
    const slot = keep.toU32().scanExclusive("add");
    const count = keep.toU32().reduce("add");
    return {
      kept: x.scatter({ to: slot, where: keep, length: count.sub(count.min(missing)) }),
      turned: x.scatter({ to: count.sub(1).sub(slot), where: keep, length: count, capacity: size().add(7) }),
    };
  },
  options(64),
);

/** Runs end with an error once `by` is above the number of items. */
const shifted = pipeline(
  "shifted",
  { x: u32, by: param(u32) },
  ({ x, by }, { index, size }) => ({
    fine: x.scatter({ to: index() }),
    shifted: x.scatter({ to: index().add(by), where: index().add(1).lt(size()) }),
  }),
  options(64),
);

const broadcast = pipeline(
  "broadcast",
  { x: f32, at: param(u32) },
  ({ x, at }, { groupSize }) => ({
    first: x.sub(x.broadcast(0)),
    chosen: x.broadcast(at),
    ofGroup: x.broadcast(at, group),
    last: x.broadcast(groupSize().sub(1), group).perItem(),
  }),
  options(64),
);

const crossing = pipeline(
  "broadcast-crossing",
  { x: u32 },
  ({ x }, { groupIndex, enqueuedGroupSize }) => {
    const sum = x.scanInclusive("add");
    const far = x.reduce("max").rem(100);
    return {
      far: sum.broadcast(far),
      near: sum.broadcast(groupIndex().rem(enqueuedGroupSize()), group),
      back: x.broadcast(sum.broadcast(3).rem(7), group).perItem().scanExclusive("xor"),
    };
  },
  options(100),
);

const votes = pipeline(
  "votes",
  { x: i32 },
  ({ x }) => {
    const positive = x.gt(0);
    return {
      all: positive.all(group),
      any: positive.any(group),
      anywhere: positive.any(),
      everywhere: x.all(),
      share: positive.select(x, 0).reduce("add", group),
      outvoted: positive.ne(positive.all()),
    };
  },
  options(64),
);

const truth = pipeline(
  "truth",
  { x: i32, y: bool },
  ({ x, y }) => ({
    odd: x.scanInclusive("logical-xor"),
    none: x.scanExclusive("logical-or", group),
    every: x.reduce("logical-and"),
    flips: y.scanInclusive("logical-xor"),
    so: y.scanExclusive("logical-and", group),
    joint: y.and(x.ne(0)).any(group),
  }),
  options(100),
);

export const PLACES: readonly Case[] = [
  caseOf(lineIndex, "the line index of a text", { share: "few", typical: true, inputs: textOf }),
  caseOf(compact, "stream compaction: an output whose length is computed", {
    typical: true,
    params: [{ least: 0 }, { least: -2 }, { least: 100 }],
  }),
  caseOf(split, "scatters of every item to places that two scans compute", {
    params: [{ bit: 0 }, { bit: 31 }],
  }),
  caseOf(reverse, "scatters with and without a condition; slots that nobody writes"),
  caseOf(shifted, "slots past the end are an error", {
    share: "least",
    params: [{ by: 1 }, { by: 2 }, { by: 0 }],
  }),
  caseOf(shortened, "slots between the length and the capacity are an error", {
    params: [{ missing: 0 }, { missing: 1 }, { missing: 5 }],
  }),
  caseOf(broadcast, "broadcasts by a constant, a parameter and a query, past the end too", {
    share: "some",
    typical: true,
    params: [{ at: 0 }, { at: 63 }, { at: 4_000_000_000 }, { at: 5 }],
  }),
  caseOf(crossing, "broadcasts of scanned values by computed places, across scopes"),
  caseOf(votes, "all and any at both scopes", { share: "some", typical: true }),
  caseOf(truth, "logical operators on predicates that are not 0 or 1"),
];
