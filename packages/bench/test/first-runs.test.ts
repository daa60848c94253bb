/** First runs in this process; the command starts others. */
import { deviceTest } from "@groupwise/testkit/conformance";
import { findCc, scratchDirectory } from "@groupwise/testkit/devices";
import { expect, test } from "vitest";
import { answerTo } from "../src/first/answer.ts";
import { type FirstRuns, isRight, printFirstRuns } from "../src/first/first-runs.ts";
import { wrongOf } from "../src/first/pipelines.ts";

const N = 1000;

deviceTest("a first run is checked, and later ones by what it leaves", findCc, async () => {
  const asked = { target: "c", pipeline: "compaction", n: N, cache: scratchDirectory() } as const;
  const cold = await answerTo({ ...asked, then: "leave" });
  const kept = await answerTo({ ...asked, ...cold.left });
  const { device, driver } = cold;
  const row = { target: "c", pipeline: "compaction", device, driver, cold, kept, loaded: kept } as const;
  const result = { surroundings: {}, n: 1024, rows: [row], absent: [] } as unknown as FirstRuns;
  expect(isRight(result)).toBe(true);
  expect(printFirstRuns(result, true)).toMatch(/^\| c \| .* \| compaction \| [\d.]+ \([\d.]+\) \|/m);
  const wrong = { ...result, rows: [{ ...row, kept: { ...kept, wrong: "kept[1] is 4, not 3" } }] };
  expect(isRight(wrong)).toBe(false);
  expect(printFirstRuns(wrong, true)).toContain("kept[1] is 4, not 3");
});

test("results that differ are found", () => {
  const kept = Uint32Array.from({ length: 334 }, (_, i) => 3 * i);
  expect(wrongOf("compaction", N, { kept })).toBeUndefined();
  expect(wrongOf("compaction", N, { kept: kept.with(7, 20) })).toBe("kept[7] is 20, not 21");
  expect(wrongOf("compaction", N, { kept: kept.subarray(1) })).toBe("kept has 333 elements, not 334");
});
