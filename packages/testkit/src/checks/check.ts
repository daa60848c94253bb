/** One thing that must hold on a device, without a test runner: also for benchmarks and browsers. */
import type { Pipeline } from "@groupwise/core";
import { NotSupportedError, type Subject } from "../subject/subject.ts";

export interface Check {
  readonly name: string;
  /** What it runs in full runs; the list of what is proven consists of them. */
  pipelines?(): readonly Pipeline[];
  /** The problems, one line each; empty where all is right. @throws NotSupportedError */
  run(subject: Subject): Promise<readonly string[]>;
}

export interface CheckResult {
  readonly name: string;
  readonly failures: readonly string[];
  /** Why the device does not take part; then there are no failures. */
  readonly unsupported?: string;
}

/** Runs a check; a check that the device's capabilities exclude is not a failure. */
export async function runCheck(check: Check, subject: Subject): Promise<CheckResult> {
  try {
    return { name: check.name, failures: await check.run(subject) };
  } catch (error) {
    if (error instanceof NotSupportedError) {
      return { name: check.name, failures: [], unsupported: error.message };
    }
    return { name: check.name, failures: [(error as Error).stack ?? String(error)] };
  }
}

/** Enough failures to see a pattern. */
export const ENOUGH = 12;
