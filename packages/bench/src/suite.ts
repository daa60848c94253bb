/** The whole conformance suite on every device as data: the result of each check on each device. */
import type { DeviceInfo } from "@groupwise/core";
import { checksOf, type Effort, runCheck, Subject } from "@groupwise/testkit";
import { type Absent, absenceOf, type Candidate, candidates, wantedOf } from "./devices/devices.ts";
import { runElsewhere } from "./devices/elsewhere.ts";
import type { Choice } from "./equivalence.ts";
import { type Surroundings, surroundings } from "./measure/surroundings.ts";

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
  readonly checks: readonly CheckRun[];
}

export interface Suite {
  readonly surroundings: Surroundings;
  readonly devices: readonly SuiteDevice[];
  readonly absent: readonly Absent[];
}

const since = (start: number): number => Math.round((performance.now() - start) / 10) / 100;

async function suiteHere(
  candidate: Candidate,
  isFull: boolean,
  say: (line: string) => void,
): Promise<SuiteDevice> {
  const started = performance.now();
  const effort: Effort = candidate.slow ? (isFull ? "normal" : "quick") : isFull ? "full" : "normal";
  const runtime = await candidate.open();
  try {
    const subject = new Subject(runtime, effort, candidate.thrifty);
    const checks: CheckRun[] = [];
    for (const check of checksOf(effort)) {
      say(`${candidate.name}: ${check.name}`);
      const began = performance.now();
      const { failures, unsupported } = await runCheck(check, subject);
      const details = unsupported === undefined ? failures : [unsupported];
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
      checks,
    };
  } finally {
    runtime.dispose();
  }
}

async function suiteElsewhere(candidate: Candidate, isFull: boolean): Promise<SuiteDevice> {
  const args = ["suite", ...(isFull ? ["--full"] : [])];
  const { devices, absent } = await runElsewhere<Suite>(candidate.elsewhere as never, args);
  const [device] = devices;
  if (!device) throw new Error(`${candidate.name}: ${absent.map(({ reason }) => reason).join("; ")}`);
  return { ...device, label: candidate.name };
}

/** Runs the suite on every device found, or on the named ones. */
export async function suite(choice: Choice = {}): Promise<Suite> {
  const { isFull = false, only = [], isAlone = false, say = () => {} } = choice;
  const { found, absent } = await candidates(isFull, isAlone);
  const missing = [...absent];
  const devices: SuiteDevice[] = [];
  for (const candidate of wantedOf(found, only)) {
    try {
      const run = candidate.elsewhere ? suiteElsewhere(candidate, isFull) : suiteHere(candidate, isFull, say);
      devices.push(await run);
    } catch (error) {
      missing.push({ name: candidate.name, reason: absenceOf(error) });
    }
  }
  return { surroundings: surroundings(), devices, absent: missing };
}

/** True if checks ran and none failed. */
export function isPassed({ devices }: Suite): boolean {
  return devices.some(({ passed }) => passed > 0) && devices.every(({ failed }) => failed === 0);
}
