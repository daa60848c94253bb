/**
 * Faults that tests must catch.
 *
 * `find` occurs exactly once in `file`, and `replace` takes its place. `tests` and `name` filter the tests of vitest (files;
 * a pattern of names), `expects` is a part of the failing test's name.
 */
import { APPENDED } from "./rows/appended.mjs";
import { C } from "./rows/c.mjs";
import { CHECKS } from "./rows/checks.mjs";
import { COLUMNS } from "./rows/columns.mjs";
import { FUNCTIONS } from "./rows/functions.mjs";
import { HALVES } from "./rows/halves.mjs";
import { HOSTS } from "./rows/hosts.mjs";
import { LOOK_BACK } from "./rows/look-back.mjs";
import { LOWERING } from "./rows/lowering.mjs";
import { MEANING } from "./rows/meaning.mjs";
import { NARROW } from "./rows/narrow.mjs";
import { PARTS_FAULTS } from "./rows/parts.mjs";
import { RANKS } from "./rows/ranks.mjs";
import { REUSE } from "./rows/reuse.mjs";
import { STATES } from "./rows/states.mjs";
import { STREAMS } from "./rows/streams.mjs";
import { TUNING_FAULTS } from "./rows/tuning.mjs";
import { TYPES } from "./rows/types.mjs";

export const FAULTS = [
  ...MEANING,
  ...CHECKS,
  ...TYPES,
  ...FUNCTIONS,
  ...LOWERING,
  ...LOOK_BACK,
  ...HOSTS,
  ...C,
  ...APPENDED,
  ...STATES,
  ...RANKS,
  ...PARTS_FAULTS,
  ...STREAMS,
  ...REUSE,
  ...NARROW,
  ...HALVES,
  ...COLUMNS,
  ...TUNING_FAULTS,
];
