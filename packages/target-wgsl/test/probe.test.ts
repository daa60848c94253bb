import { deviceTest } from "@groupwise/testkit/conformance";
import { expect } from "vitest";
import { Gpu } from "../src/device/device.ts";
import { earnedOn, untested } from "../src/runtime/earned.ts";
import { dawn } from "./devices.ts";

deviceTest("try", dawn, async (device) => {
  const begun = performance.now();
  const all = await earnedOn(new Gpu(device, {})).all(untested(device));
  console.log(performance.now() - begun, all.length, all.filter((one) => one.reason !== undefined));
  expect(1).toBe(1);
});
