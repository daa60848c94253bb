/** The conformance suite as tests. An entry of its own, because it needs vitest. */
import { GroupwiseError, type Runtime } from "@groupwise/core";
import { afterAll, describe, expect, test } from "vitest";
import { checksOf, runCheck } from "./checks/index.ts";
import { type Found, found, missing } from "./devices/found.ts";
import { requireDevice } from "./devices/require-device.ts";
import { type Effort, Subject } from "./subject.ts";

export { deviceTest, requireDevice } from "./devices/require-device.ts";

export interface ConformanceOptions {
  /** `full` where GROUPWISE_FULL is set, else `normal`. Slow devices take one step less. */
  readonly slow?: boolean;
  /** Compiling takes seconds: operators that differ in one line stand for one another, save in full runs. */
  readonly slowCompiler?: boolean;
  /** Only checks whose name this accepts. */
  readonly only?: (name: string) => boolean;
  /** Milliseconds for one check, 120,000 when not given; ten times that in a full run. */
  readonly timeoutMs?: number;
}

/** How much to run here. */
export function effortOf(slow: boolean = false): Effort {
  const isFull = Boolean(process.env.GROUPWISE_FULL);
  return isFull ? (slow ? "normal" : "full") : slow ? "quick" : "normal";
}

type Probe = () => Found<Runtime> | Promise<Found<Runtime>>;

async function openSubject(probe: Probe, effort: Effort, isThrifty: boolean): Promise<Found<Subject>> {
  try {
    const runtime = await probe();
    return runtime.found ? found(new Subject(runtime.value, effort, isThrifty)) : runtime;
  } catch (error) {
    if (error instanceof GroupwiseError && error.code === "device-missing")
      return missing(error.what, error.hint);
    throw error;
  }
}

/**
 * Tests a device against the reference, bit for bit, and against the laws. What its capabilities rule out
 * is skipped with the reason.
 * @param title the device's name in the report
 * @param probe opens the device; without one the tests are skipped, and fail under CI
 */
export function conformance(title: string, probe: Probe, options: ConformanceOptions = {}): void {
  const effort = effortOf(options.slow);
  const timeout = (options.timeoutMs ?? 120_000) * (effort === "full" ? 10 : 1);
  let opened: Promise<Found<Subject>> | undefined;
  const open = (): Promise<Found<Subject>> => {
    opened ??= openSubject(probe, effort, Boolean(options.slowCompiler) && effort !== "full");
    return opened;
  };
  describe(`${title} conforms`, () => {
    afterAll(async () => {
      const device = await opened?.catch(() => undefined);
      if (!device?.found) return;
      const { flushes, note } = await device.value.flushes();
      if (flushes) console.warn(`${title} ${note}: such results are compared within 2^-126`);
      device.value.runtime.dispose();
    });
    for (const check of checksOf(effort).filter(({ name }) => options.only?.(name) ?? true)) {
      test(
        check.name,
        async (context) => {
          const subject = await requireDevice(context, open);
          const { failures, unsupported } = await runCheck(check, subject);
          if (unsupported !== undefined) context.skip(unsupported);
          expect(failures).toEqual([]);
        },
        timeout,
      );
    }
  });
}
