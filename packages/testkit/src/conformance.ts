/** The conformance suite as tests. An entry of its own, because it needs vitest. */
import { GroupwiseError, type Runtime } from "@groupwise/core";
import { describe, expect, type TestContext, test } from "vitest";
import { type Check, type CheckResult, checksOf, runCheck } from "./checks/index.ts";
import { isIn, type Share } from "./data/share.ts";
import { type Found, found, missing } from "./devices/found.ts";
import { requireDevice, sharedBy } from "./devices/require-device.ts";
import { type Effort, Subject } from "./subject/subject.ts";

export { anyOrder } from "./any-order.ts";
export { type Allowed, beyond, exactly, fastFunctions, ulp } from "./checks/fast.ts";
export { deviceTest, requireDevice, sharedBy, sharedRuntime } from "./devices/require-device.ts";
export { hostile } from "./hostile.ts";
export { type FuzzRunner, type RandomCounts, type RandomOptions, random, randomBy } from "./random/tests.ts";
export { recording } from "./recording.ts";
export { expectSlotsChecked } from "./slots.ts";
export { storedValues } from "./stored.ts";

export interface ConformanceOptions {
  /** `full` if GROUPWISE_FULL is set, otherwise `normal`. Slow devices use one step less. */
  readonly slow?: boolean;
  /** The same in every run, regardless of GROUPWISE_FULL. */
  readonly effort?: Effort;
  /** Compiling takes seconds: outside of full runs, one of the operators that differ in one line represents them. */
  readonly slowCompiler?: boolean;
  /** Outside of full runs only these checks: the device is slow to compile for. */
  readonly share?: Share;
  /** In full runs only these checks, because another suite runs all of them on the same driver. */
  readonly fullShare?: Share;
  /** Only in full runs, and only the checks that this share lacks. */
  readonly rest?: Share;
  /** Only checks whose name this accepts. */
  readonly only?: (name: string) => boolean;
}

/** Whether long checks are included: `npm run test:full`. */
export const isFullRun = (): boolean => Boolean(process.env.GROUPWISE_FULL);

const inFull = (why: string): string => `in the full run: ${why}`;

/** Skips a test outside of full runs. @param why the reason for its duration, or the test that shows the same in every run */
export function onlyInFullRuns(context: TestContext, why: string): void {
  if (!isFullRun()) context.skip(inFull(why));
}

/** A device that only full runs open: outside of them its test is skipped. @param why as of {@link onlyInFullRuns} */
export const inFullRuns = <T>(why: string, probe: Probe<T>): Probe<T> =>
  isFullRun() ? probe : () => ({ found: false, reason: inFull(why), remedy: "", isLeftOut: true });

/** The effort of this run. */
export function effortOf(slow: boolean = false): Effort {
  return isFullRun() ? (slow ? "normal" : "full") : slow ? "quick" : "normal";
}

type Probe<T> = () => Found<T> | Promise<Found<T>>;

/** Runs checks somewhere: in this process, in another one, in a browser. */
export interface Runner {
  run(check: Check): Promise<CheckResult>;
  end(): Promise<void>;
}

async function openHere(probe: Probe<Runtime>, effort: Effort, isThrifty: boolean): Promise<Found<Runner>> {
  const runtime = await probe();
  if (!runtime.found) return runtime;
  const subject = new Subject(runtime.value, effort, isThrifty);
  const end = async (): Promise<void> => subject.runtime.dispose();
  return found({ run: (check) => runCheck(check, subject), end });
}

async function orMissing<T>(open: Probe<T>): Promise<Found<T>> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof GroupwiseError && error.code === "device-missing")
      return missing(error.what, error.hint);
    throw error;
  }
}

/**
 * Tests a device against the reference, bit for bit, and against the laws. Checks that its capabilities exclude are skipped
 * with the reason.
 * @param title the device's name in the report
 * @param probe opens the device; without one the tests are skipped, and fail under CI
 */
export function conformance(title: string, probe: Probe<Runtime>, options: ConformanceOptions = {}): void {
  conformanceBy(title, (effort, isThrifty) => openHere(probe, effort, isThrifty), options);
}

/** {@link conformance} of a remote device: the same checks, run by the result of `open`. */
export function conformanceBy(
  title: string,
  open: (effort: Effort, isThrifty: boolean) => Found<Runner> | Promise<Found<Runner>>,
  options: ConformanceOptions = {},
): void {
  const effort = options.effort ?? effortOf(options.slow);
  const isThrifty = Boolean(options.slowCompiler);
  if (options.rest && !isFullRun()) {
    test(title, (context) => context.skip("in the full run: compiling all checks"));
    return;
  }
  describe(`${title} conforms`, () => {
    const once = sharedBy(
      () => orMissing(() => open(effort, isThrifty)),
      (runner) => runner.end(),
    );
    const share = isFullRun() ? options.fullShare : options.share;
    const { rest, only } = options;
    const checks = checksOf(effort).filter(
      (one) =>
        (only?.(one.name) ?? true) && !(rest && isIn(rest, one)) && (share === undefined || isIn(share, one)),
    );
    for (const check of checks) {
      test(check.name, async (context) => {
        const runner = await requireDevice(context, once);
        const { failures, unsupported } = await runner.run(check);
        if (unsupported !== undefined) context.skip(unsupported);
        expect(failures).toEqual([]);
      });
    }
  });
}
