/** The device's clock: the times of markers in the queue. */
import { CL } from "./constants.ts";
import type { Handle, OpenCl } from "./ffi.ts";

const NANOSECONDS = 1e6;

/** Milliseconds between the commands before `work` and its last one. The queue records times. */
export async function deviceTime(
  { cl, queue }: { readonly cl: OpenCl; readonly queue: Handle },
  work: () => Promise<void>,
): Promise<number> {
  const events: Handle[] = [];
  const mark = (): void => {
    const event = new BigUint64Array(1);
    cl.call("clEnqueueMarkerWithWaitList", queue, 0, null, event);
    events.push(event[0] as Handle);
  };
  try {
    mark();
    const done = work();
    // A failure is that of `work`, also if the marker fails for the same reason.
    done.catch(() => {});
    mark();
    await done;
    cl.call("clFinish", queue);
    const [from = 0n, to = 0n] = events.map((event) =>
      cl.integer("clGetEventProfilingInfo", event, CL.PROFILING_COMMAND_END),
    );
    return Number(to - from) / NANOSECONDS;
  } finally {
    for (const event of events) cl.status("clReleaseEvent", event);
  }
}
