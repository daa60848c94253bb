/** Stable ranks of keys, and scatters by them. */
import type { RunValues } from "@groupwise/core";
import { bool, f16, f32, f64, i32, i64, param, pipeline, u8, u32 } from "@groupwise/dsl";
import { randomOf } from "../../data/random.ts";
import { type Case, caseOf } from "../base/case.ts";

const options = { workGroupSize: 64, places: false } as const;
const group = { scope: "work-group" } as const;

/** A pass of a radix sort over 8 bits. */
const sortBytes = pipeline(
  "sort-bytes",
  { keys: u32, values: f32, shift: param(u32) },
  ({ keys, values, shift }) => {
    const to = keys.shr(shift).and(255).rank({ bins: 256 });
    return { sorted: keys.scatter({ to }), moved: values.scatter({ to }) };
  },
  options,
);

/** Values from a scan, from the rank itself, and in words, beside narrow elements. */
const rankedTypes = pipeline(
  "ranked-types",
  { x: u32, wide: i64, half: f16, double: f64, truth: bool },
  ({ x, wide, half, double, truth }, { index }) => {
    const to = x.rank({ bins: 9 });
    return {
      wideTo: wide.scatter({ to }),
      halfTo: half.scatter({ to }),
      doubleTo: double.scatter({ to }),
      truthTo: truth.scatter({ to }),
      sumTo: x.scanInclusive("add").scatter({ to }),
      itself: to.scatter({ to }),
      bytes: u8(x).scatter({ to }),
      some: index().scatter({ to, where: truth }),
    };
  },
  options,
);

/** Ranks of results of other collectives, ranks of ranks, and other collectives of ranks. */
const rankedStages = pipeline(
  "ranked-stages",
  { x: u32, y: i32, most: param(u32) },
  ({ x, y, most }) => {
    const first = x.scanExclusive("xor").rem(5).rank({ bins: 5 });
    const second = first.and(3).add(y.reduce("min").toU32().and(1)).rank({ bins: 4 });
    return {
      first,
      second,
      none: x.rank({ bins: 1 }),
      beyond: x.min(most).rank({ bins: 3 }),
      sums: second.scanInclusive("add"),
      near: first.scanExclusive("max", group),
      there: y.at(second),
      turned: y.scatter({ to: second }),
      keys: x.rem(5).scatter({ to: x.rem(5).rank({ bins: 5 }) }),
      last: second.broadcast(7),
    };
  },
  options,
);

/** A range of two dimensions: items in linear order. */
const rankedGrid = pipeline(
  "ranked-grid",
  { x: u32 },
  ({ x }, { localId }) => {
    const to = x.add(localId(1)).rem(6).rank({ bins: 6 });
    return { to, sorted: x.scatter({ to }), within: to.scanInclusive("add", group) };
  },
  { workGroupSize: [4, 4], places: false },
);

/** All keys equal, rising, falling, few, and random. */
function keysOf(n: number, seed: number): RunValues {
  const random = randomOf("keys", n, seed);
  const made: readonly ((i: number) => number)[] = [
    () => random.int(0, 2 ** 31),
    () => 0x01010101 * 77,
    (i) => i,
    (i) => n - i,
    () => random.int(0, 2) * 0x80808080,
  ];
  const of = made[seed % made.length] as (i: number) => number;
  return { keys: Uint32Array.from({ length: n }, (_, i) => of(i)) };
}

export const RANKS: readonly Case[] = [
  caseOf(sortBytes, "stable ranks of 256 keys, and items moved by them", {
    share: "few",
    typical: true,
    inputs: keysOf,
    params: [{ shift: 0 }, { shift: 24 }, { shift: 8 }],
  }),
  caseOf(rankedTypes, "values of each width moved by ranks, and what only the rank's values can write", {
    share: "sample",
  }),
  caseOf(rankedStages, "ranks between other collectives", {
    share: "sample",
    params: [{ most: 2 }, { most: 4_000_000_000 }],
  }),
  caseOf(rankedGrid, "ranks over a range of two dimensions"),
];
