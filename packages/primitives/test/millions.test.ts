import { jsRuntime } from "@groupwise/target-js/runtime";
import { expect, test } from "vitest";
import { LINE, run, SEGMENTS, trialOf, wrong } from "../../bench/src/subjects/index.ts";

/** In full runs; else more than the items of 256 tiles, for which the plain loops take a fifth of the time. */
const MILLIONS = process.env.GROUPWISE_FULL ? 1_500_007 : 300_007;
const js = jsRuntime();

/** One of each kind; smaller types, since the loops that check are plain. */
const CHOSEN = [
  ...["compact f32", "partition bool", "unique u32", "run-length encode u32", "run-length decode f32"],
  ...["merge counts", "reduce by key: add u32", "histogram of 1000 bins", "segmented reduce: add i32"],
  ...["sparse matrix times vector, f32", "summed-area table u32"],
];

test.each(CHOSEN)(`%s of ${MILLIONS} items, in JavaScript`, async (name) => {
  const subject = [...LINE, ...SEGMENTS].find((one) => one.name === name);
  if (!subject) throw new Error(`there is no ${name}`);
  const trial = trialOf(subject, MILLIONS, "millions");
  expect(wrong(subject, trial, await run(js, subject, trial))).toEqual([]);
});
