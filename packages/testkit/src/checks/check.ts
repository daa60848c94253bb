/** One property that a device must have. It needs no test runner, so benchmarks and browsers use it too. */
import type { HostArray, Pipeline, RunValues, Scalar } from "@groupwise/core";
import type { Share } from "../data/share.ts";
import { type Differences, NotSupportedError, type Subject } from "../subject/subject.ts";

export interface Check {
  readonly name: string;
  /** The smallest share of checks that has it; undefined: only all checks. */
  readonly share?: Share | undefined;
  /** The pipelines of a full run; the checklist of the specification is made from them. */
  pipelines?(): readonly Pipeline[];
  /** The problems, one line each; empty if there are none. @throws NotSupportedError */
  run(subject: Subject): Promise<readonly string[]>;
}

export interface CheckResult {
  readonly name: string;
  readonly failures: readonly string[];
  /** The reason why the device does not run the check; there are no failures then. */
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
  } finally {
    await subject.release();
  }
}

/** Outputs that differ, with the operands at the first place. */
export const withOperands = (different: Differences, values: RunValues, type: Scalar): readonly string[] =>
  Object.entries(different).map(([name, text]) => {
    const at = Number(/^\[(\d+)\]/.exec(text)?.[1] ?? 0);
    const of = Object.entries(values).map(([input, list]) => `${input} ${(list as HostArray)[at]}`);
    return `${name} on ${type} at ${of.join(", ")}: ${text}`;
  });

/** Enough failures to see a pattern. */
export const ENOUGH = 12;
