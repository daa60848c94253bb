/** Repeated measurement until the noise is small, as NVBench does. */

/** Quantile of ascending numbers, linear between neighbours. NaN of none. */
export function quantileOf(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return below + (at - Math.floor(at)) * (above - below);
}

/** When to stop measuring. */
export interface StopRule {
  /** Samples before the spread is first computed. */
  readonly leastRuns: number;
  readonly mostRuns: number;
  /** Interquartile range over median that is small enough. */
  readonly spread: number;
  /** Milliseconds, after which only `leastRuns` are completed. */
  readonly limitMs: number;
}

export const STOP_RULE: StopRule = { leastRuns: 9, mostRuns: 99, spread: 0.01, limitMs: 2000 };

/** Why a measurement ended. */
export type Stopped = "spread" | "runs" | "time";

/** Summary of the samples of one measurement, in milliseconds. */
export interface Samples {
  readonly medianMs: number;
  readonly leastMs: number;
  /** First and third quartile. */
  readonly quartilesMs: readonly [number, number];
  /** Interquartile range over median. */
  readonly spread: number;
  readonly runs: number;
  readonly stopped: Stopped;
}

/** @param times milliseconds in any order, at least one */
export function samplesOf(times: readonly number[], stopped: Stopped): Samples {
  const sorted = times.toSorted((a, b) => a - b);
  const [first, medianMs, third] = [0.25, 0.5, 0.75].map((share) => quantileOf(sorted, share)) as [
    number,
    number,
    number,
  ];
  // Zero is below the resolution of a clock: times that are all zero have no spread.
  const spread = third === first ? 0 : (third - first) / medianMs;
  const leastMs = sorted[0] ?? Number.NaN;
  return { medianMs, leastMs, quartilesMs: [first, third], spread, runs: times.length, stopped };
}

/**
 * Measures until the spread is at most the rule's, or its runs or time are used up.
 * @param measure milliseconds of one run
 * @param now milliseconds of the clock that limits the whole
 */
export async function sample(
  measure: () => Promise<number>,
  rule: StopRule = STOP_RULE,
  now: () => number = () => performance.now(),
): Promise<Samples> {
  const start = now();
  const times: number[] = [];
  for (;;) {
    times.push(await measure());
    if (times.length < rule.leastRuns) continue;
    const { spread } = samplesOf(times, "spread");
    if (spread <= rule.spread) return samplesOf(times, "spread");
    if (times.length >= rule.mostRuns) return samplesOf(times, "runs");
    if (now() - start >= rule.limitMs) return samplesOf(times, "time");
  }
}
