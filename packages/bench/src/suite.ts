/** The whole conformance suite on every device as data: the result of each check on each device. */
import type { DeviceInfo, Tuning } from "@groupwise/core";
import { errorOf } from "@groupwise/core/target";
import { checksOf, type Effort, runCheck, Subject } from "@groupwise/testkit";
import {
  type Absent,
  absenceOf,
  type Candidate,
  type Choice,
  candidates,
  wantedOf,
} from "./devices/devices.ts";
import { counted, readTuning, type TunedCount, type TuningChoice } from "./devices/tuned.ts";
import { type MeasuredOn, surroundings } from "./measure/surroundings.ts";
import { isChosenInAnyCase } from "./print/only.ts";

export interface CheckRun {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped";
  /** The failure, or the reason for skipping. */
  readonly details?: readonly string[];
  readonly seconds: number;
}

export interface SuiteDevice extends DeviceInfo {
  readonly label: string;
  readonly effort: Effort;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** With a tuning: the pipelines that have its sizes. */
  readonly tiles?: TunedCount;
  readonly checks: readonly CheckRun[];
}

/** The options of a run of the suite. */
export interface SuiteChoice extends Choice {
  /** Only checks whose names contain one of these words. */
  readonly checks?: readonly string[];
  /** Sizes of tiles; devices of other hardware are absent then. */
  readonly tuning?: TuningChoice;
}

export interface Suite {
  readonly surroundings: MeasuredOn;
  readonly devices: readonly SuiteDevice[];
  readonly absent: readonly Absent[];
}

const since = (start: number): number => Math.round((performance.now() - start) / 10) / 100;

async function suiteOn(
  candidate: Candidate,
  { isFull = false, checks: words = [], tuning: choice, say = () => {} }: SuiteChoice,
  tuning: Tuning | undefined,
): Promise<SuiteDevice> {
  const started = performance.now();
  const effort: Effort = candidate.slow ? (isFull ? "normal" : "quick") : isFull ? "full" : "normal";
  const runtime = await candidate.open(tuning && { tuning });
  try {
    const { compiling, count: tiles } = counted(runtime, choice?.items);
    const subject = new Subject(compiling, effort, candidate.thrifty);
    const checks: CheckRun[] = [];
    const chosen = checksOf(effort).filter(({ name }) => isChosenInAnyCase(name, words));
    for (const [i, check] of chosen.entries()) {
      const title = `${candidate.name}: ${i + 1} of ${chosen.length}: ${check.name}`;
      say(title);
      const began = performance.now();
      const { failures, unsupported } = await runCheck(check, subject);
      const details = unsupported === undefined ? failures : [unsupported];
      if (failures.length > 0) say(`${title}: failed: ${failures[0]}`);
      checks.push({
        name: check.name,
        status: failures.length > 0 ? "failed" : unsupported === undefined ? "passed" : "skipped",
        ...(details.length > 0 && { details }),
        seconds: since(began),
      });
    }
    const count = (status: CheckRun["status"]): number =>
      checks.filter((one) => one.status === status).length;
    return {
      ...runtime.device,
      label: candidate.name,
      effort,
      passed: count("passed"),
      failed: count("failed"),
      skipped: count("skipped"),
      seconds: since(started),
      ...(tuning && { tiles: tiles() }),
      checks,
    };
  } finally {
    runtime.dispose();
  }
}

/**
 * Runs the suite on every device found, or on the named ones.
 * @throws GroupwiseError `missing-file`, `bad-tuning`, `bad-version`
 */
export async function suite(choice: SuiteChoice = {}): Promise<Suite> {
  const { isFull = false, only = [] } = choice;
  const tuning = choice.tuning && readTuning(choice.tuning);
  const { found, absent } = await candidates(isFull);
  const missing = [...absent];
  const devices: SuiteDevice[] = [];
  for (const candidate of wantedOf(found, only)) {
    const { name, target } = candidate;
    try {
      if (tuning) requireTarget(tuning, target);
      devices.push(await suiteOn(candidate, choice, tuning));
    } catch (error) {
      missing.push({ name, reason: absenceOf(error) });
    }
  }
  return { surroundings: surroundings(), devices, absent: missing };
}

/** @throws GroupwiseError `foreign-tuning` */
function requireTarget({ device: { target: tuned } }: Tuning, got: string): void {
  if (tuned !== got) throw errorOf("foreign-tuning", { tuned, got });
}

/** True if checks ran and none failed. */
export function isPassed({ devices }: Suite): boolean {
  return devices.some(({ passed }) => passed > 0) && devices.every(({ failed }) => failed === 0);
}
