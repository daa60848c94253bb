import { describe, expect, it } from "vitest";
import { quantileOf, type StopRule, sample, samplesOf } from "../src/measure/samples.ts";

const RULE: StopRule = { leastRuns: 4, mostRuns: 8, spread: 0.1, limitMs: 100 };

/** Measures the times in turn, again from the first after the last; each advances the clock by itself. */
function clockOver(times: readonly number[]) {
  let [at, now] = [0, 0];
  const measure = async (): Promise<number> => {
    const time = times[at++ % times.length] as number;
    now += time;
    return time;
  };
  return { measure, now: () => now };
}

describe("samples", () => {
  it("has the quantiles that are computed by hand", () => {
    expect(quantileOf([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantileOf([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantileOf([7], 0.75)).toBe(7);
    expect(quantileOf([], 0.5)).toBeNaN();
  });

  it("sorts as numbers, not as texts", () => {
    const got = samplesOf([10, 9, 100, 8, 11], "runs");
    expect(got).toEqual({
      medianMs: 10,
      leastMs: 8,
      quartilesMs: [9, 11],
      spread: 0.2,
      runs: 5,
      stopped: "runs",
    });
  });

  it("has no spread if every time is below the resolution of the clock", () => {
    expect(samplesOf([0, 0, 0], "spread").spread).toBe(0);
  });
});

describe("the stop rule", () => {
  it("stops after the minimum number of runs if the spread is small, despite one outlier", async () => {
    const { measure, now } = clockOver([1, 1, 1, 9, 1]);
    const rule = { ...RULE, leastRuns: 5 };
    expect(await sample(measure, rule, now)).toMatchObject({ runs: 5, stopped: "spread", medianMs: 1 });
  });

  it("continues until the spread is small", async () => {
    const { measure, now } = clockOver([1, 2, 1, 2, 2, 2, 2, 2]);
    // Quartiles of 1 1 2 2 2 2 2 are 1.5 and 2; of eight times 2 and 2 after 1.75.
    const rule = { ...RULE, spread: 0.25 };
    expect(await sample(measure, rule, now)).toMatchObject({ runs: 7, stopped: "spread" });
  });

  it("stops after the maximum number of runs if the noise remains", async () => {
    const { measure, now } = clockOver([1, 2]);
    expect(await sample(measure, RULE, now)).toMatchObject({ runs: 8, stopped: "runs" });
  });

  it("stops when the time is used up, after the minimum number of runs", async () => {
    const short = clockOver([20, 40]);
    expect(await sample(short.measure, RULE, short.now)).toMatchObject({ runs: 4, stopped: "time" });
    const long = clockOver([200, 400]);
    expect(await sample(long.measure, RULE, long.now)).toMatchObject({ runs: 4, stopped: "time" });
  });
});

it.each([
  [[1, 2, 9], 2],
  [[1, 4], 2.5],
  [[1, 2, 6, 9], 4],
  [[7], 7],
  [[], Number.NaN],
])("the median of %j is %d, between the two middle ones of an even number", (sorted, median) => {
  expect(quantileOf(sorted, 0.5)).toBe(median);
});
