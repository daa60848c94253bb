/** The contest of sizes for one kind, type and number of items: sizes are checked, timed, and the best ones timed again beside the default. */

import { NUMBER, requireArguments, shaped } from "@groupwise/ir/base/arguments.js";
import { errorOf } from "@groupwise/ir/base/errors.js";
import type { Tiles } from "@groupwise/kernel/capabilities/tiles.js";
import { type ContestRule, type Samples, sampleByTurns } from "./samples.ts";

/** Sizes on their inputs, compiled. */
export interface SizeTrial {
  /** What is wrong with its results; undefined if they are those of the reference. */
  check(): Promise<string | undefined>;
  /** Milliseconds of a run. */
  measure(): Promise<number>;
  dispose(): void;
}

/** Sizes that took no part, and why. */
export interface Excluded {
  readonly tiles: Tiles;
  readonly reason: string;
}

/** The sizes that compete, and how they are tried. */
export interface Contest {
  /** The name of the device, for errors. */
  readonly device: string;
  readonly candidates: readonly Tiles[];
  /** More candidates, from the best of the others. */
  readonly refine: (best: Tiles) => readonly Tiles[];
  /** Compiles sizes; the default ones without an argument. */
  readonly prepare: (tiles?: Tiles) => Promise<SizeTrial>;
  /** Equal for sizes that give the same kernels, which are tried once. */
  readonly keyOf: (tiles?: Tiles) => string;
  readonly now: () => number;
  /** When the contest should be over: sizes are tried until enough time for the comparison of the best ones is left. */
  readonly until: number;
  /** When tuning should be over: a contest whose default sizes are not checked by then is not held. */
  readonly end: number;
}

/** The result of a contest. */
export interface Verdict {
  readonly default: Samples;
  /** The samples of the best sizes beside the default; those of the default if no other sizes were faster. */
  readonly best: Samples;
  /** Present if they are faster beyond noise. */
  readonly tiles?: Tiles;
  /** The best sizes that were tried besides the default, whether or not they are faster. */
  readonly closest?: Tiles;
  readonly tried: number;
  /** Different sizes that were not tried, because the time was used up. */
  readonly left: number;
  readonly excluded: readonly Excluded[];
}

/** The least share of the time that other sizes must save. */
const LEAST_GAIN = 0.03;
/** A first look at each candidate, and the comparison of the best one with the default. */
const LOOK: ContestRule = { leastRuns: 3, mostRuns: 7, spread: 0.02, limitMs: 250 };
const FINAL: ContestRule = { leastRuns: 7, mostRuns: 31, spread: 0.01, limitMs: 1500 };
/** The most of a contest's time that is kept for the comparison. */
const FINAL_SHARE = 0.25;

/**
 * The share of the default's time that other sizes save.
 * @category Authors
 */
export function gainOf(usual: Samples, other: Samples): number {
  requireArguments(arguments, "gainOf", { usual: SAMPLES, other: SAMPLES });
  return usual.medianMs > 0 ? 1 - other.medianMs / usual.medianMs : 0;
}

const SAMPLES = /*@__PURE__*/ shaped("times of runs", { medianMs: NUMBER });

/** Whether sizes are faster than the default by more than 3 % and more than either spread. */
const isFaster = (usual: Samples, other: Samples): boolean =>
  other.medianMs < (1 - Math.max(LEAST_GAIN, usual.spread, other.spread)) * usual.medianMs;

interface Timed {
  readonly tiles: Tiles;
  readonly ms: number;
}

/**
 * @returns undefined if the time was used up before the default sizes were checked
 * @throws what compiling, checking and running the default sizes throws; `device-error` if its results are wrong
 */
export async function decide(contest: Contest): Promise<Verdict | undefined> {
  const start = contest.now();
  const usual = await contest.prepare();
  try {
    const wrong = await usual.check();
    if (wrong !== undefined)
      throw errorOf("device-error", { device: contest.device, reason: `with the default sizes ${wrong}` });
    if (contest.now() >= contest.end) return undefined;
    // Other sizes take as long to prepare: one more of them, and the best one again.
    const preparedMs = contest.now() - start;
    const finalMs = Math.min(FINAL.limitMs, FINAL_SHARE * (contest.until - start));
    return await decideBeside(usual, contest, contest.until - finalMs - 2 * preparedMs);
  } finally {
    usual.dispose();
  }
}

/** @param lastLook when no further sizes are tried */
async function decideBeside(usual: SizeTrial, contest: Contest, lastLook: number): Promise<Verdict> {
  const { candidates, refine, prepare, keyOf, now, until } = contest;
  const seen = new Set([keyOf()]);
  const excluded: Excluded[] = [];
  const timed: Timed[] = [];
  let left = 0;
  const look = async (list: readonly Tiles[]): Promise<void> => {
    for (const tiles of list) {
      const key = keyOf(tiles);
      if (seen.has(key)) continue;
      seen.add(key);
      if (now() >= lastLook) left++;
      else {
        const result = await timeOf(tiles, prepare, now);
        if (typeof result === "string") excluded.push({ tiles, reason: result });
        else timed.push({ tiles, ms: result });
      }
    }
  };
  await look(candidates);
  const first = fastest(timed);
  if (first) await look(refine(first.tiles));
  const closest = fastest(timed)?.tiles;
  const final = { ...FINAL, limitMs: Math.min(FINAL.limitMs, until - now()) };
  const counts = { tried: timed.length, left, excluded };
  if (!closest) {
    const [alone] = (await sampleByTurns([() => usual.measure()], final, now)) as [Samples];
    return { default: alone, best: alone, ...counts };
  }
  const trial = await prepare(closest);
  try {
    const measures = [() => usual.measure(), () => trial.measure()];
    const [before, after] = (await sampleByTurns(measures, final, now)) as [Samples, Samples];
    const wins = isFaster(before, after);
    return {
      default: before,
      best: wins ? after : before,
      ...(wins && { tiles: closest }),
      closest,
      ...counts,
    };
  } finally {
    trial.dispose();
  }
}

const fastest = (timed: readonly Timed[]): Timed | undefined => timed.toSorted((a, b) => a.ms - b.ms)[0];

/** The median time of sizes whose results are right; otherwise what is wrong. */
async function timeOf(
  tiles: Tiles,
  prepare: Contest["prepare"],
  now: () => number,
): Promise<number | string> {
  let trial: SizeTrial | undefined;
  try {
    trial = await prepare(tiles);
    const wrong = await trial.check();
    if (wrong !== undefined) return wrong;
    const { measure } = trial;
    const [samples] = (await sampleByTurns([() => measure.call(trial)], LOOK, now)) as [Samples];
    return samples.medianMs;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    trial?.dispose();
  }
}
