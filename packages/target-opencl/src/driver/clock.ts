/** The device's clock: the times of markers in the queue. */
import type { DeviceTime } from "@groupwise/core";
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";
import type { Line } from "./line.ts";

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
  const mark = (): void => {
    const event = new BigUint64Array(1);
    cl.call("clEnqueueMarkerWithWaitList", queue, 0, null, event);
    events.push(event[0] as Handle);
  };
  const isDone = (event: Handle): boolean =>
    cl.integer("clGetEventInfo", event, CL.EVENT_COMMAND_EXECUTION_STATUS) === CL.COMPLETE;
  try {
    await line.do(mark);
    const done = work();
    // A failure is that of `work`, also if the marker fails for the same reason.
    done.catch(() => {});
    // Work with a number of items in device memory is queued in parts, between which the host reads it.
    await line.do(mark);
    const waited = isDone(events[0] as Handle);
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
