/** The suites of every runtime, in C. */
import type { Runtime } from "@groupwise/core";
import { anyOrder, hostile, isFullRun, recording, storedValues } from "@groupwise/testkit/conformance";
import { type Found, found } from "@groupwise/testkit/devices";
import { rounds } from "@groupwise/testkit/rounds";
import { states } from "@groupwise/testkit/states";
import { expect, test } from "vitest";
import { cRuntime } from "../src/runtime.ts";
import { keepingRuntime } from "./support.ts";

const here = async (): Promise<Found<Runtime>> => found(await keepingRuntime({ compiler: "gcc" }));

hostile("C", here);
recording("C", here);
// JavaScript has rounds, whose loops are those of other pipelines.
if (isFullRun()) {
  rounds("C", here);
  anyOrder("C", here);
  storedValues("C", here);
  // In other runs `chunks-openmp.test.ts` has them in threads.
  states("C", here);
}

test("a missing compiler is reported as a missing device", async () => {
  const error = await cRuntime({ compiler: "no-such-compiler" }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "device-missing" });
});
