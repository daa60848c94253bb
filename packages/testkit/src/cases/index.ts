import { ARRAYS } from "./arrays.ts";
import type { Case } from "./base/case.ts";
import { CHAINED } from "./chains.ts";
import { CONSECUTIVE } from "./consecutive.ts";
import { DEAD } from "./dead.ts";
import { EXPANSIONS } from "./expansions.ts";
import { MAPS } from "./maps.ts";
import { NARROW_CASES } from "./narrow.ts";
import { NEIGHBOURS } from "./neighbours.ts";
import { OPERATORS } from "./operators.ts";
import { PLACES } from "./places.ts";
import { RANGES } from "./ranges.ts";
import { READY_MADE } from "./ready-made.ts";
import { SCANS } from "./scans.ts";
import { BINS } from "./slots/bins.ts";
import { BIT_CASES } from "./slots/bits.ts";
import { RANKS } from "./slots/ranks.ts";
import { WIDE } from "./wide.ts";

export type { Case } from "./base/case.ts";

/** Every named pipeline. */
export const CASES: readonly Case[] = [
  ...PLACES,
  ...SCANS,
  ...CHAINED,
  ...MAPS,
  ...RANGES,
  ...WIDE,
  ...NARROW_CASES,
  ...OPERATORS,
  ...ARRAYS,
  ...BINS,
  ...BIT_CASES,
  ...RANKS,
  ...CONSECUTIVE,
  ...NEIGHBOURS,
  ...READY_MADE,
  ...DEAD,
  ...EXPANSIONS,
];
