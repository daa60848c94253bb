/** Reads at constant distances, windows, and runs by their ends. */
import { bool, ends, f32, pipeline, starts, u32 } from "@groupwise/dsl";
import { type Case, caseOf } from "./base/case.ts";

const options = { workGroupSize: 64, places: false } as const;

const near = pipeline(
  "near",
  { x: f32, key: u32, flag: bool },
  ({ x, key, flag }) => ({
    before: x.previous(0.5, 3),
    after: x.next(-0.5, 70),
    steps: x.diff({ segments: flag }),
    sums: x.moving("add", 5),
    most: key.moving("max", 4, { keys: key.and(6) }),
    runs: starts(key).toU32().scanInclusive("add"),
    last: ends(key.shr(1)),
    later: x.scanInclusive("add").next(0),
    earlier: x.scanInclusive("add").previous(0, 2),
  }),
  options,
);

/** See the title of the file. */
export const NEIGHBOURS: readonly Case[] = [caseOf(near, "neighbours and windows")];
