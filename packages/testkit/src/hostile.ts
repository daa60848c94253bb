/** Hostile calls, as tests: on every runtime, each throws the same error or reads the values at the time of the call. */
import type { Runtime } from "@groupwise/core";
import { afterAll, describe, test } from "vitest";
import type { Found } from "./devices/found.ts";
import { requireDevice } from "./devices/require-device.ts";
import { constant, type On, scaled } from "./hostile/ends.ts";
import { refusals } from "./hostile/refusals.ts";
import { snapshots } from "./hostile/snapshots.ts";

/** Tests of hostile calls, and of data that change under calls, on a runtime. */
export function hostile(title: string, probe: () => Found<Runtime> | Promise<Found<Runtime>>): void {
  let opened: Promise<Found<Runtime>> | undefined;
  const on: On = (name, body) =>
    test(name, async (context) => {
      const runtime = await requireDevice(context, () => (opened ??= Promise.resolve(probe())));
      const [scale, fill] = [await runtime.compile(scaled), await runtime.compile(constant)];
      await body({ runtime, scale, fill });
    }, 60_000);

  describe(`${title} refuses invalid arguments`, () => refusals(on));

  describe(`${title} reads its arguments before it returns`, () => {
    afterAll(async () => {
      const runtime = await opened?.catch(() => undefined);
      if (runtime?.found) runtime.value.dispose();
    });

    snapshots(on);
  });
}
