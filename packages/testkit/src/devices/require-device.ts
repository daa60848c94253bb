import { type TestContext, test } from "vitest";
import { DeviceMissingError, type Found } from "./found.ts";

/**
 * A test that needs a device. Without the device it is skipped with the reason, and under CI it fails.
 * @param probe finds the device, for example `() => findDawn({ adapter: "lavapipe" })`
 * @param body receives the device
 */
export function deviceTest<T>(
  name: string,
  probe: () => Found<T> | Promise<Found<T>>,
  body: (device: T, context: TestContext) => unknown,
): void {
  test(name, async (context) => {
    await body(await requireDevice(context, probe), context);
  });
}

const shown = new Set<string>();

/** The policy of {@link deviceTest} within another test. */
export async function requireDevice<T>(
  context: TestContext,
  probe: () => Found<T> | Promise<Found<T>>,
): Promise<T> {
  const device = await probe();
  if (device.found) return device.value;
  if (process.env.CI) throw new DeviceMissingError(device);
  const note = `${device.reason}; ${device.remedy}`;
  if (!shown.has(note)) console.warn(`skipped: ${note}`);
  shown.add(note);
  return context.skip(note);
}
