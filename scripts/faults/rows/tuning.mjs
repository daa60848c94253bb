/** Faults of tuning: the chosen sizes, the row that applies, and the checks. */
const CONTEST = ["packages/core/test/tune-contest.test.ts"];
const FILES = ["packages/core/test/tuning.test.ts"];
const TUNE = "packages/core/src/host/tune";
const TUNING = "packages/core/src/host/tuning";

export const TUNING_FAULTS = [
  {
    id: "tune-slowest",
    about: "the slowest sizes are compared with the default ones",
    file: `${TUNE}/contest.ts`,
    find: "timed.toSorted((a, b) => a.ms - b.ms)[0]",
    replace: "timed.toSorted((a, b) => b.ms - a.ms)[0]",
    tests: CONTEST,
    expects: "is won by the fastest sizes",
  },
  {
    id: "tune-unchecked",
    about: "sizes are timed whatever their results",
    file: `${TUNE}/contest.ts`,
    find: "    if (wrong !== undefined) return wrong;",
    replace: "    if (wrong === undefined && false) return wrong;",
    tests: CONTEST,
    expects: "never chooses sizes whose results are wrong",
  },
  {
    id: "tune-noise",
    about: "a gain below the spread is taken for one",
    file: `${TUNE}/contest.ts`,
    find: "Math.max(LEAST_GAIN, usual.spread, other.spread)",
    replace: "LEAST_GAIN",
    tests: CONTEST,
    expects: "below the spread",
  },
  {
    id: "tuning-border",
    about: "a row also applies to the first number of items after its range",
    file: `${TUNING}/select.ts`,
    find: "items < row.below",
    replace: "items <= row.below",
    tests: FILES,
    expects: "items is that of its range",
  },
  {
    id: "tuning-elsewhere",
    about: "a tuning of other hardware is taken",
    file: `${TUNING}/select.ts`,
    find: "if (tuned !== got) throw errorOf",
    replace: "if (device.target !== target) throw errorOf",
    tests: FILES,
    expects: "a tuning is for devices of its target and hardware",
  },
  {
    id: "tune-remnants",
    about: "sizes that write nothing seem right, because the results of others are left",
    file: `${TUNE}/trials.ts`,
    find: "    this.some.y.write(remnantsOf(type, this.want.length) as never);\n",
    replace: "",
    tests: ["packages/target-opencl/test/tuning.test.ts"],
    name: "notices sizes that write nothing",
    expects: "notices sizes that write nothing",
  },
];
