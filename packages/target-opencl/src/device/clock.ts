/** The device's clock: the times of markers in the queue. */
import type { DeviceTime } from "@groupwise/core";
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";
import type { Line } from "./line.ts";
import { isEnded, mark } from "./marker.ts";

const NANOSECONDS = 1e6;

/**
 * The time between the commands before `work` and its last one. The queue records times. The device waited for the host if it had done
 * the earlier commands before the last one was queued.
 */
export async function deviceTime(
  { cl, queue, line }: { readonly cl: OpenCl; readonly queue: Handle; readonly line: Line },
  work: () => Promise<void>,
): Promise<DeviceTime> {
  const events: Handle[] = [];
  const markNow = (): void => void events.push(mark(cl, queue));
  try {
    await line.do(markNow);
    const done = work();
    // A failure is that of `work`, also if the marker fails for the same reason.
    done.catch(() => {});
    // Work with a number of items in device memory is queued in parts, between which the host reads it.
    await line.do(markNow);
    const waited = isEnded(cl, events[0] as Handle);
    await done;
    cl.call("clFinish", queue);
    const [from = 0n, to = 0n] = events.map((event) =>
      cl.integer("clGetEventProfilingInfo", event, CL.PROFILING_COMMAND_END),
    );
    return { milliseconds: Number(to - from) / NANOSECONDS, waited };
  } finally {
    for (const event of events) cl.status("clReleaseEvent", event);
  }
}
