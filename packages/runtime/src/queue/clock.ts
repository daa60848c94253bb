/** The device's clock: the times of markers in the queue. */
import type { DeviceTime } from "../api/runtime.ts";
import type { Driver, Marker } from "./driver.ts";
import type { Line } from "./line.ts";

/**
 * The time between the commands before `work` and its last one. The queue records times. The device waited for the host if it had done
 * the earlier commands before the last one was queued.
 */
export async function deviceTime(
  { driver, line }: { readonly driver: Driver; readonly line: Line },
  elapsed: NonNullable<Driver["elapsed"]>,
  work: () => Promise<void>,
): Promise<DeviceTime> {
  const markers: Marker[] = [];
  const markNow = (): void => void markers.push(driver.mark());
  try {
    await line.do(markNow);
    const done = work();
    // A failure is that of `work`, also if the marker fails for the same reason.
    done.catch(() => {});
    // Work with a number of items in device memory is queued in parts, between which the host reads it.
    await line.do(markNow);
    const [from, to] = markers as [Marker, Marker];
    const waited = from.isEnded();
    await done;
    driver.check("the end of the queue", driver.finish());
    return { milliseconds: elapsed(from, to), waited };
  } finally {
    for (const marker of markers) marker.release();
  }
}
