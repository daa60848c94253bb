/** The time of recorded work: by the device's clock where the runtime has one, otherwise by the host's. */
import { FUNCTION, OBJECT, requireArguments } from "@groupwise/ir/base/arguments.js";
import type { Runtime } from "../api/runtime.ts";
import type { Busy } from "./busy.ts";

/** Measures work that is queued after other work, which keeps the device's clocks up. */
export interface Clock {
  readonly kind: "device" | "host";
  /**
   * Milliseconds of what `record` records, without the busy work before it. Where the device waited for the host between the two, both are
   * repeated with more busy work.
   * @param record records the work; its result queues all of it before it returns
   */
  time(busy: Busy, record: () => () => Promise<void>): Promise<number>;
}

/**
 * The clock of a runtime.
 * @category Authors
 */
export function clockOf(runtime: Pick<Runtime, "deviceTime">, now: () => number): Clock {
  requireArguments(arguments, "clockOf", { runtime: OBJECT, now: FUNCTION });
  const { deviceTime } = runtime;
  if (deviceTime)
    return {
      kind: "device",
      time: async (busy, record) => {
        for (;;) {
          // The device is busy while the host records, too.
          const first = busy.submit();
          const work = record();
          const second = busy.submit();
          const [{ milliseconds, waited }] = await Promise.all([deviceTime(work), first, second]);
          if (!waited || !busy.lengthen()) return milliseconds;
        }
      },
    };
  return {
    kind: "host",
    time: async (busy, record) => {
      const work = record();
      await busy.submit();
      const start = now();
      await work();
      return now() - start;
    },
  };
}
