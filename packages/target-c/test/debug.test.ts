/** The option debug, on one thread and where more are allowed. */
import { deviceTest } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { expectAccessesChecked } from "../../testkit/src/faults/accesses.ts";
import { keepingRuntime } from "./support.ts";

for (const threads of [1, 3])
  deviceTest(
    `accesses outside, and reads of what nothing wrote, with ${threads} threads`,
    async () => found(await keepingRuntime({ debug: true, threads })),
    expectAccessesChecked,
  );
