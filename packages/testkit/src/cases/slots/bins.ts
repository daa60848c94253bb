/** Scatters of few slots, which work-groups combine in their memory, and others that are not combined there. */
import { i32, param, pipeline, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "../base/case.ts";

const options = { workGroupSize: 64, places: false } as const;
const group = { scope: "work-group" } as const;

const tally = pipeline(
  "tally",
  { x: u32 },
  ({ x }) => ({
    counts: u32(1)
      .perItem()
      .scatter({ to: x.and(15), capacity: 16, combine: "add" }),
  }),
  options,
);

const bins = pipeline(
  "bins",
  { x: u32, y: i32, k: param(u32) },
  ({ x, y, k }) => {
    const among = (slots: number) => ({ to: x.rem(slots), capacity: slots }) as const;
    const below = x.rem(k.max(1));
    return {
      sums: y.scatter({ ...among(7), combine: "add" }),
      least: y.scatter({ ...among(1000), where: y.gt(0), combine: "min" }),
      most: y.scatter({ to: below, capacity: 30, length: k, combine: "max" }),
      // Together with these, the others do not fit in a work-group; these fit in the remaining memory.
      all: x.scatter({ ...among(2000), combine: "and" }),
      some: x.scatter({ to: below, capacity: 16, combine: "or" }),
      odd: y.scatter({ ...among(990), where: x.and(1).eq(0), combine: "xor" }),
    };
  },
  options,
);

const besideScans = pipeline(
  "bins-beside-scans",
  { x: u32, y: i32 },
  ({ x, y }) => {
    const sums = y.scanInclusive("add");
    const of = (value: typeof x, slots: number) => ({ to: value.rem(slots), capacity: slots }) as const;
    return {
      sums,
      ofItems: y.scatter({ ...of(x, 9), combine: "min" }),
      ofScan: x.scatter({ ...of(sums.toU32(), 16), combine: "add" }),
      ofReduce: u32(1)
        .perItem()
        .scatter({ ...of(x.add(x.reduce("add")), 5), combine: "add" }),
      ofGroups: x.scatter({ ...of(x.scanExclusive("xor", group), 12), combine: "max" }),
    };
  },
  options,
);

export const BINS: readonly Case[] = [
  caseOf(tally, "a histogram of few bins", { share: "least", typical: true }),
  caseOf(bins, "combining scatters of few slots and of many, and slots past the end", {
    share: "some",
    params: [{ k: 16 }, { k: 5 }, { k: 0 }, { k: 17 }],
  }),
  caseOf(besideScans, "combining scatters of few slots that wait for collectives, and that do not", {
    share: "sample",
  }),
];
