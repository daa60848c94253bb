import type { Runtime } from "@groupwise/core";
import { afterAll, type TestContext, test } from "vitest";
import { DeviceMissingError, type Found } from "./found.ts";

export type Probe<T> = () => Found<T> | Promise<Found<T>>;

/**
 * A test that needs a device. Without the device it is skipped with the reason, and under CI it fails.
 * @param probe finds the device, for example `() => findDawn({ adapter: "lavapipe" })`
 * @param body receives the device
 */
export function deviceTest<T>(
  name: string,
  probe: Probe<T>,
  body: (device: T, context: TestContext) => unknown,
): void {
  test(name, async (context) => {
    await body(await requireDevice(context, probe), context);
  });
}

const shown = new Set<string>();

/** The policy of {@link deviceTest} within another test. */
export async function requireDevice<T>(context: TestContext, probe: Probe<T>): Promise<T> {
  const device = await probe();
  if (device.found) return device.value;
  if (device.isLeftOut) return context.skip(device.reason);
  if (process.env.CI) throw new DeviceMissingError(device);
  const note = `${device.reason}; ${device.remedy}`;
  if (!shown.has(note)) console.warn(`skipped: ${note}`);
  shown.add(note);
  return context.skip(note);
}

/** What the tests of a group share: opened by the first that needs it, and closed after the last. Call it in the group. */
export function sharedBy<T>(probe: Probe<T>, close: (opened: T) => unknown): () => Promise<Found<T>> {
  let opened: Promise<Found<T>> | undefined;
  afterAll(async () => {
    const device = await opened?.catch(() => undefined);
    if (device?.found) await close(device.value);
  });
  return () => (opened ??= Promise.resolve(probe()));
}

/** {@link sharedBy} of a runtime. */
export const sharedRuntime = <T extends Pick<Runtime, "dispose">>(
  probe: Probe<T>,
): (() => Promise<Found<T>>) => sharedBy(probe, (runtime) => runtime.dispose());
