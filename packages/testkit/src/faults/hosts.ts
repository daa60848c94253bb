/** Faults of runs: states of chunks, parts side by side, rounds, programs and arrays of hosts, tuning. */
import { type Fault, replaceExport, replaceIn } from "./fault.ts";

const cover = () => import("../../../core/src/ir/state/cover.ts");
const arrays = () => import("../../../core/src/host/state/arrays.ts");
const sideBySide = () => import("../../../core/src/host/state/side-by-side.ts");

const STATES = ["packages/core/test/states.test.ts"];
const LOOPS = ["packages/target-js/test/states.test.ts"];

export const HOSTS: readonly Fault[] = [
  {
    id: "cover-turned",
    about: "the later block of a state is the left operand",
    tests: STATES,
    expects: "merging states gives the same state for any grouping: brackets",
    break: () =>
      replaceExport(
        cover(),
        "joinCovers",
        (real) => (left, right, combine) => real(left, right, (a, b) => combine(b, a)),
      ),
  },
  {
    id: "cover-place",
    about: "blocks of adjacent states stay apart although they are halves of a larger one",
    tests: STATES,
    expects: "merging states gives the same state for any grouping: add f16",
    break: () => replaceExport(cover(), "joinCovers", () => (left, right) => [...left, ...right]),
  },
  {
    id: "cover-fold-turned",
    about: "the prefix after a state is folded from the right",
    tests: STATES,
    expects: "merging states the prefix is the fold of the blocks from the left",
    break: () =>
      replaceExport(cover(), "foldCover", (real) => (blocks, combine) => real([...blocks].reverse(), combine)),
  },
  {
    id: "state-without-base",
    about: "loops drop the items before the block of 2^30",
    tests: LOOPS,
    expects: "JavaScript carries states items far into a range have the bits of the reference",
    break: () => replaceExport(arrays(), "placeOf", (_, { within }) => within),
  },
];
