/** The time of recorded work: by the device's clock where the runtime has one, otherwise by the host's. */
import type { Runtime } from "../api/runtime.ts";

/** Measures work that is queued behind other work, which keeps the device's clocks up. */
export interface Clock {
  readonly kind: "device" | "host";
  /** Milliseconds of `work`, without `before`. Both queue their steps before they return. */
  time(before: () => Promise<void>, work: () => Promise<void>): Promise<number>;
}

/** The clock of a runtime. */
export function clockOf(runtime: Pick<Runtime, "deviceTime">, now: () => number): Clock {
  if (runtime.deviceTime)
    return {
      kind: "device",
      time: async (before, work) => {
        const done = before();
        const [milliseconds] = await Promise.all([runtime.deviceTime?.(work) ?? Number.NaN, done]);
        return milliseconds;
      },
    };
  return {
    kind: "host",
    time: async (before, work) => {
      await before();
      const begun = now();
      await work();
      return now() - begun;
    },
  };
}
