/** Times of repeated runs, until they agree. */

/** When to stop measuring. */
export interface ContestRule {
  readonly leastRuns: number;
  readonly mostRuns: number;
  /** Interquartile range over median that is small enough. */
  readonly spread: number;
  /** Milliseconds, after which only `leastRuns` are completed. */
  readonly limitMs: number;
}

/** Summary of times in milliseconds. */
export interface Samples {
  readonly medianMs: number;
  /** Interquartile range over median. */
  readonly spread: number;
}

/** Linear between neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below = Number.NaN, above = Number.NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (at - Math.floor(at)) * (above - below);
}

/** @param times milliseconds, at least one */
export function samplesOf(times: readonly number[]): Samples {
  const sorted = times.toSorted((a, b) => a - b);
  const [first, medianMs, third] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share)) as [
    number,
    number,
    number,
  ];
  // All times may be zero, below the tick of a clock.
  return { medianMs, spread: first === third ? 0 : (third - first) / medianMs };
}

/** Measures several things by turns, so that what changes meanwhile affects all of them, until the spread of each is small. */
export async function sampleByTurns(
  measures: readonly (() => Promise<number>)[],
  rule: ContestRule,
  now: () => number,
): Promise<Samples[]> {
  const start = now();
  const times: number[][] = measures.map(() => []);
  for (let runs = 1; ; runs++) {
    for (const [i, measure] of measures.entries()) times[i]?.push(await measure());
    if (runs < rule.leastRuns) continue;
    const samples = times.map(samplesOf);
    const isDone = samples.every(({ spread }) => spread <= rule.spread) || runs >= rule.mostRuns;
    if (isDone || now() - start >= rule.limitMs) return samples;
  }
}
