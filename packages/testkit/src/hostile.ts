/** Hostile calls, as tests: on every runtime, each throws the same error or reads the values at the time of the call. */
import type { Runtime } from "@groupwise/core";
import { describe, test } from "vitest";
import { type Probe, requireDevice, sharedRuntime } from "./devices/require-device.ts";
import { constant, type On, scaled } from "./hostile/ends.ts";
import { refusals } from "./hostile/refusals.ts";
import { snapshots } from "./hostile/snapshots.ts";

/** Tests of hostile calls, and of data that change under calls, on a runtime. */
export function hostile(title: string, probe: Probe<Runtime>): void {
  let open: Probe<Runtime>;
  const on: On = (name, body) =>
    test(name, async (context) => {
      const runtime = await requireDevice(context, () => open());
      const [scale, fill] = [await runtime.compile(scaled), await runtime.compile(constant)];
      await body({ runtime, scale, fill });
    }, 60_000);

  describe(`${title} refuses invalid arguments`, () => refusals(on));

  describe(`${title} reads its arguments before it returns`, () => {
    open = sharedRuntime(probe);
    snapshots(on);
  });
}
