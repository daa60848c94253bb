/** Changes of times from one result to another, and which of them are more than noise. */
import { errorOf } from "@groupwise/core/target";
import type { ResultFile, TimedRow } from "./result-file.ts";

/** `noise`: the change is not beyond the noise of both; `unknown`: a file has no quartiles. */
export type ChangeVerdict = "faster" | "slower" | "noise" | "unknown";

export interface MeasuredChange {
  readonly name: string;
  readonly n: number;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Time after over time before. */
  readonly ratio: number;
  readonly verdict: ChangeVerdict;
}

export interface Comparison {
  readonly before: Omit<ResultFile, "rows">;
  readonly after: Omit<ResultFile, "rows">;
  readonly changes: readonly MeasuredChange[];
  /** Rows of only one file, as "name of n". */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
}

/** Changes of medians up to this share are noise for any quartiles, because the clocks of cards vary as much. */
const LEAST_CHANGE = 0.01;

/** A change is more than noise if the interquartile ranges do not overlap and the medians differ by 1 %. */
export function verdictOf(before: TimedRow, after: TimedRow): ChangeVerdict {
  if (!before.quartilesMs || !after.quartilesMs) return "unknown";
  const [beforeLow, beforeHigh] = before.quartilesMs;
  const [afterLow, afterHigh] = after.quartilesMs;
  const isBeyond = Math.abs(after.medianMs - before.medianMs) > LEAST_CHANGE * before.medianMs;
  if (isBeyond && afterLow > beforeHigh) return "slower";
  if (isBeyond && afterHigh < beforeLow) return "faster";
  return "noise";
}

const keyOf = ({ name, n }: TimedRow): string => `${name} of ${n}`;

function changeOf(before: TimedRow, after: TimedRow): MeasuredChange {
  const [beforeMs, afterMs] = [before.medianMs, after.medianMs];
  const verdict = verdictOf(before, after);
  return { name: before.name, n: before.n, beforeMs, afterMs, ratio: afterMs / beforeMs, verdict };
}

/** @throws GroupwiseError `bad-file` if the results have no row in common */
export function compare(
  { rows: old, ...before }: ResultFile,
  { rows: recent, ...after }: ResultFile,
): Comparison {
  const olds = new Map(old.map((row) => [keyOf(row), row]));
  const recents = new Map(recent.map((row) => [keyOf(row), row]));
  const changes = [...olds].flatMap(([key, row]) => {
    const other = recents.get(key);
    return other ? [changeOf(row, other)] : [];
  });
  if (changes.length === 0) {
    const reason = `it has no row in common with ${JSON.stringify(before.path)}`;
    throw errorOf(
      "bad-file",
      { path: after.path, reason, hint: "pass two results of the same jobs" },
      after.path,
    );
  }
  const missingIn = (rows: ReadonlyMap<string, TimedRow>, keys: Iterable<string>): string[] =>
    [...keys].filter((key) => !rows.has(key));
  return {
    before,
    after,
    changes,
    onlyBefore: missingIn(recents, olds.keys()),
    onlyAfter: missingIn(olds, recents.keys()),
  };
}
