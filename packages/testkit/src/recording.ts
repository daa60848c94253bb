/** The behaviour of every runtime's arrays and recorders, as tests; `conformance` tests the results of pipelines. */
import type { GroupwiseError, Runtime } from "@groupwise/core";
import { describe } from "vitest";
import { deviceTest, type Probe, sharedRuntime } from "./devices/require-device.ts";
import { ARRAY_TESTS } from "./recording/arrays.ts";
import type { RuntimeTests } from "./recording/check.ts";
import { FAILURE_TESTS } from "./recording/failures.ts";
import { IN_PLACE_TESTS } from "./recording/in-place.ts";
import { ORDER_TESTS } from "./recording/order.ts";
import { SCALAR_TESTS } from "./recording/scalars.ts";
import { STEP_TESTS } from "./recording/steps.ts";

const TESTS: RuntimeTests = {
  ...ARRAY_TESTS,
  ...STEP_TESTS,
  ...ORDER_TESTS,
  ...FAILURE_TESTS,
  ...SCALAR_TESTS,
  ...IN_PLACE_TESTS,
};

/**
 * Tests of device arrays and recorders on a runtime.
 * @param only tests by name; all where it is absent
 */
export function recording(
  title: string,
  probe: Probe<Runtime>,
  only: (name: string) => boolean = () => true,
): void {
  describe(`${title} keeps arrays and records steps`, () => {
    const open = sharedRuntime(probe);
    for (const [name, body] of Object.entries(TESTS).filter(([one]) => only(one))) {
      deviceTest(name, open, async (runtime, context) => {
        await body(runtime).catch((error: GroupwiseError) => {
          // Its capabilities state this, for few types only.
          if (error.code !== "unsupported" || runtime.capabilities.execution !== "per-output") throw error;
          context.skip(error.what);
        });
      });
    }
  });
}
