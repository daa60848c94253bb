/** Bitmaps: a bit an item, in and out, as tables and as scatters. */
import { bits, bool, pipeline, table, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "../base/case.ts";

const options = { workGroupSize: 64, places: false } as const;

const packed = pipeline(
  "bits",
  { mask: bits, set: table(bits), x: u32, on: bool },
  ({ mask, set, x, on }, { index, size }) => {
    const kept = mask.or(on);
    return {
      plain: kept,
      packed: bits(kept),
      found: bits(set.at(x.rem(100))),
      place: kept.toU32().scanExclusive("add"),
      most: bits(x.reduce("max").eq(x)),
      back: bits(on).scatter({ to: size().sub(1).sub(index()), where: x.rem(3).ne(0) }),
      seen: bits(on.or(on.not())).scatter({ to: x.rem(75), capacity: 75 }),
    };
  },
  options,
);

const grid = pipeline(
  "bits-grid",
  { mask: bits, x: u32 },
  ({ mask, x }, { localIndex }) => ({
    out: bits(mask.xor(x.gt(localIndex()))),
    ofGroup: bits(x.reduce("min", { scope: "work-group" }).rem(2).eq(0)),
  }),
  { workGroupSize: [5, 3], places: false },
);

export const BIT_CASES: readonly Case[] = [
  caseOf(packed, "bitmaps in and out, as tables and scatters", { share: "sample" }),
  caseOf(grid, "bitmaps over two dimensions"),
];
