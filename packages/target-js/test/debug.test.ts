import { conformance, expectSlotsChecked, isFullRun } from "@groupwise/testkit/conformance";
import { found } from "@groupwise/testkit/devices";
import { test } from "vitest";
import { expectAccessesChecked } from "../../testkit/src/faults/accesses.ts";
import { jsRuntime } from "../src/runtime.ts";
import { jsWorkersRuntime } from "../src/workers/runtime.ts";

const debugging = () => jsRuntime({ debug: true });

test("the option debug finds two items that write one slot", () => expectSlotsChecked(debugging()));

test("the option debug finds accesses outside and reads of what nothing wrote", () =>
  expectAccessesChecked(debugging()));

test("the option debug finds them where a worker computes", async () => {
  const runtime = jsWorkersRuntime({ workers: 2, leastItems: 0, debug: true });
  await expectAccessesChecked(runtime);
  runtime.dispose();
});

conformance("plain JavaScript, with the option debug,", () => found(debugging()), {
  effort: isFullRun() ? "normal" : "quick",
  share: "some",
});
